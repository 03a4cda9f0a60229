import DuetServer
import Testing

@Suite struct LogTimestampTests {
    @Test(
        "A log timestamp has the format of RFC 3339",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"), (1_709_251_200_000, "2024-03-01T00:00:00.000Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (1_785_485_700_042, "2026-07-31T08:15:00.042Z"),
        ])
    func format(milliseconds: Int64, expected: String) {
        let text = LogTimestamp(milliseconds: milliseconds).withCharacters { String(decoding: $0, as: UTF8.self) }
        #expect(text == expected)
    }
}
