import DuetResultSetJSON
import DuetSQLDatabase
import Foundation
import NIOCore
import TestSupport
import Testing

@Suite("Dates as JSON")
struct DateEncodingTests {
    private func zone(_ name: String) throws -> TimeZone { try #require(TimeZone(identifier: name)) }

    /// Returns the text that the adapter writes for dates.
    private func written(_ dates: [CalendarDate], _ encoding: DateEncoding) async throws -> [String] {
        try await TestDatabase.with(.sqlite, schema: false) { database in
            try await database.write { connection in
                try connection.executeScript("CREATE TABLE t (n INTEGER PRIMARY KEY, d DATE)")
                let inserter = try connection.bulkInserter(into: "t", columns: ["d"])
                for date in dates { try inserter.append([.date(date)]) }
                try inserter.finish()
            }
            return try await database.read { connection in
                let rows = try connection.query("SELECT d FROM t ORDER BY n")
                var buffer = ByteBuffer()
                _ = try ResultSetAdapter(rows, on: connection, encoding: ValueEncoding(dates: encoding))
                    .write(.csv, to: &buffer)
                return String(buffer: buffer).split(separator: "\r\n").dropFirst().map(String.init)
            }
        }
    }

    private func date(_ text: String) throws -> CalendarDate { try #require(CalendarDate(iso: text)) }

    @Test("The adapter reproduces the values of the published example exactly")
    func published() async throws {
        let encoding = DateEncoding.epochMilliseconds(in: try zone("America/New_York"))
        let dates = try [date("1995-12-01"), date("9999-01-01"), date("2001-11-27")]
        #expect(try await written(dates, encoding) == ["817794000000", "253370782800000", "1006837200000"])
    }

    @Test(
        "A day without midnight begins at the first time that exists on the day",
        arguments: [
            ("America/Sao_Paulo", "2018-11-04", "1541300400000"), ("Asia/Beirut", "2023-03-26", nil),
            ("America/Havana", "2024-03-10", nil), ("Africa/Cairo", "2010-04-30", nil),
            ("Asia/Tehran", "2021-03-22", nil),
        ] as [(String, String, String?)])
    func skippedMidnight(_ zone: String, _ day: String, _ expected: String?) async throws {
        let zone = try self.zone(zone)
        let encoding = DateEncoding.epochMilliseconds(in: zone)
        let date = try date(day)
        let text = try #require(try await written([date], encoding).first)
        if let expected { #expect(text == expected) }
        #expect(text == "\(foundation(date, zone))")
    }

    private func foundation(_ date: CalendarDate, _ zone: TimeZone) -> Int64 {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        // Noon exists on every day.
        let noon = Date(timeIntervalSince1970: Double(date.daysSinceEpoch) * 86_400 + 43_200)
        let offset = Double(zone.secondsFromGMT(for: noon - Double(zone.secondsFromGMT(for: noon))))
        return Int64(calendar.startOfDay(for: noon - offset).timeIntervalSince1970) * 1_000
    }

    @Test(
        "Each day of some years begins at the time that Foundation computes, and is read back unchanged",
        arguments: [
            "America/New_York", "Europe/Berlin", "America/Sao_Paulo", "Asia/Kolkata", "Australia/Lord_Howe",
            "America/Havana",
            "Pacific/Auckland", "UTC", "Asia/Beirut",
        ])
    func everyDay(_ name: String) async throws {
        let zone = try zone(name)
        let encoding = DateEncoding.epochMilliseconds(in: zone)
        var dates: [CalendarDate] = []
        for year in [1970, 1986, 2012, 2018, 2024] {
            let first = try #require(CalendarDate(year: year, month: 1, day: 1)).daysSinceEpoch
            dates += (0..<366).map { CalendarDate(daysSinceEpoch: first + $0) }
        }
        let texts = try await written(dates, encoding)
        var wrong: [String] = []
        for (date, text) in zip(dates, texts) {
            if text != "\(foundation(date, zone))" { wrong.append("\(date): \(text), not \(foundation(date, zone))") }
            if encoding.date(epochMilliseconds: Int64(text) ?? 0) != date {
                wrong.append("\(text) is not \(date) again")
            }
        }
        #expect(wrong == [])
    }

    @Test("Dates in the distant past and future are written")
    func farAway() async throws {
        let dates = try ["0001-01-01", "1000-01-01", "1969-12-31", "9999-12-31"].map(date)
        let encoding = DateEncoding.epochMilliseconds(in: try zone("UTC"))
        #expect(
            try await written(dates, encoding) == [
                "-62135596800000", "-30610224000000", "-86400000", "253402214400000",
            ])
        #expect(try await written(dates, .iso) == ["0001-01-01", "1000-01-01", "1969-12-31", "9999-12-31"])
    }

    @Test(
        "A number that is not the beginning of a day is not a date",
        arguments: [
            817_794_000_001, 817_794_001_000, 817_793_999_000, .max, .min, 1, -1,
        ] as [Int64])
    func notADay(_ milliseconds: Int64) throws {
        let encoding = DateEncoding.epochMilliseconds(in: try zone("America/New_York"))
        #expect(encoding.date(epochMilliseconds: milliseconds) == nil)
        #expect(DateEncoding.iso.date(epochMilliseconds: milliseconds) == nil)
    }

    @Test("Today is the current day in the time zone")
    func today() throws {
        let moment = Date(timeIntervalSince1970: 817_794_000 - 1)
        #expect(
            DateEncoding.epochMilliseconds(in: try zone("America/New_York")).date(of: moment).description
                == "1995-11-30")
        #expect(DateEncoding.epochMilliseconds(in: try zone("Asia/Tokyo")).date(of: moment).description == "1995-12-01")
        #expect(DateEncoding.iso.date(of: moment).description == "1995-12-01")
        #expect(DateEncoding.iso.date(of: Date(timeIntervalSince1970: -1)).description == "1969-12-31")
    }

    @Test("Concurrent threads write equal dates")
    func concurrent() async throws {
        let encoding = DateEncoding.epochMilliseconds(in: try zone("America/New_York"))
        let expected = DateEncoding.epochMilliseconds(in: try zone("America/New_York"))
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for day in stride(from: 0, to: 40_000, by: 97) {
                        let moment = Date(timeIntervalSince1970: Double(day) * 86_400 + 43_200)
                        if encoding.date(of: moment) != expected.date(of: moment) { return false }
                        if encoding.date(epochMilliseconds: Int64(day)) != expected.date(epochMilliseconds: Int64(day))
                        {
                            return false
                        }
                    }
                    return true
                }
            }
            for try await isSame in group { #expect(isSame) }
        }
    }
}
