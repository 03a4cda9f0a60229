import SeededTesting
import Testing

@testable import DuetSQLDatabase

@Suite("Times in UTC") struct UTCInstantTests {
    private static let seconds = UTCInstant.Unit(epoch: 0, digits: 0)
    private static let milliseconds = UTCInstant.Unit(epoch: 0, digits: 3)
    private static let cocoa = UTCInstant.Unit(epoch: 978_307_200, digits: 0)
    private static let webKit = UTCInstant.Unit(epoch: -11_644_473_600, digits: 6)

    private static func parse(_ text: String) -> String? {
        var text = text
        return text.withUTF8 { UTCInstant(text: UnsafeRawBufferPointer($0))?.text }
    }

    @Test("A number of seconds, milliseconds or microseconds since any epoch is a time")
    func numbers() {
        #expect(UTCInstant(0 as Int64, Self.seconds)?.text == "1970-01-01 00:00:00")
        #expect(UTCInstant(-1 as Int64, Self.seconds)?.text == "1969-12-31 23:59:59")
        #expect(UTCInstant(1_706_704_496 as Int64, Self.seconds)?.text == "2024-01-31 12:34:56")
        #expect(UTCInstant(1_706_704_496_120 as Int64, Self.milliseconds)?.text == "2024-01-31 12:34:56.12")
        #expect(UTCInstant(-1 as Int64, Self.milliseconds)?.text == "1969-12-31 23:59:59.999")
        #expect(UTCInstant(728_397_296.5, Self.cocoa)?.text == "2024-01-31 12:34:56.5")
        #expect(UTCInstant(-0.25, Self.cocoa)?.text == "2000-12-31 23:59:59.75")
        #expect(UTCInstant(13_351_178_096_000_001 as Int64, Self.webKit)?.text == "2024-01-31 12:34:56.000001")
        #expect(UTCInstant(1.5e-7, Self.seconds)?.text == "1970-01-01 00:00:00.00000015")
        #expect(UTCInstant(1e15, Self.milliseconds)?.text == nil)
    }

    @Test("A year outside 0 to 9999 and a number that is not finite are not a time")
    func range() {
        #expect(UTCInstant(253_402_300_799 as Int64, Self.seconds)?.text == "9999-12-31 23:59:59")
        #expect(UTCInstant(253_402_300_800 as Int64, Self.seconds) == nil)
        #expect(UTCInstant(-62_167_219_200 as Int64, Self.seconds)?.text == "0000-01-01 00:00:00")
        #expect(UTCInstant(-62_167_219_201 as Int64, Self.seconds) == nil)
        for number in [Int64.min, Int64.max] {
            for unit in [Self.seconds, Self.milliseconds, Self.cocoa, Self.webKit] { _ = UTCInstant(number, unit) }
            #expect(UTCInstant(number, Self.cocoa) == nil)
        }
        for number in [Double.nan, .infinity, -.infinity, 1e300, -1e300] {
            #expect(UTCInstant(number, Self.seconds) == nil && UTCInstant(julianDay: number) == nil)
        }
    }

    @Test("The conversion of a number to a time and back returns the same number", arguments: TestScale.seeds(1))
    func roundTrip(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<2_000 {
            for unit in [Self.seconds, Self.milliseconds, Self.cocoa, Self.webKit] {
                let scale = unit == Self.seconds || unit == Self.cocoa ? 1.0 : unit == Self.milliseconds ? 1e3 : 1e6
                let integer = Int64.random(in: -5_000_000_000...5_000_000_000, using: &random) * Int64(scale)
                #expect(UTCInstant(integer, unit)?.number(of: unit) == .integer(integer))
                let double = Double.random(in: -5e9...5e9, using: &random) * scale
                let back = UTCInstant(double, unit)?.number(of: unit)
                #expect(back == .double(double) || back == .integer(Int64(exactly: double) ?? 0), "\(double)")
            }
        }
    }

    @Test(
        "A text with an offset from UTC is converted to UTC, and the texts in UTC have the order of the times",
        arguments: [
            ("2011-09-06 06:00:00+00:00", "2011-09-06 06:00:00"), ("2011-09-06T06:00:00Z", "2011-09-06 06:00:00"),
            ("2011-09-06 06:00:00.250 +02:00", "2011-09-06 04:00:00.25"),
            ("2011-09-06 00:30:00-0130", "2011-09-06 02:00:00"), ("2011-01-01 00:00:00+14", "2010-12-31 10:00:00"),
            ("2011-09-06 06:00:00.123456789Z", "2011-09-06 06:00:00.123456789"),
        ])
    func offsets(text: String, utc: String) {
        #expect(Self.parse(text) == utc)
    }

    @Test(
        "A text without an offset or with an invalid part is not a time with an offset",
        arguments: [
            "2011-09-06 06:00:00", "2011-09-06", "", "2011-02-30 06:00:00Z", "2011-09-06 24:00:00Z",
            "2011-09-06 06:60:00Z", "2011-09-06 06:00:00.Z", "2011-09-06 06:00:00+24:00", "2011-09-06 06:00:00+1:00",
            "2011-09-06 06:00:00+01:000", "2011-09-06 06:00:00Zx", "2011-09-06_06:00:00Z", "2011-09-06 06:00:00  Z",
            "0000-01-01 00:00:00+01:00", "9999-12-31 23:59:59-00:01", "2011-09-06 06:00:00.1234567890123456789Z",
        ])
    func invalid(text: String) {
        #expect(Self.parse(text) == nil)
    }

    @Test("A Julian day is rounded to milliseconds, as in SQLite")
    func julianDays() {
        #expect(UTCInstant(julianDay: 2_460_341.024259259)?.text == "2024-01-31 12:34:56")
        #expect(UTCInstant(julianDay: 2_440_587.5)?.text == "1970-01-01 00:00:00")
        #expect(UTCInstant(julianDay: 2_440_587.5 + 0.0005 / 86.4)?.text == "1970-01-01 00:00:00.5")
    }
}
