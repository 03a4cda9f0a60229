import DuetResultSetJSON
import DuetSQLDatabase
import Foundation
import SeededTesting
import TestSupport
import Testing

@testable import DuetResourceService

@Suite("Parts of dates")
struct DatePartTests {
    /// The forms in which both databases can store a point in time, and those that only SQLite has.
    private static func columns(_ backend: TestBackend) -> [Moments.Column] {
        let text = backend == .sqlite ? "TEXT" : "DATETIME(6)"
        let common: [Moments.Column] = [
            ("utc", text, .dateTime(isUTC: true)),
            ("seconds", "DOUBLE", .dateTime(isUTC: true, .unixSeconds)),
            ("millis", "BIGINT", .dateTime(isUTC: true, .unixMilliseconds)),
            ("micros", "BIGINT", .dateTime(isUTC: true, .unixMicroseconds)),
            ("cocoa", "DOUBLE", .dateTime(isUTC: true, .cocoaSeconds)),
            ("webkit", "BIGINT", .dateTime(isUTC: true, .webKitMicroseconds)),
        ]
        guard backend == .sqlite else { return common }
        return common + [
            ("zulu", "TEXT", .dateTime(isUTC: true, .utc)),
            ("julian", "REAL", .dateTime(isUTC: true, .julianDays)),
            ("offset", "TEXT", .dateTime(isUTC: true, .offset)),
        ]
    }

