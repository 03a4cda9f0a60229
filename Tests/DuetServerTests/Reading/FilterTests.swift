import DuetJSON
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@Suite("Filters") struct FilterTests {
    private static let all = Crew.people.map(\.number)

    /// Each filter with the matching employee numbers, in ascending order.
    private static let cases: [(filter: [(name: String, value: String)], numbers: [Int])] = [
        ([("name", "Brien")], [20002, 20003]), ([("name", "O'Brien")], [20001]),
        ([("name", "*Brien")], [20001, 20002, 20003]),
        ([("name", "*'*")], [20001]), ([("name", "*")], all), ([("name", "**")], all),
        ([("name", "brien")], []), ([("name", "Zed")], [20011]), ([("name", "zed")], [20012]),
        ([("name", "z*")], [20012]),
        ([("name", "Zoë")], [20002]), ([("name", "Zo*")], [20002]), ([("name", "李")], [20003]),
        ([("name", "*李*")], [20003]),
        ([("name", "😀")], [20010]), ([("name", "\u{1F4A9}*")], [20010]), ([("name", "*\"*")], [20004, 20010]),
        ([("name", "Back\\*")], [20004]), ([("name", "*\\*")], [20004]),
        ([("name", "What?")], [20005]), ([("name", "What?*")], [20005]), ([("name", "*?")], [20005]),
        ([("name", "*?*")], [20005]), ([("name", "W*!")], [20006]),
        ([("name", "100%")], [20005]), ([("name", "100%*")], [20005]), ([("name", "*%*")], [20005]),
        ([("name", "100*")], [20005, 20006]),
        ([("name", "a_b")], [20007]), ([("name", "a_b*")], [20007]), ([("name", "*_*")], [20007]),
        ([("name", "a*b")], [20007, 20008]),
        ([("name", "[bracket]")], [20007]), ([("name", "[b*")], [20007]), ([("name", "*[*]")], [20007]),
        ([("name", "*]")], [20007]), ([("name", "[a-z]*")], []), ([("name", "*bracket*")], [20007, 20008]),
        ([("name", "pi|pe")], [20009]), ([("name", "pi|*")], [20009]), ([("name", "*|*")], [20009]),
        // The star in a pattern matches any text, including a star in a name.
        ([("name", "Star*")], [20009]), ([("name", "trailing")], [20012]), ([("name", "trailing ")], [20011]),
        ([("name", "trailing*")], [20011, 20012]), ([("name", " ")], []), ([("name", "trailing\u{301}*")], []),
        // A combining mark after a wildcard does not change the wildcard's meaning. A special character is escaped even
        // if a combining mark follows it.
        ([("name", "*\u{301}")], []), ([("name", "What?\u{301}*")], []), ([("name", "a_\u{301}*")], []),
        ([("name", "'; DROP TABLE titles; --")], []), ([("name", "' OR ''='")], []), ([("name", ":name")], []),
        ([("hiredAfter", "1995-12-01")], [20011, 20012]), ([("hiredAfter", "1995-11-30")], [20010, 20011, 20012]),
        ([("hiredBefore", "1990-05-05")], []), ([("hiredBefore", "1990-05-06")], [20001, 20002, 20003]),
        ([("hiredAfter", "1990-05-05"), ("hiredBefore", "1992-07-07")], [20004]),
        ([("hiredAfter", "1992-07-07"), ("hiredBefore", "1990-05-05")], []),
        ([("hiredAfter", "0000-01-01")], all), ([("hiredBefore", "9999-12-31")], all),
        ([("department", "d005")], [20001]), ([("department", "d009")], [20002]), ([("department", "nope")], []),
        (
            [("department", "d009"), ("name", "Br*"), ("hiredBefore", "1990-05-06"), ("hiredAfter", "1990-05-04")],
            [20002]
        ),
        ([("department", "d009"), ("name", "O*")], []),
    ]

    @Test("Filters with special characters find the same employees on each backend", arguments: TestBackend.available)
    func found(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            for (filter, numbers) in Self.cases {
                let query = filter.map { "\($0.name)=\(Self.encoded($0.value))" }.joined(separator: "&")
                let response = try await server.client.get("/employees?fields=employeeNumber&\(query)")
                #expect(response.status == 200, "\(query)")
                let expected = numbers.map { #"{"employeeNumber":\#($0)}"# }.joined(separator: ",")
                #expect(response.text == "[\(expected)]", "\(filter)")
                let lines = try await server.client.get(
                    "/employees?fields=employeeNumber&\(query)", ["Accept": "application/x-ndjson"])
                #expect(lines.text == numbers.map { #"{"employeeNumber":\#($0)}"# + "\n" }.joined(), "\(filter)")
            }
        }
    }

    /// Percent-encodes every byte except letters and digits.
    static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}
