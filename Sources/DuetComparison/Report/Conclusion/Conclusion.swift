import DuetJSON

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

    /// The conclusions of the tasks that only read, and those of the tasks that write, with their headings. A part
    /// without tasks is omitted.
    var conclusionParts: [(title: String, conclusions: [(scenario: ScenarioReport, conclusion: Conclusion)])] {
        let all = conclusions
        return [
            ("Which style is cheaper", all.filter { !$0.scenario.isWrite }),
            ("Which style is cheaper for writes", all.filter(\.scenario.isWrite)),
        ].filter { !$0.1.isEmpty }
    }
}

extension Conclusion {
    /// The cheaper style and its savings, without a final period: `REST is cheaper here: 7% fewer bytes`.
    var headline: String {
        guard isEqual else { return "The styles return different results here" }
        guard contenders.rest != nil, contenders.graphQL != nil else { return "There is nothing to compare here" }
        let parts = Contenders.Side.allCases.filter { !savings(of: $0).isEmpty }.map { side in
            (side.title, savings(of: side).compactMap(\.headline).joined(separator: ", "))
        }
        switch parts.count {
        case 0: return "Neither style is cheaper here"
        case 1: return parts.map { "\($0) is cheaper here: \($1)" }.joined()
        default:
            return "Each style is cheaper by some measures: "
                + parts.map { "\($0) takes \($1)" }.joined(separator: "; ")
        }
    }

    /// The sentences after the headline, in this order: the figures with their reasons, the measures that do not
    /// differ, the measures that cannot be compared, the cost of the rows if the styles read aggregates
    /// (``Contenders/rows``), the cost of simple REST (``Contenders/simpleREST``), and the names of the compared
    /// styles.
    var details: [String] {
        guard isEqual else { return ["Their costs are not compared."] }
        guard contenders.rest != nil, contenders.graphQL != nil else { return [] }
        return Contenders.Side.allCases.compactMap(saving)
            + [equal, noise, tooFewRounds, rows, simple, compared].compactMap(\.self)
    }

    /// The headline and the details as one text.
    var text: String { ([headline + "."] + details).joined(separator: " ") }

    /// Returns a sentence such as `It takes 616 bytes instead of 659, because its request is 43 bytes shorter.` The
    /// sentence omits the number of requests, because the headline contains it.
    private func saving(of side: Contenders.Side) -> String? {
        let clauses = savings(of: side).filter { $0.measure != .requests }.map { finding in
            let factor = finding.factor.map { " (\($0))" } ?? ""
            let reason = finding.reason.map { ", \($0)" } ?? ""
            return "\(finding.measure.phrase(finding[side])) instead of \(finding[side.other].text)\(factor)\(reason)"
        }
        let subject = savings(of: side.other).isEmpty ? "It" : side.title
        return clauses.isEmpty ? nil : "\(subject) takes \(clauses.joined(separator: "; "))."
    }

    /// A sentence about the measures that do not differ, such as `Both take 1 request.`
    private var equal: String? {
        let phrases = findings.filter { $0.outcome == .equal }.map { $0.measure.phrase($0.rest) }
        return phrases.isEmpty ? nil : "Both take \(phrases.inWords)."
    }

    private var noise: String? {
        subject(of: .noise).map { "\($0) \($1 ? "differ" : "differs") by no more than the noise." }
    }

    private var tooFewRounds: String? {
        subject(of: .tooFewRounds).map { "\($0) \($1 ? "were" : "was") measured too few times to be compared." }
    }

    /// Returns the time measures with the given outcome, as the subject of a sentence; nil if there are none.
    private func subject(of outcome: Finding.Outcome) -> (text: String, isPlural: Bool)? {
        let nouns = findings.filter { $0.outcome == outcome }.map { "the \($0.measure.noun)" }
        guard !nouns.isEmpty else { return nil }
        let areAll = nouns.count > 1 && nouns.count == findings.count { !$0.measure.isCounted }
        return (areAll ? "Their times" : nouns.inWords.capitalizedFirst, nouns.count > 1)
    }

    /// A sentence with the costs of the best style that reads the rows, and those of the dearer one of the styles that
    /// read aggregates: `10 requests instead of 4, 86,539 bytes instead of 1,342 (64 times as many) and …`.
    private var rows: String? {
        guard let rows = contenders.rows else { return nil }
        let phrases = findings.compactMap { finding in
            finding.measure.figure(of: rows).map { figure in
                let dearer = finding.rest.value < finding.graphQL.value ? finding.graphQL : finding.rest
                let ratio = finding.measure == .requests ? nil : finding.measure.ratio(figure.value, to: dearer.value)
                let phrase = finding.measure.phrase(figure)
                guard figure.text != dearer.text else { return phrase }
                return "\(phrase) instead of \(dearer.text)\(ratio.map { " (\($0))" } ?? "")"
            }
        }
        guard !phrases.isEmpty else { return nil }
        return "Without aggregates, the best style is \(rows.style.title): \(phrases.inWords)."
    }

    /// A sentence with the costs of simple REST and of GraphQL. It omits the server's processor time and the time
    /// without a simulated round trip, because the overview contains them.
    private var simple: String? {
        guard let simple = contenders.simpleREST, let graphQL = contenders.graphQL else { return nil }
        let figures = findings.map(\.measure).filter { $0 != .serverTime && $0 != .time(roundTrip: .zero) }
            .compactMap { measure in
                measure.figure(of: simple).flatMap { one in measure.figure(of: graphQL).map { (measure, one, $0) } }
            }
        let own = figures.map { $0.0.phrase($0.1) }.inWords
        return
            "Simple REST takes \(own); GraphQL takes \(figures.map(\.2.text).inWords)."
    }

    private var compared: String? {
        guard let rest = contenders.rest, let graphQL = contenders.graphQL else { return nil }
        return "Compared: \(rest.style.title); \(graphQL.style.title)."
    }
}

extension Conclusion {
    /// The conclusion in the format that `--format json` prints.
    var json: JSONValue {
        func name(_ style: ComparisonReport.StyleReport?) -> JSONValue {
            style.map { .string($0.style.rawValue) } ?? .null
        }
        return [
            "text": .string(text), "rest": name(contenders.rest), "graphql": name(contenders.graphQL),
            "measures": .array(findings.map(\.json)),
        ]
    }
}

extension Finding {
    fileprivate var json: JSONValue {
        [
            "name": .string(measure.name), "rest": rest.json, "graphql": graphQL.json, "outcome": .string(outcome.name),
            "reason": reason.map { .string($0) } ?? .null,
        ]
    }
}
