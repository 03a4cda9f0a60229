import DuetJSON
import Foundation

/// The value of a measure.
enum Measure: Sendable {
    /// A counted value. It does not vary between runs.
    case count(Int)
    /// A measured value, with a confidence interval if it is known.
    case number(Double, low: Double? = nil, high: Double? = nil)

    /// Creates a measured value. The interval is omitted if there are too few rounds.
    static func number(_ estimate: Estimate) -> Measure {
        estimate.isSure
            ? .number(estimate.median, low: estimate.low, high: estimate.high) : .number(estimate.median)
    }

    /// The text for readers: rounded, with the interval.
    var readable: String {
        func digits(_ number: Double) -> String {
            number.formatted(.english.precision(.fractionLength(abs(number) < 100 ? 1 : 0)))
        }
        switch self {
        case .count(let count): return count.grouped
        case .number(let number, let low?, let high?): return "\(digits(number)) (\(digits(low))–\(digits(high)))"
        case .number(let number, _, _): return digits(number)
        }
    }

    /// The text for programs: rounded, without the interval.
    var plain: String {
        switch self {
        case .count(let count): String(count)
        case .number(let number, _, _): String((number * 10).rounded() / 10)
        }
    }

    var json: JSONValue {
        func rounded(_ number: Double) -> JSONValue { .double((number * 10).rounded() / 10) }
        switch self {
        case .count(let count): return .integer(Int64(count))
        case .number(let number, let low?, let high?):
            return ["median": rounded(number), "low": rounded(low), "high": rounded(high)]
        case .number(let number, _, _): return rounded(number)
        }
    }
}
