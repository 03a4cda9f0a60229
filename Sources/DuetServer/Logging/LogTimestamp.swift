import Foundation

/// A moment to the millisecond, printed as in RFC 3339 in UTC: `2026-07-31T08:15:00.042Z`.
package struct LogTimestamp {
    /// Since 1970-01-01T00:00:00Z.
    package let milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// The moment of the call.
    package static func now() -> LogTimestamp {
        LogTimestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    }

    /// Calls `body` with the 24 characters; only valid within the call, and for the years 0 to 9999.
    package func withCharacters<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let day = Self.floorDivide(self.milliseconds, by: 86_400_000)
        let date = Self.date(ofDay: day)
        let time = Int(self.milliseconds - day * 86_400_000)
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

    private static func floorDivide(_ value: Int64, by divisor: Int64) -> Int64 {
        (value - (value % divisor + divisor) % divisor) / divisor
    }

    /// The proleptic Gregorian date of a day since 1970-01-01. Years are counted from March, so that the leap day is
    /// the last of its year, in eras of 400 years (146,097 days).
    private static func date(ofDay day: Int64) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = Self.floorDivide(shifted, by: 146_097)
        let dayOfEra = Int(shifted - era * 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (
            year: Int(era) * 400 + yearOfEra + (month <= 2 ? 1 : 0), month: month,
            day: dayOfYear - (153 * marchMonth + 2) / 5 + 1
        )
    }
}
