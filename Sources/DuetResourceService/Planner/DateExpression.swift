import DuetResultSetJSON
import DuetSQLDatabase

/// A date in a column of MariaDB, as SQL expressions of its parts.
///
/// The functions of MariaDB for dates have these limits, which the expressions take into account:
///
/// - The results of date arithmetic are in the years 1…9999, or NULL.
/// - In the year 0, dates are valid, but the functions compute the wrong day of the week. The calendar of the year 400
///   is the same.
/// - For a zero date, and for a date such as 31 February, date arithmetic returns NULL.
///
/// So a `CASE` has a branch for most dates, branches for the first and the last dates, which are shifted by 400 years,
/// and a branch for invalid dates, which fails. All times are seconds since the beginning of the year 0, as in the
/// function `TO_SECONDS` from 1 March of the year 0.
struct DateExpression {
    /// The column.
    private let column: String
    /// The unit of the numbers; nil for a column with dates.
    private let unit: UTCInstant.Unit?
    /// The offsets of the time zone; nil if the result has the time zone of the column.
    private let offsets: UTCOffsets?

    /// - Throws: ``CatalogueError`` for a format of texts, which only SQLite has.
    init(_ field: Field, _ column: String, _ offsets: UTCOffsets?) throws(CatalogueError) {
        (self.column, self.offsets) = (column, offsets)
        switch field.type {
        case .dateTime(_, let form) where form != .sql:
            guard let unit = form.unit else {
                throw CatalogueError("\(field.name): only SQLite has dates that are stored as \(form.rawValue)")
            }
            self.unit = unit
        default: unit = nil
        }
    }

    /// The number of seconds from the beginning of the year 0 to 1970-01-01.
    private static let epoch = -UTCOffsets.start(ofYear: 0)
    /// The number of seconds of 400 years, after which the calendar repeats.
    private static let cycle = UTCOffsets.start(ofYear: 2_400) - UTCOffsets.start(ofYear: 2_000)
    private static let firstOfYear1 = epoch + UTCOffsets.start(ofYear: 1)
    private static let day: Int64 = 86_400

    /// Returns the expression of a part.
    /// - Parameters:
    ///   - field: The name of the field for the error of an invalid date; nil if the part of such a date is NULL.
    ///   - nullifiesZeroDates: True if the part of a zero date is NULL.
    func sql(_ part: DatePart, field: String?, nullifiesZeroDates: Bool = false) -> String {
        var branches = unit.map { numberBranches(part, $0) } ?? dateBranches(part)
        if let field {
            let failure = MariaDBAggregates.failure(column, field: field, as: part.isNumber ? "SIGNED" : "CHAR")
            let isInvalid =
                nullifiesZeroDates && unit == nil ? MariaDBValue.isNotZeroDate(column) : "\(column) IS NOT NULL"
            branches.append("WHEN \(isInvalid) THEN \(failure)")
        }
        return "CASE \(branches.joined(separator: " ")) END"
    }

    /// The condition that the value is a date of the years 0 to 9999. It is not true for NULL.
    var isValid: String {
        guard let unit else {
            return "(\(column) + INTERVAL 0 DAY IS NOT NULL OR \(column) + INTERVAL 400 YEAR IS NOT NULL)"
        }
        let end = Self.epoch + UTCOffsets.start(ofYear: 10_000)
        let (start, limit) = (Self.number(0, unit), Self.number(end, unit))
        return "(\(column) >= \(Self.literal(start)) AND \(column) < \(Self.literal(limit)))"
    }

    // MARK: Columns with dates

    private func dateBranches(_ part: DatePart) -> [String] {
        // Date arithmetic would take twice as long.
        let isValid = "DAYOFMONTH(\(column)) BETWEEN 1 AND DAYOFMONTH(LAST_DAY(\(column))) AND YEAR(\(column)) > 0"
        let later = "\(column) + INTERVAL 400 YEAR"
        guard let offsets else {
            return [
                "WHEN \(isValid) THEN \(Self.part(part, of: column))",
                "WHEN \(later) IS NOT NULL THEN \(Self.part(part, of: later, yearsLater: 400))",
            ]
        }
        let earlier = "\(column) - INTERVAL 400 YEAR"
        let local = "\(column) + INTERVAL \(offset(of: "TO_SECONDS(\(column))", date: column)) SECOND"
        let first = "\(later) + INTERVAL \(offsets.first) SECOND"
        let last = "\(earlier) + INTERVAL \(offsets.last) SECOND"
        return [
            "WHEN \(column) BETWEEN '0001-01-03' AND '9999-12-30' AND \(isValid) THEN \(Self.part(part, of: local))",
            "WHEN \(later) IS NOT NULL THEN \(Self.part(part, of: first, yearsLater: 400))",
            "WHEN \(earlier) IS NOT NULL THEN \(Self.part(part, of: last, yearsLater: -400))",
        ]
    }

    // MARK: Columns with numbers

