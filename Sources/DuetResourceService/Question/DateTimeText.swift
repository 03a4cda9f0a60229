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
        let pattern =
            /([0-9]{4}-[0-9]{2}-[0-9]{2})[T ]([0-9]{2}:[0-9]{2})(:[0-9]{2})?(\.[0-9]{1,18})?(Z|[+\-][0-9]{2}:[0-9]{2})?/
        guard let match = text.wholeMatch(of: pattern), let day = CalendarDate(iso: String(match.1)),
            (match.5 != nil) == isUTC, match.2.prefix(2) < "24", match.2.suffix(2) < "60",
            match.3.map({ $0 < ":60" }) ?? true, (match.4 ?? "").count <= (form == .sql && dialect == .mariaDB ? 7 : 19)
        else { return nil }
        let fraction = String(match.4 ?? "")
        guard let offset = match.5, offset != "Z" else {
            date = match.1
            time = match.2 + (match.3 ?? ":00") + fraction
            return
        }
        // A time with an offset other than `Z` is converted to UTC.
        guard let hours = Int(offset.dropFirst().prefix(2)), let minutes = Int(offset.suffix(2)), hours < 24,
            minutes < 60,
            let hour = Int(match.2.prefix(2)), let minute = Int(match.2.suffix(2))
        else { return nil }
        let shift = (hours * 60 + minutes) * (offset.first == "-" ? -1 : 1)
        let total = Int(day.daysSinceEpoch) * 1_440 + hour * 60 + minute - shift
        let (days, rest) = (Int((Double(total) / 1_440).rounded(.down)), ((total % 1_440) + 1_440) % 1_440)
        // The text of a year has four digits.
        guard (-719_528...2_932_896).contains(days) else { return nil }
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        date = Substring(CalendarDate(daysSinceEpoch: Int32(days)).description)
        time = "\(two(rest / 60)):\(two(rest % 60))\(match.3 ?? ":00")\(fraction)"
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
