import DuetSQLDatabase
import Foundation
import Testing

@testable import DuetResourceService

@Suite("Time zones")
struct TimeZoneTests {
    @Test(
        "A rule of POSIX has the changes of a year",
        arguments: [
            // New York: 10 March 2024, 07:00 UTC, and 3 November 2024, 06:00 UTC.
            ("EST5EDT,M3.2.0,M11.1.0", [(1_710_054_000, -14_400), (1_730_613_600, -18_000)]),
            // Jerusalem: 29 March 2024, 00:00 UTC, and 26 October 2024, 23:00 UTC.
            ("IST-2IDT,M3.4.4/26,M10.5.0", [(1_711_670_400, 10_800), (1_729_983_600, 7_200)]),
            // Nuuk: 31 March 2024, 01:00 UTC, and 27 October 2024, 01:00 UTC.
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", [(1_711_846_800, -3_600), (1_729_990_800, -7_200)]),
            // Lord Howe: 6 April 2024, 15:00 UTC, and 5 October 2024, 15:30 UTC.
            (
                "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", [(1_712_415_600, 37_800), (1_728_142_200, 39_600)]
            ),
            // Dublin: the standard time is in summer.
            ("IST-1GMT0,M10.5.0,M3.5.0/1", [(1_711_846_800, 3_600), (1_729_990_800, 0)]),
            // 1 March of a leap year, and the 61st day.
            ("AAA0BBB,J60/0,60/0", [(1_709_251_200, 3_600), (1_709_247_600, 0)]),
            ("<+03>-3", []),
        ] as [(String, [(Int64, Int32)])])
    func rules(_ text: String, _ expected: [(Int64, Int32)]) throws {
        let rule = try #require(TimeZoneRule(text))
        let changes = rule.changes(inYears: 2_024...2_024).map { "\($0.time) \($0.offset)" }
        #expect(changes.sorted() == expected.map { "\($0.0) \($0.1)" }.sorted())
    }

    @Test("A rule with daylight saving time in the whole year has one offset")
    func permanentDaylight() throws {
        let rule = try #require(TimeZoneRule("XXX3EDT4,0/0,J365/23"))
        let offsets = UTCOffsets(first: 0, changes: rule.changes(inYears: 2_000...2_050))
        #expect(offsets.offset(at: 1_700_000_000) == -14_400)
        #expect(offsets.changes.count <= 2)
    }

    @Test(
        "Other texts are not rules",
        arguments: [
            "", "CE-1", "CET", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1 ", "<CET-1",
        ])
    func invalidRules(_ text: String) {
        #expect(TimeZoneRule(text) == nil)
    }

    @Test("All names of Foundation are names of time zones, with the same offsets since 1970")
    func names() throws {
        // Before 1970, the versions of the time zone database differ.
        let times: [Int64] = [0, 1_000_000_000, 1_720_000_000, 1_733_000_000, 3_000_000_000]
        for name in TimeZone.knownTimeZoneIdentifiers {
            let table = try TimeZoneTable.named(name)
            let zone = try #require(TimeZone(identifier: name))
            let offsets = times.map { table.offsets.offset(at: $0) }
            let expected = times.map {
                Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0))))
            }
            #expect(offsets == expected, "\(name)")
        }
    }

    @Test(
        "A text that is not the name of a time zone is an error",
        arguments: [
            "", "Europe/Pari", "Europe", "Europe/Paris/", "/Europe/Paris", "europe/paris", "EUROPE/PARIS", "../UTC",
            "../../etc/passwd", "Europe//Paris", "right/UTC", "posix/UTC", "localtime", "tzdata.zi", "zone.tab",
            "+02:00", "CEST", "UTC\u{0}", "Europe/Paris\n", String(repeating: "a", count: 10_000),
        ])
    func unknownNames(_ name: String) {
        let error = #expect(throws: ServiceError.self) { try TimeZoneTable.named(name, parameter: "timeZone") }
        #expect(error?.code == .invalidParameter)
        #expect(error?.parameter == "timeZone")
        #expect(error?.detail.contains("Europe/Paris or America/New_York") == true)
    }

    @Test("A file that is not complete is not a time zone")
    func incompleteFiles() throws {
        let bytes = Array(try #require(FileManager.default.contents(atPath: "/usr/share/zoneinfo/Europe/Berlin")))
        let table = try #require(TimeZoneTable(name: "Europe/Berlin", file: bytes))
        #expect(table.offsets.changes.count > 100)
        for count in stride(from: 0, to: bytes.count - 1, by: 23) {
            #expect(TimeZoneTable(name: "Europe/Berlin", file: Array(bytes.prefix(count))) == nil)
        }
    }
}
