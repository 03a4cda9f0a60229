import DuetSQLDatabase
import Testing

@Suite("Calendar dates")
struct CalendarDateTests {
    @Test("The first and last days of each month from 0001 to 9999 have the correct numbers and components")
    func everyDay() throws {
        var expected = try #require(CalendarDate(year: 1, month: 1, day: 1)).daysSinceEpoch
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        for year in 1...9999 {
            let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
            for month in 1...12 {
                let length = month == 2 && isLeap ? 29 : lengths[month - 1]
                for day in [1, 2, 27, length - 1, length] {
                    guard let date = CalendarDate(year: year, month: month, day: day) else {
                        Issue.record("\(year)-\(month)-\(day) is missing")
                        continue
                    }
                    let isRight =
                        date.components == (year, month, day) && date.daysSinceEpoch == expected + Int32(day - 1)
                    if !isRight || day == 1 && CalendarDate(iso: date.description) != date { Issue.record("\(date)") }
                }
                if CalendarDate(year: year, month: month, day: length + 1) != nil { Issue.record("\(year)-\(month)") }
                expected += Int32(length)
            }
        }
        #expect(expected == 2_932_897)
    }

    @Test(
        "Known dates have the correct numbers of days since 1970-01-01",
        arguments: [
            ("1970-01-01", 0), ("1969-12-31", -1), ("2000-03-01", 11_017), ("9999-01-01", 2_932_532),
            ("0001-01-01", -719_162),
            ("0000-01-01", -719_528), ("1995-12-01", 9_465),
        ] as [(String, Int32)])
    func known(_ text: String, _ days: Int32) throws {
        let date = try #require(CalendarDate(iso: text))
        #expect(date.daysSinceEpoch == days)
        #expect(date.description == text)
    }

    @Test(
        "Text that is not a valid date is rejected",
        arguments: [
            "", "1995-12-1", "1995-12-011", "1995/12/01", "1995-13-01", "1995-00-01", "1995-02-29", "1900-02-29",
            "2000-02-30",
            "1995-12-00", "1995-12-32", "1995-04-31", "-995-12-01", "1995-1a-01", "１９９５-12-01", " 995-12-01",
            "1995-12-01 ",
        ])
    func refused(_ text: String) {
        #expect(CalendarDate(iso: text) == nil)
    }

    @Test("A date has a year, a month and a day, and dates are ordered")
    func parts() throws {
        let date = try #require(CalendarDate(iso: "1996-02-29"))
        #expect((date.year, date.month, date.day) == (1996, 2, 29))
        #expect(try #require(CalendarDate(iso: "1996-02-28")) < date)
        #expect(CalendarDate(year: 10_000, month: 1, day: 1) == nil)
        #expect(CalendarDate(year: -1, month: 1, day: 1) == nil)
    }
}
