import DuetJSON
import Foundation

/// What was measured.
enum Measure: Sendable {
    /// Counted; the same each time.
    case count(Int)
    /// Measured, with an interval where there is one.
    case number(Double, low: Double? = nil, high: Double? = nil)

    /// With its interval, unless it is of too few rounds to have one.
    static func number(_ estimate: Estimate) -> Measure {
        estimate.isSure
            ? .number(estimate.median, low: estimate.low, high: estimate.high) : .number(estimate.median)
    }

    /// For people: with an interval, and as many digits as are of use.
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

    /// For programs: the number alone.
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
