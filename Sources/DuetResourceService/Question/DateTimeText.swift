import DuetResultSetJSON
import DuetSQLDatabase
import Foundation

/// A date with a time of day in the format that clients use: RFC 3339 for a point in time, and the same format without
/// an offset for a local time.
struct DateTimeText {
    private let date: Substring
    private let time: String

    /// Parses a text.
    /// - Parameters:
    ///   - isUTC: True for a point in time, which requires an offset from UTC; false for a local time, which has no
    ///     offset.
    ///   - form: The format of the database.
    ///   - dialect: The database. MariaDB would round a fraction of more than six digits, so the form `sql` does not
    ///     permit it there.
    /// - Returns: `nil` for any other text, for a date that does not exist, and if the year in UTC is not in 0…9999.
    init?(_ text: String, isUTC: Bool, _ form: DateTimeForm, _ dialect: Dialect) {
        guard let start = text.index(text.startIndex, offsetBy: 10, limitedBy: text.endIndex),
            let day = CalendarDate(iso: text[..<start])
        else { return nil }
        var scanner = TextScanner(String(text[start...]))
        guard scanner.character("T ") != nil, let hour = scanner.digits(2...2), scanner.character(":") != nil,
            let minute = scanner.digits(2...2), let given = scanner.digits(2...2, after: ":"),
            let digits = scanner.digits(1...(form == .sql ? dialect.fractionDigits : 18), after: "."),
            hour < "24", minute < "60", given < "60"
        else { return nil }
        let seconds = ":\(given.isEmpty ? "00" : given)\(digits.isEmpty ? "" : ".\(digits)")"
        let sign = scanner.character("Z+-")
        guard (sign != nil) == isUTC else { return nil }
        if sign == nil || sign == "Z" {
            guard scanner.isAtEnd else { return nil }
            date = text[..<start]
            time = "\(hour):\(minute)\(seconds)"
            return
        }
        // A time with an offset other than `Z` is converted to UTC.
        guard let offsetHours = scanner.digits(2...2).flatMap({ Int($0) }), scanner.character(":") != nil,
            let offsetMinutes = scanner.digits(2...2).flatMap({ Int($0) }), scanner.isAtEnd, offsetHours < 24,
            offsetMinutes < 60, let hours = Int(hour), let minutes = Int(minute)
        else { return nil }
        let shift = (offsetHours * 60 + offsetMinutes) * (sign == "-" ? -1 : 1)
        let total = Int(day.daysSinceEpoch) * 1_440 + hours * 60 + minutes - shift
        let (days, rest) = (Int((Double(total) / 1_440).rounded(.down)), ((total % 1_440) + 1_440) % 1_440)
        // The text of a year has four digits.
        guard (-719_528...2_932_896).contains(days) else { return nil }
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        date = Substring(CalendarDate(daysSinceEpoch: Int32(days)).description)
        time = "\(two(rest / 60)):\(two(rest % 60))\(seconds)"
    }

    /// Returns the value in the format of the database; nil if the format cannot represent it. For the forms `offset`
    /// and `julianDays`, it is the text with which a statement compares the value; see `FieldType.isComparedInUTC`.
    func stored(as form: DateTimeForm) -> SQLValue? {
        switch form {
        case .sql: .text("\(date) \(time)")
        case .iso: .text("\(date)T\(time)")
        case .utc: .text("\(date)T\(time)Z")
        case .offset, .julianDays: instant.map { .text($0.text) }
        case .unixSeconds, .unixMilliseconds, .unixMicroseconds, .cocoaSeconds, .webKitMicroseconds:
            form.unit.flatMap { unit in instant.map { $0.number(of: unit) } }
        }
    }

    private var instant: UTCInstant? {
        var text = "\(date) \(time)Z"
        return text.withUTF8 { UTCInstant(text: UnsafeRawBufferPointer($0)) }
    }
}

/// Splits a short text of ASCII characters, such as a time, from its beginning to its end. A `Regex` is compiled each
/// time that it is used, which takes longer than the whole request.
struct TextScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    /// True if the whole text has been read.
    var isAtEnd: Bool { rest.isEmpty }

    /// Reads one of the ASCII characters; nil if the text does not continue with one of them.
    mutating func character(_ allowed: String) -> Character? {
        guard let first = rest.first, allowed.utf8.contains(first) else { return nil }
        rest.removeFirst()
        return Character(Unicode.Scalar(first))
    }

    /// Reads as many digits as possible; nil if the number of digits is not in the range. In this case, nothing is
    /// read.
    mutating func digits(_ count: ClosedRange<Int>) -> Substring? {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard count.contains(digits.count) else { return nil }
        rest = rest[digits.endIndex...]
        return Substring(digits)
    }

    /// Reads a separator and the digits after it, and returns the digits. If the text does not continue with the
    /// separator, the function returns an empty text.
    /// - Returns: nil for a separator without the required digits.
    mutating func digits(_ count: ClosedRange<Int>, after separator: String) -> Substring? {
        character(separator) == nil ? "" : digits(count)
    }
}
