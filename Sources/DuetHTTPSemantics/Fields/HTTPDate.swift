package import Foundation
import Synchronization

/// The formats of dates in header fields (RFC 9110 §5.6.7). A sender writes IMF-fixdate, such as
/// `Sun, 06 Nov 1994 08:49:37 GMT`. A recipient accepts two older formats, too.
package enum HTTPDate {
    private static let current = Mutex<(second: Int, text: String)>((-1, ""))

    /// The value of a `Date` field for the current second. It is cached until the second ends.
    package static var now: String {
        let second = Int(Date().timeIntervalSince1970)
        return current.withLock { current in
            if current.second != second { current = (second, text(Date(timeIntervalSince1970: Double(second)))) }
            return current.text
        }
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Returns the text of a point in time as IMF-fixdate, truncated to whole seconds.
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

    /// Parses a date in one of the three formats that a recipient must accept.
    /// - Parameter now: The current time. It determines the century of a two-digit year.
    /// - Returns: The date, or `nil` if the text has none of these formats.
    package static func date(of text: String, now: Date = Date()) -> Date? {
        // Sun, 06 Nov 1994 08:49:37 GMT   Sunday, 06-Nov-94 08:49:37 GMT   Sun Nov  6 08:49:37 1994
        var parts = text.split { $0 == " " || $0 == "," || $0 == "-" }
        if parts.count == 5 { parts = [parts[0], parts[2], parts[1], parts[4], parts[3], "GMT"] }
        guard parts.count == 6, parts[5] == "GMT",
            let day = number(parts[1], upTo: 31), day > 0, let month = months.firstIndex(of: String(parts[2])),
            var year = number(parts[3], upTo: 9999)
        else { return nil }
        if parts[3].utf8.count == 2 {
            year += 1900
            // A two-digit year is the latest year with these last digits that is at most 50 years in the future.
            while year + 100 <= Self.year(of: now) + 50 { year += 100 }
        }
        let time = parts[4].split(separator: ":", omittingEmptySubsequences: false)
        guard time.count == 3, let hour = number(time[0], upTo: 23), let minute = number(time[1], upTo: 59),
            let second = number(time[2], upTo: 60)
        else { return nil }
        let seconds = days(year, month + 1, day) * 86_400 + hour * 3600 + minute * 60 + second
        // Reject days after the end of a short month, such as February 30.
        guard day <= days(month == 11 ? year + 1 : year, (month + 1) % 12 + 1, 1) - days(year, month + 1, 1) else {
            return nil
        }
        return Date(timeIntervalSince1970: Double(seconds))
    }

    private static func number(_ text: Substring, upTo limit: Int) -> Int? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Int(text).flatMap { $0 <= limit ? $0 : nil }
    }

    private static func year(of moment: Date) -> Int {
        1970 + Int(moment.timeIntervalSince1970 / (365.2425 * 86_400))
    }

    /// Returns the number of days from 1970-01-01 to a day of the Gregorian calendar.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        // The calculation starts years in March, so that a leap day is the last day of its year.
        let year = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }
}
