/// A date with a time of day of the proleptic Gregorian calendar, in some time zone.
///
/// The year is usually in 0…9999. The offset of a time zone can lead to the year -1 or 10000, and the first two days of
/// the year 0 are in the last ISO week of the year -1. Such a year is written as `-0001` or `10000`.
package struct CivilTime: Sendable, Hashable {
    /// The number of seconds since 1970-01-01 00:00:00 of the time zone.
    let seconds: Int64

    /// - Parameter seconds: The number of seconds since 1970-01-01 00:00:00 of the time zone.
    package init(localSeconds seconds: Int64) { self.seconds = seconds }

    init(_ date: CalendarDate) { seconds = Int64(date.daysSinceEpoch) * 86_400 }

    /// Parses a date with a time of day, such as `2024-03-05 14:00:00.5`. A date without a time is the first moment of
    /// the day.
    /// - Parameters:
    ///   - separator: The character between the date and the time.
    ///   - isUTC: True if the text ends with a `Z`.
    init?(_ text: UnsafeRawBufferPointer, separator: UInt8, isUTC: Bool) {
        guard text.count >= 10, let date = CalendarDate(isoBytes: UnsafeRawBufferPointer(rebasing: text[..<10])) else {
            return nil
        }
        let day = Int64(date.daysSinceEpoch) * 86_400
        guard text.count > 10 else {
            seconds = day
            return
        }
        var end = text.count
        if isUTC {
            guard text[end - 1] == UInt8(ascii: "Z") else { return nil }
            end -= 1
        }
        guard end >= 19, text[10] == separator, text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
            let hour = Self.number(text, 11), let minute = Self.number(text, 14), let second = Self.number(text, 17),
            hour < 24, minute < 60, second < 60
        else { return nil }
        if end > 19 {
            let digits = text[20..<end]
            guard text[19] == UInt8(ascii: "."), !digits.isEmpty,
                digits.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 })
            else { return nil }
        }
        seconds = day + hour * 3_600 + minute * 60 + second
    }

    /// Reads a number of two digits.
    private static func number(_ text: UnsafeRawBufferPointer, _ index: Int) -> Int64? {
        let (tens, ones) = (text[index] &- UInt8(ascii: "0"), text[index + 1] &- UInt8(ascii: "0"))
        return tens < 10 && ones < 10 ? Int64(tens) * 10 + Int64(ones) : nil
    }

    // MARK: Parts

    /// The number of days since 1970-01-01.
    private var day: Int { Int(seconds >= 0 ? seconds / 86_400 : -((86_399 - seconds) / 86_400)) }

    /// The number of days since the Monday of the week.
    private var daysSinceMonday: Int { ((day + 3) % 7 + 7) % 7 }

    private static func components(_ day: Int) -> (year: Int, month: Int, day: Int) {
        CalendarDate(daysSinceEpoch: Int32(day)).components
    }

    /// Returns the value of a part: an integer, or a text.
    package func value(of part: DatePart) -> SQLValue {
        switch part {
        case .year: return .integer(Int64(Self.components(day).year))
        case .weekday: return .integer(Int64(daysSinceMonday + 1))
        default:
            return withUnsafeTemporaryAllocation(byteCount: Self.maximumSize, alignment: 1) { buffer in
                guard let target = buffer.baseAddress else { return .null }
                let count = write(part, to: target)
                return .text(String(decoding: UnsafeRawBufferPointer(start: target, count: count), as: UTF8.self))
            }
        }
    }

    /// The maximum number of bytes that ``write(_:to:)`` writes.
    static let maximumSize = 24

    /// Writes the text of a part that is a text.
    /// - Parameter target: Memory for ``maximumSize`` bytes.
    /// - Returns: The number of written bytes.
    func write(_ part: DatePart, to target: UnsafeMutableRawPointer) -> Int {
        var writer = Writer(target: target)
        let (year, month, dayOfMonth) = Self.components(day)
        switch part {
        case .year, .weekday: break
        case .quarter:
            writer.put(year: year)
            writer.put("-Q", (month + 2) / 3, digits: 1)
        case .month:
            writer.put(year: year)
            writer.put("-", month)
        case .week:
            // The year of a week is the year of its Thursday.
            let thursday = day - daysSinceMonday + 3
            let yearOfWeek = Self.components(thursday).year
            let first = Int(CalendarDate.days(year: yearOfWeek, month: 1, day: 1))
            writer.put(year: yearOfWeek)
            writer.put("-W", (thursday - first) / 7 + 1)
        case .day, .hour:
            writer.put(year: year)
            writer.put("-", month)
            writer.put("-", dayOfMonth)
            if part == .hour { writer.put("T", Int(seconds - Int64(day) * 86_400) / 3_600) }
        }
        return writer.count
    }

    private struct Writer {
        let target: UnsafeMutableRawPointer
        private(set) var count = 0

        init(target: UnsafeMutableRawPointer) { self.target = target }

        private mutating func put(_ byte: UInt8) {
            target.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
            count += 1
        }

        private mutating func put(_ number: Int, digits: Int) {
            var rest = number
            for place in stride(from: digits - 1, through: 0, by: -1) {
                target.storeBytes(of: UInt8(ascii: "0") + UInt8(rest % 10), toByteOffset: count + place, as: UInt8.self)
                rest /= 10
            }
            count += digits
        }

        mutating func put(year: Int) {
            if year < 0 { put(UInt8(ascii: "-")) }
            put(abs(year), digits: year > 9_999 ? 5 : 4)
        }

        mutating func put(_ prefix: StaticString, _ number: Int, digits: Int = 2) {
            for index in 0..<prefix.utf8CodeUnitCount { put(prefix.utf8Start[index]) }
            put(number, digits: digits)
        }
    }
}
