package import Foundation
import Synchronization

/// The format of `Date` fields (IMF-fixdate, RFC 9110 §5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
package enum HTTPDate {
    private static let current = Mutex<(second: Int, text: String)>((-1, ""))

    /// The value of a `Date` field for the current second. It is cached until the second ends.
    package static var now: String {
        let second = Int(Date().timeIntervalSince1970)
        return self.current.withLock { current in
            if current.second != second { current = (second, self.text(Date(timeIntervalSince1970: Double(second)))) }
            return current.text
        }
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Returns the text of a point in time, truncated to whole seconds.
    /// - Parameter moment: A point in time in 1970 or later.
    package static func text(_ moment: Date) -> String {
        var seconds = time_t(max(0, moment.timeIntervalSince1970))
        var parts = tm()
        // `gmtime_r` fails only for years that do not fit into an `Int32`.
        gmtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let date = "\(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(1900 + Int(parts.tm_year))"
        let time = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
        return "\(weekdays[Int(parts.tm_wday)]), \(date) \(time) GMT"
    }
}