    private func numberBranches(_ part: DatePart, _ unit: UTCInstant.Unit) -> [String] {
        let scale = Self.scale(unit)
        func number(_ seconds: Int64) -> Int64 { Self.number(seconds, unit) }
        let start = number(0)
        let end = number(Self.epoch + UTCOffsets.start(ofYear: 10_000))
        // The number is not negative, because DIV rounds towards zero.
        let seconds = "(CAST(FLOOR(\(column)) AS SIGNED) - \(Self.literal(start))) DIV \(scale)"
        func date(_ base: String, _ seconds: String) -> String {
            "TIMESTAMP'\(base) 00:00:00' + INTERVAL \(seconds) SECOND"
        }
        let first = number(Self.firstOfYear1 + 2 * Self.day)
        let last = number(Self.epoch + UTCOffsets.start(ofYear: 10_000) - 2 * Self.day)
        func isIn(_ from: Int64, _ to: Int64) -> String {
            "\(column) >= \(Self.literal(from)) AND \(column) < \(Self.literal(to))"
        }
        let day = "FROM_DAYS(\(seconds) DIV \(Self.day))"
        let local = offsets == nil ? seconds : "\(seconds) + \(offset(of: seconds, date: day))"
        let shifted = "\(seconds) + \(offsets?.first ?? 0)"
        let ending = "\(seconds) - \(Self.firstOfYear1 + Self.cycle) + \(offsets?.last ?? 0)"
        return [
            "WHEN \(isIn(first, last)) THEN "
                + Self.part(part, of: date("0001-01-01", "\(local) - \(Self.firstOfYear1)")),
            "WHEN \(isIn(start, first)) THEN " + Self.part(part, of: date("0400-01-01", shifted), yearsLater: 400),
            "WHEN \(isIn(last, end)) THEN " + Self.part(part, of: date("0001-01-01", ending), yearsLater: -400),
        ]
    }

    /// The number of units in a second.
    private static func scale(_ unit: UTCInstant.Unit) -> Int64 {
        (0..<unit.digits).reduce(Int64(1)) { scale, _ in scale * 10 }
    }

    /// Returns the stored number for a time.
    private static func number(_ seconds: Int64, _ unit: UTCInstant.Unit) -> Int64 {
        (seconds - epoch - unit.epoch) * scale(unit)
    }

    /// Returns a number as SQL. A minus sign after another one would begin a comment.
    private static func literal(_ number: Int64) -> String { number < 0 ? "(\(number))" : "\(number)" }

    // MARK: Time zones

    /// Returns the offset of the time zone at a time.
    /// - Parameter date: The date of the time.
    private func offset(of seconds: String, date: String) -> String {
        // A later year has the offsets of its equivalent year.
        let year = "MAKEDATE(YEAR(\(date)), 1)"
        let isLeapYear = "DAYOFMONTH(LAST_DAY(MAKEDATE(YEAR(\(date)), 32))) = 29"
        let starts = UTCOffsets.equivalentYears.map { "\($0 + Self.epoch)" }.joined(separator: ", ")
        let equivalent =
            "ELT(1 + WEEKDAY(\(year)) + IF(\(isLeapYear), 7, 0), \(starts)) + \(seconds) - TO_SECONDS(\(year))"
        let end = Self.epoch + UTCOffsets.start(ofYear: UTCOffsets.endYear)
        let time = "IF(\(seconds) < \(end), \(seconds), \(equivalent))"
        let position = "1 + \(Self.digits) * INTERVAL(\(time), :\(Self.changes)...)"
        return "CAST(SUBSTR(:\(Self.offsets), \(position), \(Self.digits)) AS SIGNED)"
    }

    private static let changes = "zone_changes"
    private static let offsets = "zone_offsets"
    /// The number of characters of an offset.
    private static let digits = 6
    /// The number of changes is a multiple of this number, so that there are only a few statements.
    private static let padding = 64

    /// Binds the offsets of the time zone. The SQL function `INTERVAL` finds the number of changes that are not later
    /// than a time, with a binary search. This number is the index of an offset in a text, which is bound as bytes:
    /// MariaDB would search a character of a text in UTF-8 from the beginning.
    func bind(_ offsets: UTCOffsets, _ scope: inout StatementScope) {
        // MariaDB compares sequentially if there are only a few values, and INTERVAL needs at least one.
        let count = (offsets.changes.count / Self.padding + 1) * Self.padding
        let end = UTCOffsets.start(ofYear: UTCOffsets.endYear)
        let changes = offsets.changes + repeatElement(end, count: count - offsets.changes.count)
        let texts = offsets.offsets.map { offset in
            let text = String(offset)
            return String(repeating: " ", count: Self.digits - text.utf8.count) + text
        }
        scope.bind(.list(changes.map { .integer($0 + Self.epoch) }), as: Self.changes)
        scope.bind(.value(.blob(Array(texts.joined().utf8))), as: Self.offsets)
    }

    // MARK: Parts

    /// Returns a part of a date.
    /// - Parameter yearsLater: The number of years by which the date is later than the date whose part is returned: 0,
    ///   400 or -400.
    private static func part(_ part: DatePart, of date: String, yearsLater years: Int = 0) -> String {
        func text(_ format: String, yearFormat: String = "%Y") -> String {
            guard years != 0 else { return "DATE_FORMAT(\(date), '\(yearFormat)\(format)')" }
            let year = "CAST(DATE_FORMAT(\(date), '\(yearFormat)') AS SIGNED)"
            // The year is -1, 0, 1, 9999 or 10000.
            let actual = "\(year) - \(literal(Int64(years)))"
            let text = years > 0 ? "IF(\(year) < \(years), '-0001', LPAD(\(actual), 4, '0'))" : actual
            return "CONCAT(\(text), DATE_FORMAT(\(date), '\(format)'))"
        }
        return switch part {
        case .year: years == 0 ? "YEAR(\(date))" : "YEAR(\(date)) - \(literal(Int64(years)))"
        case .quarter: "CONCAT(\(text("-Q")), QUARTER(\(date)))"
        case .month: text("-%m")
        case .week: text("-W%v", yearFormat: "%x")
        case .day: text("-%m-%d")
        case .hour: text("-%m-%dT%H")
        case .weekday: "WEEKDAY(\(date)) + 1"
        }
    }
}
