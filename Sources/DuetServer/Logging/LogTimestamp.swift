import DuetHTTPSemantics
import DuetSQLDatabase
import Foundation

/// A point in time with millisecond precision. Its text has the format of RFC 3339 in UTC: `2026-07-31T08:15:00.042Z`.
package struct LogTimestamp {
    /// The number of milliseconds since 1970-01-01T00:00:00Z.
    package let milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Returns the current time.
    package static func now() -> LogTimestamp {
        LogTimestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    }

    /// Calls `body` with the 24 characters, which are valid only during the call. The year must be from 0 to 9999.
    package func withCharacters<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        var (day, time) = Int(self.milliseconds).quotientAndRemainder(dividingBy: 86_400_000)
        if time < 0 { (day, time) = (day - 1, time + 86_400_000) }
        let date = CalendarDate(daysSinceEpoch: Int32(clamping: day)).components
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 24) { target in
            func write(_ value: Int, digits: Int, at offset: Int, then separator: UInt8) {
                var rest = value
                for index in stride(from: offset + digits - 1, through: offset, by: -1) {
                    target.initializeElement(at: index, to: UInt8(truncatingIfNeeded: rest % 10) + 0x30)
                    rest /= 10
                }
                target.initializeElement(at: offset + digits, to: separator)
            }
            write(date.year, digits: 4, at: 0, then: UInt8(ascii: "-"))
            write(date.month, digits: 2, at: 5, then: UInt8(ascii: "-"))
            write(date.day, digits: 2, at: 8, then: UInt8(ascii: "T"))
            write(time / 3_600_000, digits: 2, at: 11, then: UInt8(ascii: ":"))
            write(time / 60_000 % 60, digits: 2, at: 14, then: UInt8(ascii: ":"))
            write(time / 1000 % 60, digits: 2, at: 17, then: UInt8(ascii: "."))
            write(time % 1000, digits: 3, at: 20, then: UInt8(ascii: "Z"))
            return body(UnsafeBufferPointer(target))
        }
    }
}
