import DuetJSON
import Foundation

/// A figure that the overview and the conclusions contain.
enum KeyFigure: Sendable, Hashable {
    /// A counted value. It does not vary between runs.
    case count(Int)
    /// A measured time in microseconds.
    case time(Estimate)

    /// The number for comparisons. For a time, it is the median in microseconds.
    var value: Double {
        switch self {
        case .count(let count): Double(count)
        case .time(let time): time.median
        }
    }

    /// The number as text. A time has a unit: `1,566`, `51.2 ms`.
    var text: String {
        switch self {
        case .count(let count): count.grouped
        case .time(let time) where time.median < 999.5: "\(Self.threeDigits(time.median)) µs"
        case .time(let time): "\(Self.threeDigits(time.median / 1000)) ms"
        }
    }

    var json: JSONValue {
        switch self {
        case .count(let count): Measure.count(count).json
        case .time(let time): Measure.number(time).json
        }
    }

    private static func threeDigits(_ number: Double) -> String {
        number < 999.5
            ? number.formatted(.english.precision(.significantDigits(3)))
            : number.formatted(.english.precision(.fractionLength(0)))
    }
}
