import Foundation
import SQLDatabase

/// A moment as `Date` fields write it (IMF-fixdate, RFC 9110 §5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
///
/// Hummingbird writes its own into answers; this is for those that never reach it.
enum HTTPDate {
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// - Parameter moment: 1970 or later.
    static func text(_ moment: Date) -> String {
        let seconds = max(0, Int(moment.timeIntervalSince1970))
        let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let (year, month, day) = CalendarDate(daysSinceEpoch: Int32(clamping: days)).components
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let time = "\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60))"
        return "\(weekdays[days % 7]), \(two(day)) \(months[month - 1]) \(year) \(time) GMT"
    }
}
