import DuetJSON
import Testing

extension ComparisonPageTests {
    @Suite("Tasks that write")
    struct Writing {
        private func lastName(_ page: BrowserPage) async throws -> String? {
            try await page.evaluate(
                "fetch('/employees/10050', { cache: 'no-store' }).then((answer) => answer.json()).then(({ lastName }) => lastName)"
            ).string
        }

        private func rename(_ page: BrowserPage, _ name: String) async throws {
            try await page.evaluate(
                """
                fetch('/employees/10050', { method: 'PATCH', headers: { 'Content-Type': 'application/json' }, \
                  body: '{"lastName":"\(name)"}' }).then(({ status }) => status)
                """)
        }

        @Test(
            "A task that writes does not run automatically, makes the same change on both sides and restores the value",
            arguments: ["post", "hash"])
        func putBack(sent: String) async throws {
            try await withComparison(["task": "write", "sent": sent]) { page in
                #expect(try await page.text("#task-note").hasPrefix("This task writes: "))
                #expect(page.requests.allSatisfy { !$0.contains("/employees") && !$0.hasSuffix("/graphql") })
                try await rename(page, "Before")
                try await page.runBoth()
                #expect(try await page.text("#rest-status") == "Status 200")
                // If the request is sent by hash, the server rejects the first request, because the hash is unknown.
                #expect(try await page.facts("graphql").last?.hasPrefix("200 · ") == true)
                #expect(try await page.text("#verdict-status") == "Same data: all 2 values are equal.")
                #expect(try await page.text("#rest-exchanges .exchange-facts").hasPrefix("200 · "))
                #expect(try await lastName(page) == "Before")
                #expect(try await page.text("#announcement") == #"The page restored the value: {"lastName":"Before"}"#)
                // The test sets the previous value once, and the page restores the value after each side.
                let bodies = page.events("Network.requestWillBeSent").compactMap { $0["request"]?["postData"]?.string }
                #expect(bodies.count { $0 == #"{"lastName":"Marchetti"}"# } == 1)
                #expect(bodies.count { $0 == #"{"lastName":"Before"}"# } == 3)
                #expect(try await page.text("#costs caption") == "Costs (times: one run)")
                #expect(
                    try await page.text("#runs-note")
                        == "The page runs a task only once if it writes, or if it contains a syntax error.")
                #expect(try await page.text("#headline").contains("faster") == false)
                try await page.choose("names", of: "#task")
                #expect(try await page.text("#task-note") == "")
            }
        }

        @Test("The previous state is restored even if the response does not arrive")
        func stopped() async throws {
            try await withComparison(["task": "write"]) { page in
                try await rename(page, "Before")
                try await page.holdRequests()
                try await page.waitForEvent("Fetch.requestPaused") { try await page.click("#run") }
                try await page.waitForEvent("Network.loadingFailed") { try await page.click("#run") }
                try await page.wait(until: "document.body.dataset.run === 'idle'")
                #expect(try await page.text("#graphql-status") == "You stopped the requests.")
                #expect(try await lastName(page) == "Before")
            }
        }

        @Test("The previous state is restored before another selected task runs")
        func dropped() async throws {
            try await withComparison(["task": "write"]) { page in
                try await rename(page, "Before")
                try await page.holdRequests()
                let held = try await page.waitForEvent("Fetch.requestPaused") { try await page.click("#run") }
                try await page.waitForEvent("Network.loadingFailed") { try await page.choose("names", of: "#task") }
                try await page.discard(held)
                try await page.send("Fetch.disable")
                try await page.choose("write", of: "#task")
                try await page.runBoth()
                #expect(try await page.text("#verdict-status") == "Same data: all 2 values are equal.")
                #expect(try await lastName(page) == "Before")
                let bodies = page.events("Network.requestWillBeSent").compactMap { $0["request"]?["postData"]?.string }
                #expect(bodies.filter { $0.hasPrefix(#"{"lastName""#) && $0.contains("Marchetti") }.count == 2)
            }
        }

        @Test(
            "The page restores a value only if the value is the one that the page wrote",
            arguments: [
                ("Theirs", #"Another client changed the value to {"lastName":"Theirs"}. The page did not restore it."#),
                ("Marchetti", #"The page restored the value: {"lastName":"Before"}"#),
                ("Before", #"The value is unchanged: {"lastName":"Before"}"#),
            ])
        func othersWrite(name: String, announcement: String) async throws {
            try await withComparison(["task": "names"]) { page in
                try await rename(page, "Before")
                try await page.evaluate(
                    """
                    import('\(BrowserPage.files)/comparison/put-back.js').then(({ remembered }) => remembered('/employees/10050?fields=lastName'))
                      .then((putBack) => { window.putBack = putBack; })
                    """)
                try await rename(page, name)
                let sent = #"PATCH /employees/10050 {\"lastName\":\"Marchetti\"}"#
                #expect(try await page.evaluate("putBack('\(sent)')").string == announcement)
                #expect(try await lastName(page) == (name == "Theirs" ? name : "Before"))
            }
        }

        @Test("The page shows the errors in the payload of a mutation")
        func refused() async throws {
            let state: KeyValuePairs = [
                "task": "own", "rest": "GET /employees/10004?fields=lastName",
                "query":
                    "mutation { updateEmployee(input: { id: 1, lastName: \"A\" }) { employee { lastName } errors { message } } }",
            ]
            try await withComparison(state) { page in
                try await page.runBoth()
                #expect(
                    try await page.text("#verdict-status") == "GraphQL returned an error: there is no employee 1")
                #expect(try await page.text("#headline") == "The responses cannot be compared.")
                #expect(page.sidesOfRequests() == "RG")
            }
        }
    }
}
