package import DuetSQLDatabase

/// The format of dates with a time in the database. A `DATETIME` or `TIMESTAMP` column of MariaDB has only the form
/// ``sql``. The forms after ``utc`` are for points in time, ``ValueFormat/Kind/timestamp``.
public enum DateTimeForm: String, Sendable, Hashable, CaseIterable {
    /// The text `2024-01-31 12:34:56`.
    case sql
    /// The text `2024-01-31T12:34:56`.
    case iso
    /// The text `2024-01-31T12:34:56Z`.
    case utc
    /// A text with any offset from UTC: `2024-01-31 12:34:56+01:00`. The separator of the time is a space or a `T`, a
    /// space may precede the offset, and the offset is `Z`, `+HH:MM`, `+HHMM` or `+HH`.
    case offset
    /// The number of seconds since 1970-01-01.
    case unixSeconds
    /// The number of milliseconds since 1970-01-01.
    case unixMilliseconds
    /// The number of microseconds since 1970-01-01.
    case unixMicroseconds
    /// The number of seconds since 2001-01-01, as Core Data and other frameworks of Apple store it.
    case cocoaSeconds
    /// The number of microseconds since 1601-01-01, as Chromium and WebKit store it.
    case webKitMicroseconds
    /// The number of days since noon on 24 November 4714 BC, with fractions of a day.
    case julianDays

    /// The character between the date and the time of a text.
    var separator: UInt8 { self == .sql ? UInt8(ascii: " ") : UInt8(ascii: "T") }

    /// True if a value is converted to the form of the response. In the other forms, a value is such a text already.
    var isConverted: Bool {
        switch self {
        case .sql, .iso, .utc: false
        default: true
        }
    }

    /// True for a form whose values are numbers.
    package var isNumber: Bool { unit != nil || self == .julianDays }

    /// The unit of the numbers; nil for texts and for Julian days.
    package var unit: UTCInstant.Unit? {
        switch self {
        case .sql, .iso, .utc, .offset, .julianDays: nil
        case .unixSeconds: UTCInstant.Unit(epoch: 0, digits: 0)
        case .unixMilliseconds: UTCInstant.Unit(epoch: 0, digits: 3)
        case .unixMicroseconds: UTCInstant.Unit(epoch: 0, digits: 6)
        case .cocoaSeconds: UTCInstant.Unit(epoch: 978_307_200, digits: 0)
        case .webKitMicroseconds: UTCInstant.Unit(epoch: -11_644_473_600, digits: 6)
        }
    }

    /// Returns the point in time for a value in one of the converted forms; nil for any other value.
    package func instant(_ value: ColumnValue) -> UTCInstant? {
        switch (self, value) {
        case (.offset, .text(let bytes)): UTCInstant(text: bytes)
        case (.julianDays, .integer(let integer)): UTCInstant(julianDay: Double(integer))
        case (.julianDays, .double(let double)): UTCInstant(julianDay: double)
        case (_, .integer(let integer)): unit.flatMap { UTCInstant(integer, $0) }
        case (_, .double(let double)): unit.flatMap { UTCInstant(double, $0) }
        default: nil
        }
    }

    /// Returns the point in time for a number; nil for any other value, and in a form of texts.
    package func instant(_ value: SQLValue) -> UTCInstant? {
        switch value {
        case .integer(let integer): instant(ColumnValue.integer(integer))
        case .double(let double): instant(ColumnValue.double(double))
        default: nil
        }
    }

    /// The pattern of the values, for errors.
    var pattern: String {
        switch self {
        case .sql: "YYYY-MM-DD HH:MM:SS"
        case .iso: "YYYY-MM-DDTHH:MM:SS"
        case .utc: "YYYY-MM-DDTHH:MM:SSZ"
        case .offset: "YYYY-MM-DD HH:MM:SS+HH:MM"
        case .unixSeconds: "seconds since 1970"
        case .unixMilliseconds: "milliseconds since 1970"
        case .unixMicroseconds: "microseconds since 1970"
        case .cocoaSeconds: "seconds since 2001"
        case .webKitMicroseconds: "microseconds since 1601"
        case .julianDays: "a Julian day"
        }
    }

    /// Returns the only form in which a number represents a time between 1990 and 2040; nil if there is none, or more
    /// than one. Some numbers of seconds since 1970 are times in this range since 2001, too.
    package static func likely(_ number: Double) -> DateTimeForm? {
        let forms = likelyForms(number)
        return forms.count == 1 ? forms[0] : nil
    }

    /// Returns the forms in which a number represents a time between 1990 and 2040.
    static func likelyForms(_ number: Double) -> [DateTimeForm] { allCases.filter { $0.isPlausible(number) } }

    /// Returns true if a number represents a time between 1990 and 2040. For ``cocoaSeconds``, the first year is 2004.
    package func isPlausible(_ number: Double) -> Bool {
        switch self {
        case .sql, .iso, .utc, .offset: false
        case .julianDays: (2_447_892.5..<2_466_155.5).contains(number)
        case .cocoaSeconds: (1e8..<1_230_681_600).contains(number)
        case .unixSeconds: (631_152_000..<2_208_988_800).contains(number)
        case .unixMilliseconds: (631_152_000e3..<2_208_988_800e3).contains(number)
        case .unixMicroseconds: (631_152_000e6..<2_208_988_800e6).contains(number)
        case .webKitMicroseconds: (12_275_625_600e6..<13_853_462_400e6).contains(number)
        }
    }
}
