import DuetSQLDatabase

/// The limits of the dates in a sample. The original database (see ``DumpDirectory``) has the same limits.
enum SampleCalendar {
    static let firstBirth = day(1952, 2, 1)
    static let lastBirth = day(1965, 2, 1)
    /// The opening date of the company, on which its first managers are hired.
    static let opening = day(1985, 1, 1)
    /// The last date on which an employee begins to work. Some employees are hired long before they begin.
    static let lastStart = day(2000, 1, 31)
    /// The date on which the data was recorded. A period that has not ended by this date has the end
    /// ``CalendarDate/openEnd``.
    static let snapshot = day(2002, 8, 1)

    /// The number of hires per thousand in each year from 1985; the year 2000 includes only January.
    private static let hiresByYear = [112, 119, 111, 108, 94, 90, 77, 68, 58, 54, 38, 32, 21, 12, 5, 1]

    /// Returns a random hire date, February 1985 or later. From 1987 on, each year has fewer hires than the year
    /// before.
    static func hireDate(_ random: inout SplitMix64) -> CalendarDate {
        let year = 1985 + random.index(weights: hiresByYear)
        let first = year == 1985 ? day(1985, 2, 1) : day(year, 1, 1)
        let last = year == 2000 ? lastStart : day(year, 12, 31)
        return date(from: first, through: last, &random)
    }

    /// Returns a random date in a range that includes both bounds.
    static func date(from first: CalendarDate, through last: CalendarDate, _ random: inout SplitMix64) -> CalendarDate {
        let days = random.within(0...max(0, first.days(until: last)))
        return first.adding(days: days)
    }

    /// Returns the date for its components. The date must exist.
    private static func day(_ year: Int, _ month: Int, _ day: Int) -> CalendarDate {
        CalendarDate(year: year, month: month, day: day) ?? .openEnd
    }
}

extension CalendarDate {
    func adding(days: Int) -> CalendarDate {
        CalendarDate(daysSinceEpoch: daysSinceEpoch + Int32(days))
    }

    /// Returns the date a number of years later. If the result would be a February 29 that does not exist, it is
    /// February 28.
    func adding(years: Int) -> CalendarDate {
        let (year, month, day) = components
        return CalendarDate(year: year + years, month: month, day: day)
            ?? CalendarDate(year: year + years, month: month, day: day - 1) ?? self
    }

    func days(until other: CalendarDate) -> Int {
        Int(other.daysSinceEpoch - daysSinceEpoch)
    }
}
