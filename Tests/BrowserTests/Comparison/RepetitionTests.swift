import DuetJSON
import Testing

extension ComparisonPageTests {
    @Suite("Repeated runs")
    struct Repetition {
        @Test("A task without writes runs once to warm up. Then the side that starts alternates with each measured run")
        func turns() async throws {
            try await withComparison { page in
                try await page.runBoth()
                let runs = try #require(try await page.measuredRuns())
                #expect((1...5).contains(runs))
                let expected = "RG" + (0..<runs).map { $0.isMultiple(of: 2) ? "RG" : "GR" }.joined()
                #expect(page.sidesOfRequests() == expected)
                #expect(try await page.text("#runs-note").hasPrefix("A warm-up run preceded the measured run"))
                // The page shows the costs of a single run.
                #expect(try await page.cost("Requests") == ["1", "1"])
                #expect(try await page.texts(".exchange").count == 2)
            }
        }

        @Test("There are one to five measured runs, and no further run after an error")
        func bounds() async throws {
            try await withComparison { page in
                let results = try await page.evaluate(
                    """
                    import('\(BrowserPage.files)/comparison/repetition.js').then(async ({ repeated }) => {
                      const run = async (begin, isFine) => {
                        let order = '';
                        const turns = await repeated(['R', 'G'].map((side) => async () => { order += side; return side + order.length; }), begin, isFine);
                        return [order, turns.length, turns[0].map((one) => one[0]).join('')];
                      };
                      return [
                        await run(performance.now() + 60_000, () => true), await run(performance.now() - 60_000, () => true),
                        await run(performance.now() + 60_000, (result) => result !== 'G3'),
                      ];
                    })
                    """)
                #expect(results == [["RGGRRGGRRG", 5, "RG"], ["RG", 1, "RG"], ["RGGR", 1, "RG"]])
            }
        }

        @Test("The times are medians of all runs, and the displayed responses are the responses of the median run")
        func medians() async throws {
            try await withComparison { page in
                let results = try await page.evaluate(
                    """
                    Promise.all([import('\(BrowserPage.files)/comparison/costs.js'), import('\(BrowserPage.files)/comparison/medians.js')]).then(([{ costsOf }, { medianItem }]) => {
                      const run = (end) => ({ rounds: 1, exchanges: [{
                        round: 0, start: 0, end, sent: 1, received: { encoded: 2, plain: 3, fields: 4, tags: 0 }, headers: new Headers(),
                        metrics: [{ name: 'sql', milliseconds: end / 2, description: '1' }, { name: 'total', milliseconds: 100 }],
                      }] });
                      return [[6, 2, 10], [6, 2, 10, 4]].map((ends) => {
                        const runs = ends.map(run);
                        const { elapsed, serverTime, transferred } = costsOf(runs[0], undefined, runs);
                        return [elapsed, serverTime, transferred, medianItem(runs, ({ exchanges }) => exchanges[0].end).exchanges[0].end];
                      });
                    })
                    """)
                #expect(results == [[6, 3, 2, 6], [5, 2.5, 2, 4]])
            }
        }

        @Test(
            "Requests that write or have a syntax error run once on each side, and the page states the reason",
            arguments: [
                (
                    "GET /employees/10004?fields=lastName",
                    "mutation { updateEmployee(input: { id: 1, lastName: \"A\" }) { employee { lastName } errors { message } } }"
                ),
                ("DELETE /employees/none", "{ employee(id: 10004) { lastName } }"),
                ("GET /employees/10004?fields=lastName", "{ employee(id: 10004) { lastName "),
            ])
        func once(rest: String, query: String) async throws {
            try await withComparison(["task": "own", "rest": rest, "query": query]) { page in
                try await page.runBoth()
                #expect(page.sidesOfRequests() == "RG")
                #expect(try await page.text("#costs caption") == "Costs (times: one run)")
                #expect(
                    try await page.text("#runs-note")
                        == "The page runs a task only once if it writes, or if it contains a syntax error.")
            }
        }

        @Test("After an error in the warm-up run, the page shows the error and does not repeat the run")
        func failure() async throws {
            let state: KeyValuePairs = [
                "task": "own", "rest": "GET /employees/10004?details=title",
                "query": "{ employee(id: 10004) { lastName } }",
            ]
            try await withComparison(state) { page in
                try await page.runBoth()
                #expect(page.sidesOfRequests() == "RG")
                #expect(try await page.texts(".summary") == ["Status 400", "Status 200"])
                #expect(try await page.text("#headline") == "The responses cannot be compared.")
                #expect(try await page.text("#costs caption") == "Costs (times: one run)")
            }
        }

        @Test("Stopping a run stops all its repetitions")
        func stop() async throws {
            try await withComparison { page in
                try await page.holdRequests()
                let first = try await page.waitForEvent("Fetch.requestPaused") { try await page.click("#run") }
                // The second request of GraphQL belongs to the first measured run.
                let second = try await page.waitForEvent("Fetch.requestPaused") {
                    try await page.send("Fetch.continueRequest", ["requestId": first["requestId"] ?? .null])
                }
                #expect(try await page.texts(".summary") == ["Status 200", "Status 200"])
                #expect(try await page.evaluate("document.body.dataset.run") == "running")
                try await page.waitForEvent("Network.loadingFailed") { try await page.click("#run") }
                try await page.discard(second)
                try await page.send("Fetch.disable")
                try await page.wait(until: "document.body.dataset.run === 'idle'")
                #expect(page.sidesOfRequests() == "RGRG")
                #expect(try await page.text("#headline") == "You stopped the run.")
                #expect(try await page.evaluate("document.querySelector('#result').dataset.state") == "empty")
                try await page.runBoth()
                #expect(try await page.text("#headline").hasPrefix("Same data. "))
            }
        }
    }
}
