import Foundation

/// The comparison of REST and GraphQL by one measure.
struct Finding: Sendable {
    let measure: KeyMeasure
    let rest: KeyFigure
    let graphQL: KeyFigure
    let outcome: Outcome
    /// The reason why one side costs less, as a clause that starts with `because` or `with`; nil if the figures do not
    /// show a reason.
    let reason: String?

    /// The result of comparing REST and GraphQL.
    enum Outcome: Sendable, Hashable {
        /// One side costs less, and the difference exceeds the noise.
        case cheaper(Contenders.Side)
        /// Both values are counted, and they are equal.
        case equal
        /// The difference of two measured values does not exceed the noise.
        case noise
        /// There are too few rounds to compare two measured values.
        case tooFewRounds
    }

    /// Compares the two styles by a measure. Returns nil if a style has no value of the measure.
    init?(_ measure: KeyMeasure, rest: ComparisonReport.StyleReport, graphQL: ComparisonReport.StyleReport) {
        guard let restFigure = measure.figure(of: rest), let graphQLFigure = measure.figure(of: graphQL) else {
            return nil
        }
        self.measure = measure
        self.rest = restFigure
        self.graphQL = graphQLFigure
        outcome = Outcome(restFigure, graphQLFigure)
        reason =
            switch outcome {
            case .cheaper(.rest): CostReason(cheaper: rest, dearer: graphQL).text(for: measure)
            case .cheaper(.graphQL): CostReason(cheaper: graphQL, dearer: rest).text(for: measure)
            case .equal, .noise, .tooFewRounds: nil
            }
    }

    /// Returns the figure of a side.
    subscript(side: Contenders.Side) -> KeyFigure { side == .rest ? rest : graphQL }

    /// The side that costs less; nil if neither side costs less.
    var cheaper: Contenders.Side? { if case .cheaper(let side) = outcome { side } else { nil } }

    /// The relative saving of the cheaper side: `7% fewer`, `over 99% less`; nil if neither side is cheaper.
    var saving: String? {
        guard let cheaper, self[cheaper.other].value > 0 else { return nil }
        let share = 1 - self[cheaper].value / self[cheaper.other].value
        let percent =
            switch share {
            case ..<0.01: "under 1%"
            case 0.995..<1: "over 99%"
            default: share.formatted(.percent.precision(.fractionLength(0)).locale(Locale(identifier: "en_US")))
            }
        return "\(percent) \(measure.isCounted ? "fewer" : "less")"
    }

    /// The text in the headline of a conclusion: `7% fewer bytes`; nil if neither side is cheaper.
    var headline: String? {
        guard let cheaper, let saving else { return nil }
        return switch measure {
        case .requests: "\(measure.phrase(self[cheaper])) instead of \(self[cheaper.other].text)"
        case .bytes: "\(saving) bytes"
        case .time: "\(saving) \(measure.noun)"
        case .serverTime: "\(saving) of the \(measure.noun)"
        }
    }

    /// The ratio of the dearer side to the cheaper side: `2.4 times as many`; nil if the ratio is less than two.
    var factor: String? {
        guard let cheaper else { return nil }
        return measure.ratio(self[cheaper.other].value, to: self[cheaper].value)
    }
}

extension Finding.Outcome {
    fileprivate init(_ rest: KeyFigure, _ graphQL: KeyFigure) {
        guard case (.time(let rest), .time(let graphQL)) = (rest, graphQL) else {
            self =
                rest.value == graphQL.value ? .equal : .cheaper(rest.value < graphQL.value ? .rest : .graphQL)
            return
        }
        self =
            switch rest.difference(from: graphQL) {
            case .less: .cheaper(.rest)
            case .greater: .cheaper(.graphQL)
            case .noise: .noise
            case .tooFewRounds: .tooFewRounds
            }
    }

    /// The name in JSON.
    var name: String {
        switch self {
        case .cheaper(.rest): "rest"
        case .cheaper(.graphQL): "graphql"
        case .equal: "equal"
        case .noise: "noise"
        case .tooFewRounds: "too-few-rounds"
        }
    }
}

extension KeyMeasure {
    /// True if the figure is counted. Counted figures do not vary between runs.
    var isCounted: Bool { self == .requests || self == .bytes }

    /// Returns the ratio of two figures: `2.4 times as many`; nil if it is less than two.
    func ratio(_ figure: Double, to other: Double) -> String? {
        guard other > 0, figure >= 2 * other else { return nil }
        let factor = figure / other
        let digits = factor < 9.95 ? 1 : 0
        return "\(factor.formatted(.english.precision(.fractionLength(0...digits)))) times as \(comparative)"
    }

    private var comparative: String {
        switch self {
        case .requests, .bytes: "many"
        case .time: "long"
        case .serverTime: "much"
        }
    }
}
