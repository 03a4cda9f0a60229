/// A day of the proleptic Gregorian calendar, without a time or a time zone: SQL's `DATE`.
///
/// Both backends return dates as this type. SQLite stores dates as text (`1995-12-01`), and MariaDB stores them as
/// `DATE`. The arithmetic is from Howard Hinnant's *chrono-Compatible Low-Level Date Algorithms*.
@frozen
public struct CalendarDate: Sendable, Hashable {
    /// The number of days since 1970-01-01; negative for earlier dates.
    public let daysSinceEpoch: Int32

    /// - Parameter daysSinceEpoch: The number of days since 1970-01-01.
    @inlinable
    public init(daysSinceEpoch: Int32) {
        self.daysSinceEpoch = daysSinceEpoch
    }

    /// Creates a date; `nil` if the day does not exist or the year is outside 0…9999.
    @inlinable
    public init?(year: Int, month: Int, day: Int) {
        guard (0...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.daysInMonth(year: year, month: month)
        else { return nil }
        self.init(daysSinceEpoch: Self.days(year: year, month: month, day: day))
    }

    /// Parses `YYYY-MM-DD`, exactly ten ASCII characters; `nil` for any other text and for days that do not exist.
    public init?(iso text: some StringProtocol) {
        var text = String(text)
        let date = text.withUTF8 { Self(isoBytes: UnsafeRawBufferPointer($0)) }
        guard let date else { return nil }
        self = date
    }

    /// Parses the ten bytes `YYYY-MM-DD`; `nil` for any other bytes and for days that do not exist.
    @inlinable
    public init?(isoBytes bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else { return nil }
        var digitsOnly: UInt8 = 0
        @inline(__always) func digit(_ index: Int) -> Int {
            let value = bytes[index] &- UInt8(ascii: "0")
            digitsOnly |= value > 9 ? 1 : 0
            return Int(value)
        }
        let year = digit(0) * 1000 + digit(1) * 100 + digit(2) * 10 + digit(3)
        let month = digit(5) * 10 + digit(6)
        let day = digit(8) * 10 + digit(9)
        guard digitsOnly == 0 else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// The year, the month (1…12) and the day of the month (1…31).
    @inlinable
    public var components: (year: Int, month: Int, day: Int) {
        let shifted = Int(daysSinceEpoch) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// The year. For a date that is created from a year or a text, it is in 0…9999.
    public var year: Int { components.year }
    /// The month, 1…12.
    public var month: Int { components.month }
    /// The day of the month, 1…31.
    public var day: Int { components.day }

    /// Returns the number of days since 1970-01-01. The date must exist.
    @inlinable
    static func days(year: Int, month: Int, day: Int) -> Int32 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return Int32(era * 146_097 + dayOfEra - 719_468)
    }

    @inlinable
    static func daysInMonth(year: Int, month: Int) -> Int {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension CalendarDate: Comparable {
    /// Returns true if the left date is earlier than the right date.
    @inlinable
    public static func < (left: Self, right: Self) -> Bool { left.daysSinceEpoch < right.daysSinceEpoch }
}

extension CalendarDate: CustomStringConvertible {
    /// The date as `YYYY-MM-DD`.
    public var description: String {
        String(unsafeUninitializedCapacity: 16) { target in
            target.baseAddress.map { writeISO(to: UnsafeMutableRawPointer($0)) } ?? 0
        }
    }

    /// Writes `YYYY-MM-DD` in ASCII. A year outside 0…9999 is replaced by the nearest year in this range.
    /// - Parameter target: Memory for ten bytes.
    /// - Returns: 10.
    @inlinable
    package func writeISO(to target: UnsafeMutableRawPointer) -> Int {
        var (year, month, day) = components
        year = min(max(year, 0), 9999)
        func put(_ number: Int, _ offset: Int) {
            target.storeBytes(of: UInt8(ascii: "0") &+ UInt8(number / 10), toByteOffset: offset, as: UInt8.self)
            target.storeBytes(of: UInt8(ascii: "0") &+ UInt8(number % 10), toByteOffset: offset + 1, as: UInt8.self)
        }
        put(year / 100, 0)
        put(year % 100, 2)
        target.storeBytes(of: UInt8(ascii: "-"), toByteOffset: 4, as: UInt8.self)
        put(month, 5)
        target.storeBytes(of: UInt8(ascii: "-"), toByteOffset: 7, as: UInt8.self)
        put(day, 8)
        return 10
    }
}
