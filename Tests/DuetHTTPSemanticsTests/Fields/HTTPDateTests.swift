import DuetHTTPSemantics
import Foundation
import Testing

@Suite("Dates in header fields")
struct HTTPDateTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test(
        "A date is written as IMF-fixdate",
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (1_709_164_800, "Thu, 29 Feb 2024 00:00:00 GMT"), (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 GMT"),
        ] as [(Double, String)])
    func text(seconds: Double, text: String) {
        #expect(HTTPDate.text(Date(timeIntervalSince1970: seconds)) == text)
        #expect(HTTPDate.text(Date(timeIntervalSince1970: seconds + 0.9)) == text)
    }

    @Test(
        "The three date formats are parsed",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Tue, 29 Feb 2000 23:59:60 GMT", 951_868_800), ("Fri, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
            ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199), ("Mon, 31 Dec 1900 00:00:00 GMT", -2_177_539_200),
        ])
    func formats(text: String, seconds: Double) {
        #expect(HTTPDate.date(of: text, now: now) == Date(timeIntervalSince1970: seconds))
    }

    @Test("A two-digit year is at most 50 years in the future")
    func centuries() {
        // The current year is 2027.
        #expect(
            HTTPDate.date(of: "Friday, 01-Jan-77 00:00:00 GMT", now: now) == Date(timeIntervalSince1970: 3_376_684_800))
        #expect(
            HTTPDate.date(of: "Sunday, 01-Jan-78 00:00:00 GMT", now: now) == Date(timeIntervalSince1970: 252_460_800))
    }

    @Test(
        "Text that is not a valid date in one of the three formats is rejected",
        arguments: [
            "", "0", "-1", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
            "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
            "Sun, 06 Nov 99999 08:49:37 GMT", "Sun, 6x Nov 1994 08:49:37 GMT", "Thu, 30 Feb 2024 23:59:59 GMT",
            "Thu, 31 Apr 2024 23:59:59 GMT",
        ])
    func invalid(text: String) {
        #expect(HTTPDate.date(of: text, now: now) == nil)
    }
}
