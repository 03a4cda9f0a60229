import Foundation

extension Date {
    /// The milliseconds since 1970-01-01T00:00:00Z, rounded; the nearest `Int64` for a moment that is farther away.
    var epochMilliseconds: Int64 {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded()
        if let whole = Int64(exactly: milliseconds) { return whole }
        return milliseconds < 0 ? .min : .max
    }

    /// A moment of that many milliseconds since 1970-01-01T00:00:00Z.
    init(epochMilliseconds: Double) {
        self.init(timeIntervalSince1970: epochMilliseconds / 1000)
    }
}
