import DuetJSON
import Testing

extension ComparisonPageTests {
    @Suite("Caching in the page")
    struct Caching {
        /// Returns the statuses of all REST responses for the employee 10004.
        private func statuses(_ page: BrowserPage) -> [Int] {
            page.events("Network.responseReceived").compactMap { $0["response"] }
                .filter { $0["url"]?.string?.contains("/employees/10004?") == true }.compactMap {
                    $0["status"]?.integer
                }
        }

        @Test("A reload receives no style sheet and no module from the server")
        func files() async throws {
            try await withComparison { page in
                try await page.reload()
                try await page.wait(until: "document.body.dataset.state === 'ready'")
                let received = try await page.evaluate(
                    """
                    performance.getEntriesByType('resource').filter(({ name }) => /\\.(js|css)$/.test(name))
                      .map(({ transferSize }) => transferSize)
                    """
                ).items
                #expect(received.count > 50 && received.allSatisfy { $0 == 0 }, "\(received)")
            }
        }

        @Test(
            "In the first run, all REST responses are 200s. The second run sends the entity tags and receives only 304s"
        )
        func revalidation() async throws {
            try await withComparison { page in
                try await page.runBoth()
                let first = statuses(page)
                #expect(first.count > 1 && Set(first) == [200], "\(first)")
                #expect(try await page.cost("Not modified (304)") == ["0", "0"])
                try await page.runBoth()
                let second = statuses(page).dropFirst(first.count)
                #expect(second.count > 1 && Set(second) == [304], "\(second)")
                // With the first 304, the server stores the database version for which the body is valid. Later 304s
                // therefore run no statement.
                try await page.runBoth()
                #expect(
                    try await page.facts("rest").first?.wholeMatch(
                        of: /304 not modified · .* · 0 bytes · 0 statements/) != nil)
                #expect(try await page.cost("Not modified (304)") == ["1", "0"])
                #expect(try await page.text("#verdict-status") == "Same data: all 57 values are equal.")
                #expect(
                    try await page.text("#rest-exchanges .exchange > .help")
                        == "The response has no body. This is the cached response.")
                try await page.click("#revalidate")
                let before = statuses(page).count
                try await page.runBoth()
                #expect(Set(statuses(page).dropFirst(before)) == [200])
                #expect(try await page.cost("Not modified (304)") == ["0", "0"])
            }
        }

        @Test(
            "If a query is sent by hash, the warm-up registers it, the first run has 200s, and the second run has 304s"
        )
        func persisted() async throws {
            let query =
                "query Once { employee(id: 10004) { employeeNumber firstName lastName } } # \(UInt64.random(in: 0 ... .max))"
            try await withComparison(
                ["task": "own", "rest": "GET /employees/10004", "query": query, "sent": "hash"]
            ) { page in
                try await page.runBoth()
                let runs = try #require(try await page.measuredRuns())
                let first = try await page.facts("graphql")
                #expect(first.count == 1 && first.first?.hasPrefix("200 · hash known · ") == true, "\(first)")
                #expect(try await page.cost("Requests") == ["1", "1"])
                // The warm-up sends one more request, which contains the document.
                let requests = page.requests.filter { $0.hasPrefix(page.origin + "/graphql") }
                #expect(requests.count { $0.hasSuffix("/graphql") } == 1 && requests.count == runs + 2, "\(requests)")
                #expect(
                    try await page.text("#runs-note").hasSuffix("The warm-up run registered the hash of the query."))
                #expect(try await page.evaluate("document.querySelector('#graphql-answers-problems').hidden") == true)
                #expect(try await page.text("#verdict-status") == "Same data: all 3 values are equal.")
                try await page.runBoth()
                let second = try await page.facts("graphql")
                #expect(
                    second.count == 1 && second.first?.hasPrefix("304 not modified · hash known · ") == true,
                    "\(second)")
                #expect(try await page.text("#runs-note").contains("registered") == false)
                #expect(try await page.cost("Not modified (304)") == ["1", "1"])
            }
        }

        @Test("The page shows the response of a request, the phases in the server and the header fields for caching")
        func details() async throws {
            try await withComparison { page in
                try await page.runBoth()
                #expect(try await page.texts("#rest-exchanges .phases dt") == ["parse", "plan", "sql", "encode"])
                #expect(
                    try await page.texts("#rest-exchanges .phase-sql dd").first?.hasSuffix("· 3 statements") == true)
                let fields = try await page.evaluate(
                    "Object.fromEntries([...document.querySelectorAll('#rest-exchanges .exchange-fields div')].map((one) => [one.children[0].innerText, one.children[1].innerText]))"
                )
                #expect(fields["Cache-Control"] == "max-age=60, public")
                #expect(fields["Surrogate-Key"] == "Employee:10004")
                #expect(fields["ETag"]?.string?.hasPrefix("\"") == true)
                let answer = try JSONValue(parsing: try await page.text("#rest-exchanges .exchange-body").utf8)
                #expect(answer["firstName"] == "Chirstian")
            }
        }

        @Test(
            "A header field with many cache tags is collapsed to their number. The columns of all fields are aligned"
        )
        func foldedFields() async throws {
            try await withComparison(["task": "list"]) { page in
                try await page.runBoth()
                #expect(try await page.texts("#rest-exchanges .exchange-fields summary") == ["101 tags"])
                let field = "document.querySelector('#rest-exchanges .exchange-fields details')"
                #expect(try await page.evaluate("\(field).open") == false)
                #expect(try await page.evaluate("\(field).closest('div').firstChild.innerText") == "Surrogate-Key")
                try await page.click("#rest-exchanges .exchange-fields summary")
                try await page.wait(until: "\(field).open")
                #expect(try await page.text("#rest-exchanges .exchange-fields details").contains("Employee:10001"))
                for column in ["dt", "dd"] {
                    let edges = try await page.evaluate(
                        "new Set([...document.querySelectorAll('#rest-exchanges .exchange-fields \(column)')].map((one) => one.getBoundingClientRect().left)).size"
                    )
                    #expect(edges == 1)
                }
            }
        }
    }
}
