/// The conclusion of a scenario: which style is cheaper, by how much, and for which reason.
///
/// The best REST style is compared with the best GraphQL style. A comparison of less efficient styles would not be
/// representative.
struct Conclusion: Sendable {
    let contenders: Contenders
    /// The comparison of each measure that both styles have; empty if a style is missing or the results differ.
    let findings: [Finding]
    /// True if all styles returned the same result. If the results differ, the costs cannot be compared.
    let isEqual: Bool

    /// - Parameter measures: ``ComparisonReport/keyMeasures``.
    init(_ scenario: ComparisonReport.ScenarioReport, measures: [KeyMeasure]) {
        contenders = Contenders(scenario.styles)
        isEqual = scenario.isEqual
        guard isEqual, let rest = contenders.rest, let graphQL = contenders.graphQL else {
            findings = []
            return
        }
        findings = measures.compactMap { Finding($0, rest: rest, graphQL: graphQL) }
    }

    /// Returns the findings in which the given side is cheaper.
    func savings(of side: Contenders.Side) -> [Finding] { findings.filter { $0.cheaper == side } }
}

extension ComparisonReport {
    /// The conclusion of each scenario, in the order of the scenarios.
    var conclusions: [(scenario: ScenarioReport, conclusion: Conclusion)] {
        let measures = keyMeasures
        return scenarios.map { ($0, Conclusion($0, measures: measures)) }
    }
}