    /// Returns the values of the columns for a point in time.
    private static func row(_ text: String, _ backend: TestBackend) throws -> [SQLValue] {
        var zulu = "\(text)Z"
        let instant = try #require(zulu.withUTF8 { UTCInstant(text: UnsafeRawBufferPointer($0)) })
        let forms: [DateTimeForm] = [
            .unixSeconds, .unixMilliseconds, .unixMicroseconds, .cocoaSeconds, .webKitMicroseconds,
        ]
        let numbers = try forms.map { instant.number(of: try #require($0.unit)) }
        let common = [.text(text)] + numbers
        guard backend == .sqlite else { return common }
        let days = try #require(DateTimeForm.unixMilliseconds.unit).days(of: instant)
        return common + [.text(zulu.replacing(" ", with: "T")), .double(days), .text("\(text)+00")]
    }

    private static let known: [(zone: String, time: String, parts: String)] = [
        ("UTC", "2024-03-05 14:07:59", "2024 2024-Q1 2024-03 2024-W10 2024-03-05 2024-03-05T14 2"),
        ("UTC", "2024-12-30 00:00:00", "2024 2024-Q4 2024-12 2025-W01 2024-12-30 2024-12-30T00 1"),
        ("UTC", "2021-01-03 23:59:59.5", "2021 2021-Q1 2021-01 2020-W53 2021-01-03 2021-01-03T23 7"),
        ("UTC", "1969-12-31 23:59:59.5", "1969 1969-Q4 1969-12 1970-W01 1969-12-31 1969-12-31T23 3"),
        ("UTC", "1582-10-10 12:00:00", "1582 1582-Q4 1582-10 1582-W40 1582-10-10 1582-10-10T12 7"),
        // The calendar of the year 0 is that of the year 2000.
        ("UTC", "0000-01-01 00:00:00", "0 0000-Q1 0000-01 -0001-W52 0000-01-01 0000-01-01T00 6"),
        ("UTC", "0000-02-28 23:00:00", "0 0000-Q1 0000-02 0000-W09 0000-02-28 0000-02-28T23 1"),
        ("UTC", "0000-03-01 00:00:00", "0 0000-Q1 0000-03 0000-W09 0000-03-01 0000-03-01T00 3"),
        ("UTC", "0000-12-31 10:00:00", "0 0000-Q4 0000-12 0000-W52 0000-12-31 0000-12-31T10 7"),
        ("UTC", "0001-01-01 00:00:00", "1 0001-Q1 0001-01 0001-W01 0001-01-01 0001-01-01T00 1"),
        ("UTC", "9999-12-31 23:59:59", "9999 9999-Q4 9999-12 9999-W52 9999-12-31 9999-12-31T23 5"),
        // A time zone can lead to another year.
        ("Asia/Tokyo", "9999-12-31 23:59:59", "10000 10000-Q1 10000-01 9999-W52 10000-01-01 10000-01-01T08 6"),
        ("Asia/Tokyo", "9999-12-30 14:59:59", "9999 9999-Q4 9999-12 9999-W52 9999-12-30 9999-12-30T23 4"),
        ("America/New_York", "0000-01-01 00:00:00", "-1 -0001-Q4 -0001-12 -0001-W52 -0001-12-31 -0001-12-31T19 5"),
        ("America/New_York", "0001-01-01 04:56:02", "1 0001-Q1 0001-01 0001-W01 0001-01-01 0001-01-01T00 1"),
        ("America/New_York", "0001-01-01 04:56:01", "0 0000-Q4 0000-12 0000-W52 0000-12-31 0000-12-31T23 7"),
        // Local mean time of New York: 4:56:02 behind UTC, until 18 November 1883.
        ("America/New_York", "1883-01-01 04:56:01", "1882 1882-Q4 1882-12 1882-W52 1882-12-31 1882-12-31T23 7"),
        ("America/New_York", "1883-01-01 04:56:02", "1883 1883-Q1 1883-01 1883-W01 1883-01-01 1883-01-01T00 1"),
        // The hour from 1 to 2 is repeated, and belongs to one group; the hour from 2 to 3 is skipped.
        ("America/New_York", "2024-11-03 05:30:00", "2024 2024-Q4 2024-11 2024-W44 2024-11-03 2024-11-03T01 7"),
        ("America/New_York", "2024-11-03 06:30:00", "2024 2024-Q4 2024-11 2024-W44 2024-11-03 2024-11-03T01 7"),
        ("America/New_York", "2024-03-10 06:59:59.9", "2024 2024-Q1 2024-03 2024-W10 2024-03-10 2024-03-10T01 7"),
        ("America/New_York", "2024-03-10 07:00:00", "2024 2024-Q1 2024-03 2024-W10 2024-03-10 2024-03-10T03 7"),
        ("America/New_York", "9999-07-04 12:00:00", "9999 9999-Q3 9999-07 9999-W26 9999-07-04 9999-07-04T08 7"),
        // The clocks of Lord Howe change by 30 minutes.
        ("Australia/Lord_Howe", "2024-04-06 14:59:59", "2024 2024-Q2 2024-04 2024-W14 2024-04-07 2024-04-07T01 7"),
        ("Australia/Lord_Howe", "2024-04-06 15:29:59", "2024 2024-Q2 2024-04 2024-W14 2024-04-07 2024-04-07T01 7"),
        ("Australia/Lord_Howe", "2024-10-05 15:29:59", "2024 2024-Q4 2024-10 2024-W40 2024-10-06 2024-10-06T01 7"),
        ("Australia/Lord_Howe", "2024-10-05 15:30:00", "2024 2024-Q4 2024-10 2024-W40 2024-10-06 2024-10-06T02 7"),
        // The clocks of Kathmandu were changed by 15 minutes at midnight.
        ("Asia/Kathmandu", "1985-12-31 18:29:59", "1985 1985-Q4 1985-12 1986-W01 1985-12-31 1985-12-31T23 2"),
        ("Asia/Kathmandu", "1985-12-31 18:30:00", "1986 1986-Q1 1986-01 1986-W01 1986-01-01 1986-01-01T00 3"),
        // Apia skipped 30 December 2011.
        ("Pacific/Apia", "2011-12-30 09:59:59", "2011 2011-Q4 2011-12 2011-W52 2011-12-29 2011-12-29T23 4"),
        ("Pacific/Apia", "2011-12-30 10:00:00", "2011 2011-Q4 2011-12 2011-W52 2011-12-31 2011-12-31T00 6"),
        // The rule of a time zone is valid in all later years, also in the years 2100 (no leap year) and 2128.
        ("Europe/Berlin", "2100-03-28 00:59:59", "2100 2100-Q1 2100-03 2100-W12 2100-03-28 2100-03-28T01 7"),
        ("Europe/Berlin", "2100-03-28 01:00:00", "2100 2100-Q1 2100-03 2100-W12 2100-03-28 2100-03-28T03 7"),
        ("Europe/Berlin", "2128-12-31 23:30:00", "2129 2129-Q1 2129-01 2128-W53 2129-01-01 2129-01-01T00 6"),
        ("Europe/Berlin", "2129-03-27 00:59:59", "2129 2129-Q1 2129-03 2129-W12 2129-03-27 2129-03-27T01 7"),
        ("Europe/Berlin", "2129-03-27 01:00:00", "2129 2129-Q1 2129-03 2129-W12 2129-03-27 2129-03-27T03 7"),
    ]

    @Test("All stored forms have the same parts, in all time zones", arguments: TestBackend.available)
    func knownParts(_ backend: TestBackend) async throws {
        let columns = Self.columns(backend)
        try await Moments.with(backend, columns) { moments in
            let rows = try Self.known.map { try Self.row($0.time, backend) }
            try await moments.insert(rows + [[SQLValue](repeating: .null, count: columns.count)])
            for zone in Set(Self.known.map(\.zone)).sorted() {
                let table = try TimeZoneTable.named(zone)
                var first: [String]?
                for column in columns {
                    let parts = try await moments.parts(of: column.name, in: table)
                    for (known, parts) in zip(Self.known, parts) where known.zone == zone {
                        #expect(parts == known.parts, "\(column.name) \(known.time)")
                    }
                    #expect(parts.last == "NULL NULL NULL NULL NULL NULL NULL")
                    #expect(parts == first ?? parts, "\(column.name) \(zone)")
                    first = first ?? parts
                }
            }
        }
    }

    @Test("Dates and local times have no time zone", arguments: TestBackend.available)
    func localParts(_ backend: TestBackend) async throws {
        let isText = backend == .sqlite
        let columns: [Moments.Column] = [
            ("day", "DATE", .date), ("time", isText ? "TEXT" : "DATETIME(3)", .dateTime(isUTC: false)),
            ("midnight", "DATE", .dateTime(isUTC: false)),
            ("iso", isText ? "TEXT" : "DATETIME", .dateTime(isUTC: false, isText ? .iso : .sql)),
        ]
        try await Moments.with(backend, columns) { moments in
            try await moments.insert(
                ["2024-03-05", "0000-01-01", "9999-12-31"].map { day in
                    [
                        .text(day), .text("\(day) 23:59:59.999"), .text(day),
                        .text("\(day)\(isText ? "T" : " ")14:00:00"),
                    ]
                } + [[.null, .null, .null, .null]])
            let tokyo = try TimeZoneTable.named("Asia/Tokyo")
            let days = [
                "2024 2024-Q1 2024-03 2024-W10 2024-03-05 2", "0 0000-Q1 0000-01 -0001-W52 0000-01-01 6",
                "9999 9999-Q4 9999-12 9999-W52 9999-12-31 5", "NULL NULL NULL NULL NULL NULL",
            ]
            let parts = DatePart.allCases.filter { $0 != .hour }
            for column in columns {
                #expect(try await moments.parts(parts, of: column.0, in: tokyo) == days, "\(column.0)")
            }
            for (column, hour) in [("time", "23"), ("midnight", "00"), ("iso", "14")] {
                let hours = try await moments.parts([.hour], of: column, in: tokyo)
                #expect(hours == ["2024-03-05T\(hour)", "0000-01-01T\(hour)", "9999-12-31T\(hour)", "NULL"])
            }
            let error = await #expect(throws: ServiceError.self) { try await moments.parts([.hour], of: "day") }
            #expect(error?.code == .invalidParameter)
            #expect(error?.detail == "the field day has no part hour")
            #expect(error?.allowed == ["year", "quarter", "month", "week", "day", "weekday"])
        }
    }

    @Test("Random points in time have the parts of Foundation's calendar", arguments: TestBackend.available)
    func randomParts(_ backend: TestBackend) async throws {
        var random = SplitMix64(seed: TestScale.seeds(1).lowerBound)
        // Before 1970, the time zones of Foundation can differ. Before 1582, Foundation has the Julian calendar.
        let ranges: [ClosedRange<Int64>] = [
            -10_000_000_000...0, 0...2_000_000_000, 2_000_000_000...10_000_000_000,
            10_000_000_000...253_000_000_000,
        ]
        let times = (0..<TestScale.count(120)).map { Int64.random(in: ranges[$0 % ranges.count], using: &random) }
        var names = ["America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Gaza", "UTC"]
        for _ in 0..<TestScale.count(7) {
            names.append(TimeZone.knownTimeZoneIdentifiers.randomElement(using: &random) ?? "UTC")
        }
        let columns: [Moments.Column] = [
            ("utc", backend == .sqlite ? "TEXT" : "DATETIME", .dateTime(isUTC: true)),
            ("seconds", "BIGINT", .dateTime(isUTC: true, .unixSeconds)),
        ]
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        let unit = UTCInstant.Unit(epoch: 0, digits: 0)
        try await Moments.with(backend, columns) { moments in
            try await moments.insert(
                times.map { [.text(UTCInstant($0, unit)?.text ?? ""), .integer($0)] })
            for name in names {
                let zone = try #require(TimeZone(identifier: name))
                let expected = times.map { time in
                    let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time)))
                    return Self.parts(Date(timeIntervalSince1970: Double(time) + Double(offset)), calendar)
                }
                let table = try TimeZoneTable.named(name)
                for column in ["utc", "seconds"] {
                    let parts = try await moments.parts(of: column, in: table)
                    #expect(parts.count == times.count)
                    for ((parts, expected), time) in zip(zip(parts, expected), times)
                    where parts != expected && (time >= 0 || name == "UTC") {
                        Issue.record("\(column) \(time) in \(name): \(parts), not \(expected)")
                    }
                }
            }
        }
    }

    private static func parts(_ date: Date, _ calendar: Calendar) -> String {
        let parts = calendar.dateComponents(
            [.year, .month, .day, .hour, .weekday, .weekOfYear, .yearForWeekOfYear], from: date)
        func text(_ number: Int?, _ digits: Int = 2) -> String {
            let text = String(number ?? -1)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        let year = text(parts.year, 4)
        let month = "\(year)-\(text(parts.month))"
        let day = "\(month)-\(text(parts.day))"
        let week = "\(text(parts.yearForWeekOfYear, 4))-W\(text(parts.weekOfYear))"
        let quarter = "\(year)-Q\(((parts.month ?? 0) + 2) / 3)"
        // Foundation's weeks begin with 1 for Sunday.
        let weekday = ((parts.weekday ?? 0) + 5) % 7 + 1
        return "\(parts.year ?? -1) \(quarter) \(month) \(week) \(day) \(day)T\(text(parts.hour)) \(weekday)"
    }

    // MARK: Invalid values

    @Test("A value that is not a date makes the statement fail, and the error names the field")
    func invalidValues() async throws {
        let columns: [Moments.Column] = [
            ("day", "BLOB", .date), ("time", "BLOB", .dateTime(isUTC: false)),
            ("zulu", "BLOB", .dateTime(isUTC: true, .utc)), ("offset", "BLOB", .dateTime(isUTC: true, .offset)),
            ("seconds", "BLOB", .dateTime(isUTC: true, .unixSeconds)),
            ("julian", "BLOB", .dateTime(isUTC: true, .julianDays)),
        ]
        let invalid: [String: [SQLValue]] = [
            "day": [
                "", "abc", "2024-02-30", "0000-00-00", "2024-00-10", "2024-3-5", "2024-03-05 00:00:00", 20_240_305, 1.5,
                .blob(Array("2024-03-05".utf8)),
            ],
            "time": ["2024-03-05T14:00:00", "2024-03-05 14:00", "2024-03-05 24:00:00", "2024-03-05 14:00:00Z", 1],
            "zulu": ["2024-03-05T14:00:00", "2024-03-05 14:00:00Z", "2024-03-05T14:00:00.Z"],
            "offset": ["2024-03-05 14:00:00", "2024-03-05 14:00:00+25:00", "0000-01-01 00:00:00+01"],
            "seconds": ["0", -62_167_219_201, 253_402_300_800, .integer(.max), .double(.infinity), 1e300],
            "julian": ["2460375.5", 1e9, -1e9],
        ]
        try await Moments.with(.sqlite, columns) { moments in
            let rows = columns.flatMap { column in (invalid[column.name] ?? []).map { (column.name, $0) } }
            try await moments.insert(
                rows.map { name, value in columns.map { $0.name == name ? value : .null } })
            for (index, (name, value)) in rows.enumerated() {
                let error = await #expect(throws: DatabaseError.self, "\(name) \(value)") {
                    try await moments.parts([.month], of: name, row: index)
                }
                #expect(error?.code == .invalidValue)
                #expect(error?.invalidValue?.field == "moments.\(name)")
            }
            let error = await #expect(throws: DatabaseError.self) {
                try await moments.parts([.year], of: "day", row: 1)
            }
            let mismatch = try #require(error.flatMap { moments.planner.catalogue.mismatch($0) })
            #expect(
                "\(mismatch)" == #"moments.day is declared as a date (YYYY-MM-DD), but a row has the text "abc""#)
            #expect(mismatch.descriptionWithoutValues.contains("abc") == false)
        }
    }

    @Test(
        "A zero date of MariaDB makes the statement fail, and the error names the field",
        .enabled(if: TestBackend.available.contains(.mariaDB)))
    func zeroDates() async throws {
        let columns: [Moments.Column] = [
            ("day", "DATE", .date), ("time", "DATETIME", .dateTime(isUTC: false)),
            ("at", "TIMESTAMP(3) NULL", .dateTime(isUTC: true)),
            ("seconds", "BIGINT", .dateTime(isUTC: true, .unixSeconds)),
            ("millis", "BIGINT UNSIGNED", .dateTime(isUTC: true, .unixMilliseconds)),
            ("cocoa", "DOUBLE", .dateTime(isUTC: true, .cocoaSeconds)),
        ]
        let invalid: [String: [SQLValue]] = [
            "day": ["0000-00-00", "2024-00-10", "2024-10-00", "2023-02-29", "2024-02-31"],
            "time": ["0000-00-00 00:00:00", "2024-00-10 01:02:03", "2023-02-29 00:00:00"],
            "at": ["0000-00-00 00:00:00"],
            "seconds": [-62_167_219_201, 253_402_300_800, .integer(.max), .integer(.min)],
            "millis": [.unsigned(.max), 253_402_300_800_000],
            "cocoa": [1e300, -1e300],
        ]
        try await Moments.with(.mariaDB, columns) { moments in
            let rows = columns.flatMap { column in (invalid[column.name] ?? []).map { (column.name, $0) } }
            try await moments.insert(
                rows.map { name, value in columns.map { $0.name == name ? value : .null } } + [
                    ["2024-02-29", "2024-02-29 12:00:00", "2024-02-29 12:00:00", 1, 1, 1]
                ])
            let berlin = try TimeZoneTable.named("Europe/Berlin")
            for (index, (name, value)) in rows.enumerated() {
                for part in [DatePart.year, .month, .week, .weekday] {
                    let error = await #expect(throws: DatabaseError.self, "\(name) \(value) \(part)") {
                        try await moments.parts([part], of: name, in: berlin, row: index)
                    }
                    #expect(error?.code == .invalidValue)
                    #expect(error?.invalidValue?.field == "moments.\(name)")
                    let mismatch = try #require(error.flatMap { moments.planner.catalogue.mismatch($0) })
                    #expect("\(mismatch)".hasPrefix("moments.\(name) is declared as a "))
                }
            }
            for column in columns {
                let parts = try await moments.parts([.year, .weekday], of: column.name, in: berlin, row: rows.count)
                let expected = ["seconds": "1970 4", "millis": "1970 4", "cocoa": "2001 1"][column.name] ?? "2024 4"
                #expect(parts == [expected])
            }
        }
    }
}

extension UTCInstant.Unit {
    /// Returns the Julian day of an instant, if this is the unit of milliseconds.
    fileprivate func days(of instant: UTCInstant) -> Double {
        if case .integer(let milliseconds) = instant.number(of: self) {
            2_440_587.5 + Double(milliseconds) / 86_400_000
        } else {
            .nan
        }
    }
}
