import Foundation

extension Date {
    /// The rounded number of milliseconds since 1970-01-01T00:00:00Z, clamped to the range of `Int64`.
    var epochMilliseconds: Int64 {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded()
        if let whole = Int64(exactly: milliseconds) { return whole }
        return milliseconds < 0 ? .min : .max
    }

    /// Creates a date from a number of milliseconds since 1970-01-01T00:00:00Z.
    init(epochMilliseconds: Double) {
        self.init(timeIntervalSince1970: epochMilliseconds / 1000)
    }
}
