import DuetSQLDatabase
import Employees

/// The days between which a sample's careers run, as in the original.
enum SampleCalendar {
    static let firstBirth = day(1952, 2, 1)
    static let lastBirth = day(1965, 2, 1)
    /// The company opens; its first managers are hired.
    static let opening = day(1985, 1, 1)
    /// Nobody begins to work later, though a few are hired long before they begin.
    static let lastStart = day(2000, 1, 31)
    /// The data was taken on this day: what has not ended by then ends on ``CalendarDate/openEnd``.
    static let snapshot = day(2002, 8, 1)

    /// How many of a thousand are hired in each year from 1985 on; only January counts in 2000.
    private static let hiresByYear = [112, 119, 111, 108, 94, 90, 77, 68, 58, 54, 38, 32, 21, 12, 5, 1]

    /// A day to be hired on, in February 1985 or later, fewer in later years.
    static func hireDate(_ random: inout SplitMix64) -> CalendarDate {
        let year = 1985 + random.index(weights: hiresByYear)
        let first = year == 1985 ? day(1985, 2, 1) : day(year, 1, 1)
        let last = year == 2000 ? lastStart : day(year, 12, 31)
        return date(from: first, through: last, &random)
    }

    /// Any day of those between two, both included.
    static func date(from first: CalendarDate, through last: CalendarDate, _ random: inout SplitMix64) -> CalendarDate {
        let days = random.within(0...max(0, first.days(until: last)))
        return first.adding(days: days)
    }

    /// A day that is known to exist.
    private static func day(_ year: Int, _ month: Int, _ day: Int) -> CalendarDate {
        CalendarDate(year: year, month: month, day: day) ?? .openEnd
    }
}

extension CalendarDate {
    func adding(days: Int) -> CalendarDate {
        CalendarDate(daysSinceEpoch: daysSinceEpoch + Int32(days))
    }

    /// The same day some years later; the day before where that is a 29 February which does not exist.
    func adding(years: Int) -> CalendarDate {
        let (year, month, day) = components
        return CalendarDate(year: year + years, month: month, day: day)
            ?? CalendarDate(year: year + years, month: month, day: day - 1) ?? self
    }

    func days(until other: CalendarDate) -> Int {
        Int(other.daysSinceEpoch - daysSinceEpoch)
    }
}
