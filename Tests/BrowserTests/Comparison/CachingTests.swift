import DuetJSON
import Testing

extension ComparisonPageTests {
    @Suite("Caching in the page")
    struct Caching {
        @Test("A second run is a 304 without a statement, and shows the cached response")
        func revalidation() async throws {
            try await withComparison { page in
                try await page.runBoth()
                try await page.runBoth()
                // The first 304 stores its version of the database.
                try await page.runBoth()
                #expect(
                    try await page.facts("rest").first?.wholeMatch(of: /304 unchanged · .* · 0 bytes · 0 statements/)
                        != nil)
                #expect(try await page.cost("Unchanged (304)") == ["1", "0"])
                #expect(try await page.text("#verdict-status") == "Same data: all 57 values are equal.")
                try await page.click("#revalidate")
                try await page.runBoth()
                #expect(try await page.cost("Unchanged (304)") == ["0", "0"])
            }
        }

        @Test("By hash, the first run is a miss and is stored, the second a hit, and the third a 304")
        func persisted() async throws {
            let query =
                "query Once { employee(id: 10004) { employeeNumber firstName lastName } } # \(UInt64.random(in: 0 ... .max))"
            try await withComparison(
                ["task": "own", "rest": "GET /employees/10004", "query": query, "sent": "hash"]
            ) { page in
                try await page.runBoth()
                let first = try await page.facts("graphql")
                #expect(first.count == 2)
                #expect(first.first?.contains("hash unknown") == true)
                #expect(first.last?.hasPrefix("200 · hash stored · ") == true)
                #expect(try await page.evaluate("document.querySelector('#graphql-answers-problems').hidden") == true)
                #expect(try await page.text("#verdict-status") == "Same data: all 3 values are equal.")
                try await page.runBoth()
                let second = try await page.facts("graphql")
                #expect(second.count == 1 && second.first?.hasPrefix("200 · hash known · ") == true, "\(second)")
                try await page.runBoth()
                let third = try await page.facts("graphql")
                #expect(third.count == 1 && third.first?.hasPrefix("304 unchanged · hash known · ") == true, "\(third)")
                #expect(try await page.cost("Unchanged (304)") == ["1", "1"])
            }
        }

        @Test("A round trip shows the response, the phases of the server and the caching header fields")
        func details() async throws {
            try await withComparison { page in
                try await page.runBoth()
                #expect(try await page.texts("#rest-trips .phases dt") == ["parse", "plan", "sql", "encode"])
                #expect(try await page.texts("#rest-trips .phase-sql dd").first?.hasSuffix("· 3 statements") == true)
                let fields = try await page.evaluate(
                    "Object.fromEntries([...document.querySelectorAll('#rest-trips .trip-fields div')].map((one) => [one.children[0].innerText, one.children[1].innerText]))"
                )
                #expect(fields["Cache-Control"] == "max-age=60, public")
                #expect(fields["Surrogate-Key"] == "Employee:10004")
                #expect(fields["ETag"]?.string?.hasPrefix("\"") == true)
                let answer = try JSONValue(parsing: try await page.text("#rest-trips .trip-body").utf8)
                #expect(answer["firstName"] == "Chirstian")
            }
        }
    }
}
