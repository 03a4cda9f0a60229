import DuetSQLDatabase

/// A rule for the offset of a time zone from UTC in all years, in the format of the environment variable `TZ` of POSIX,
/// with the extensions of RFC 9636, section 3.3.1: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct TimeZoneRule: Equatable {
    /// The standard offset in seconds.
    let standard: Int32
    /// The daylight saving time of each year; nil if the offset never changes.
    private let daylight: Daylight?

    private struct Daylight: Equatable {
        let offset: Int32
        /// The change from standard time to daylight saving time, in standard time.
        let start: YearlyTime
        /// The change from daylight saving time to standard time, in daylight saving time.
        let end: YearlyTime
    }

    /// A local time in each year.
    private struct YearlyTime: Equatable {
        enum Day: Equatable {
            /// The day of the year, 1…365, without 29 February.
            case withoutLeapDay(Int)
            /// The number of days since 1 January.
            case sinceNewYear(Int)
            /// A weekday in a week of a month. The weekday 0 is Sunday. The week 5 is the last one.
            case weekday(Int, week: Int, month: Int)
        }

        let day: Day
        /// The number of seconds since midnight. It can be negative, or more than a day.
        let time: Int64

        /// Returns the time in a year, in local seconds since 1970-01-01.
        func seconds(inYear year: Int) -> Int64 { (dayNumber(inYear: year) * 86_400) + time }

        /// Returns the number of days since 1970-01-01.
        private func dayNumber(inYear year: Int) -> Int64 {
            func days(_ month: Int, _ day: Int) -> Int64 {
                CalendarDate(year: year, month: month, day: day).map { Int64($0.daysSinceEpoch) } ?? 0
            }
            switch self.day {
            case .withoutLeapDay(let day):
                let isLeap = CalendarDate(year: year, month: 2, day: 29) != nil
                return days(1, 1) + Int64(day - 1) + (isLeap && day >= 60 ? 1 : 0)
            case .sinceNewYear(let day): return days(1, 1) + Int64(day)
            case .weekday(let weekday, let week, let month):
                // The weekday is in the seven days that end with this day.
                let last =
                    week < 5
                    ? days(month, 7 * week)
                    : (28...31).reversed().lazy.compactMap { CalendarDate(year: year, month: month, day: $0) }.first
                        .map { Int64($0.daysSinceEpoch) } ?? 0
                // 1970-01-01 was a Thursday.
                let weekdayOfLast = ((last + 4) % 7 + 7) % 7
                return last - (weekdayOfLast - Int64(weekday) + 7) % 7
            }
        }
    }

    /// Returns the changes of the offset in some years. Their order is that of the times. If two changes have the same
    /// time, the offset of the last one is valid.
    func changes(inYears years: ClosedRange<Int>) -> [(time: Int64, offset: Int32)] {
        guard let daylight else { return [] }
        var changes: [(time: Int64, offset: Int32, isStart: Bool)] = []
        for year in years {
            changes.append((daylight.start.seconds(inYear: year) - Int64(standard), daylight.offset, true))
            changes.append((daylight.end.seconds(inYear: year) - Int64(daylight.offset), standard, false))
        }
        changes.sort { ($0.time, $0.isStart ? 1 : 0) < ($1.time, $1.isStart ? 1 : 0) }
        return changes.map { ($0.time, $0.offset) }
    }

    // MARK: Parsing

    /// Parses a rule; nil for any other text.
    init?(_ text: String) {
        var parser = Parser(rest: Array(text.utf8)[...])
        guard parser.name(), let standard = parser.time(hours: 24) else { return nil }
        // The text has the difference from local time to UTC.
        self.standard = Int32(-standard)
        guard !parser.isAtEnd else {
            daylight = nil
            return
        }
        guard parser.name() else { return nil }
        var offset = -standard + 3_600
        if parser.next != UInt8(ascii: ",") {
            guard let given = parser.time(hours: 24) else { return nil }
            offset = -given
        }
        guard let start = parser.yearlyTime(), let end = parser.yearlyTime(), parser.isAtEnd else { return nil }
        daylight = Daylight(offset: Int32(offset), start: start, end: end)
    }

    private struct Parser {
        var rest: ArraySlice<UInt8>

        var isAtEnd: Bool { rest.isEmpty }
        var next: UInt8? { rest.first }

        private mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: character) else { return false }
            rest.removeFirst()
            return true
        }

        /// Skips an abbreviation, such as `CET` or `<+03>`.
        mutating func name() -> Bool {
            if skip("<") {
                guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
                rest = rest[(end + 1)...]
                return true
            }
            let letters = rest.prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
            rest = rest[letters.endIndex...]
            return letters.count >= 3
        }

        private mutating func number(_ range: ClosedRange<Int64>) -> Int64? {
            let digits = rest.prefix { $0 &- UInt8(ascii: "0") < 10 }
            guard (1...3).contains(digits.count) else { return nil }
            rest = rest[digits.endIndex...]
            let number = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
            return range.contains(number) ? number : nil
        }

        /// Reads a time such as `-3:30` in seconds.
        mutating func time(hours: Int64) -> Int64? {
            let isNegative = skip("-")
            if !isNegative { _ = skip("+") }
            guard var seconds = number(0...hours).map({ $0 * 3_600 }) else { return nil }
            for unit in [Int64(60), 1] {
                guard skip(":") else { break }
                guard let part = number(0...59) else { return nil }
                seconds += part * unit
            }
            return isNegative ? -seconds : seconds
        }

        /// Reads a comma, a day and its time, such as `,M3.5.0/3`. The default of the time is 2 o'clock.
        mutating func yearlyTime() -> YearlyTime? {
            guard skip(","), let day = day() else { return nil }
            guard skip("/") else { return YearlyTime(day: day, time: 7_200) }
            return time(hours: 167).map { YearlyTime(day: day, time: $0) }
        }

        private mutating func day() -> YearlyTime.Day? {
            if skip("J") { return number(1...365).map { .withoutLeapDay(Int($0)) } }
            guard skip("M") else { return number(0...365).map { .sinceNewYear(Int($0)) } }
            guard let month = number(1...12), skip("."), let week = number(1...5), skip("."),
                let weekday = number(0...6)
            else { return nil }
            return .weekday(Int(weekday), week: Int(week), month: Int(month))
        }
    }
}
