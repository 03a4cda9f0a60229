import DuetJSON
import Testing

extension ComparisonPageTests {
    @Suite("Opening the page")
    struct Opening {
        @Test("Opening the page without a state in the URL runs the first task, and a reload runs the task again")
        func first() async throws {
            try await withOpenedComparison { page in
                for _ in 0..<2 {
                    #expect(try await page.text("#task") == "published-example")
                    #expect(try await page.texts(".summary") == ["Status 200", "Status 200"])
                    #expect(try await page.text("#verdict-status") == "Same data: all 57 values are equal.")
                    #expect(try await page.text("#headline").hasPrefix("Same data. "))
                    #expect(try await page.cost("SQL statements") == ["3", "3"])
                    #expect(try await page.evaluate("location.hash") == "")
                    try await page.reload()
                    try await page.wait(until: "document.body.dataset.state === 'ready'")
                    try await page.waitForBoth()
                }
                // After a change, the URL contains the state.
                try await page.choose("hash", of: "#sent")
                #expect(try await page.evaluate("location.hash") == "#task=published-example&sent=hash")
            }
        }

        @Test("After the automatic run, the first run by the user has only 200s, and the second run has 304s")
        func tags() async throws {
            try await withOpenedComparison { page in
                try await page.runBoth()
                #expect(try await page.cost("Not modified (304)") == ["0", "0"])
                let first = try await page.text("#headline")
                #expect(!first.contains("304"), "\(first)")
                try await page.runBoth()
                #expect(try await page.cost("Not modified (304)") == ["1", "0"])
                let second = try await page.text("#headline")
                #expect(second.hasPrefix("Same data. REST revalidated 1 cached response (304), "), "\(second)")
            }
        }

        @Test(
            "Opening a link with a task, a tab or custom requests runs nothing automatically",
            arguments: [
                ["task": "badge"], ["view": "task"],
                ["task": "own", "rest": "GET /employees/10004", "query": "{ employee(id: 10004) { lastName } }"],
            ] as [KeyValuePairs<String, String>])
        func link(state: KeyValuePairs<String, String>) async throws {
            try await withComparison(state) { page in
                #expect(try await page.evaluate("document.body.dataset.run") == "idle")
                #expect(try await page.text("#headline") == "Run both sides to compare them.")
                #expect(try await page.texts(".summary") == ["Not run yet.", "Not run yet."])
                #expect(Set(try await page.texts("#costs td").dropFirst()) == ["–"])
                try await page.evaluate("location.hash = '#task=names'")
                try await page.wait(until: "document.querySelector('#task').value === 'names'")
                #expect(try await page.evaluate("document.body.dataset.run") == "idle")
                #expect(page.sidesOfRequests() == "")
            }
        }

        @Test(
            "A first task that writes or has a syntax error does not run automatically",
            arguments: [
                ("PATCH /employees/10050 {\\\"lastName\\\":\\\"A\\\"}", "{ departments { nodes { id } } }"),
                ("GET /departments", "mutation { updateEmployee(input: { id: 1 }) { errors { message } } }"),
                ("GET /departments", "{ unfinished"),
            ])
        func writing(rest: String, query: String) async throws {
            try await withBrowserPage(sourceLocation: #_sourceLocation) { page in
                try await page.holdRequests(to: "*/comparison/tasks.json")
                let held = try await page.waitForEvent("Fetch.requestPaused") { try await page.open("/") }
                let tasks =
                    #"[{"name":"first","sentence":"First.","rest":["\#(rest)"],"graphql":["\#(query)"]}]"#
                try await page.answer(held, status: 200, mediaType: "application/json", body: tasks)
                try await page.wait(until: "document.body.dataset.state === 'ready'")
                #expect(try await page.text("#task") == "first")
                #expect(try await page.evaluate("document.body.dataset.run") == "idle")
                #expect(page.sidesOfRequests() == "")
            }
        }

        @Test("Selecting another task stops the automatic run, and the selected task does not run automatically")
        func another() async throws {
            try await withBrowserPage(sourceLocation: #_sourceLocation) { page in
                try await page.holdRequests()
                try await page.waitForEvent("Fetch.requestPaused") { try await page.open("/") }
                try await page.wait(until: "document.body.dataset.state === 'ready'")
                #expect(try await page.evaluate("document.body.dataset.run") == "running")
                try await page.waitForEvent("Network.loadingFailed") { try await page.choose("names", of: "#task") }
                #expect(try await page.evaluate("document.body.dataset.run") == "idle")
                #expect(try await page.text("#headline") == "Run both sides to compare them.")
                #expect(page.sidesOfRequests() == "RG")
            }
        }

        @Test(
            "The result of the comparison precedes both sides in the HTML and is above both sides on the screen",
            arguments: [nil, 375] as [Int?])
        func order(phoneWidth: Int?) async throws {
            try await withOpenedComparison(phoneWidth: phoneWidth) { page in
                let order = try await page.evaluate(
                    """
                    [...document.querySelectorAll('.tools, #headline, #verdict-status, #costs, #rest-side, #graphql-side')]
                      .map((one) => one.id || one.className)
                    """)
                #expect(order == ["tools", "headline", "verdict-status", "costs", "rest-side", "graphql-side"])
                let isAbove = try await page.evaluate(
                    """
                    document.querySelector('#result').getBoundingClientRect().bottom \
                      <= Math.min(...[...document.querySelectorAll('.side')].filter((one) => one.checkVisibility()) \
                      .map((one) => one.getBoundingClientRect().top))
                    """)
                #expect(isAbove == true)
                let isWhole = try await page.evaluate(
                    "document.documentElement.scrollWidth === document.documentElement.clientWidth")
                #expect(isWhole == true)
            }
        }

        @Test(
            "The rows of the cost table do not move during or after a run. On a phone, only the whole table moves",
            arguments: [nil, 375] as [Int?])
        func layout(phoneWidth: Int?) async throws {
            try await withComparison { page in
                if let phoneWidth { try await page.resize(width: phoneWidth, height: 800, isMobile: true) }
                func places() async throws -> [Double] {
                    let text = try await page.evaluate(
                        """
                        [...document.querySelectorAll('#costs tr\(phoneWidth == nil ? ", #rest-side" : "")')]
                          .map((one) => one.getBoundingClientRect().top).join(' ')
                        """)
                    let tops = (text.string ?? "").split(separator: " ").compactMap { Double($0) }
                    let origin = phoneWidth == nil ? 0 : tops.first ?? 0
                    return tops.map { $0 - origin }
                }
                let before = try await places()
                #expect(before.count > 10)
                // A different font in the caption can move the rows by a part of a pixel.
                func isUnchanged(_ after: [Double]) -> Bool {
                    after.count == before.count && zip(after, before).allSatisfy { abs($0 - $1) < 1 }
                }
                try await page.holdRequests()
                try await page.waitForEvent("Fetch.requestPaused") { try await page.click("#run") }
                let during = try await places()
                #expect(isUnchanged(during), "\(before) \(during)")
                try await page.waitForEvent("Network.loadingFailed") { try await page.click("#run") }
                try await page.wait(until: "document.body.dataset.run === 'idle'")
                try await page.send("Fetch.disable")
                try await page.runBoth()
                let after = try await places()
                #expect(isUnchanged(after), "\(before) \(after)")
            }
        }

        @Test("A screen reader announces the start and the result of a run once, and does not announce repeated runs")
        func announced() async throws {
            try await withComparison { page in
                try await page.evaluate(
                    """
                    window.heard = [];
                    for (const one of document.querySelectorAll('[role=status]')) {
                      if (!one.checkVisibility() && one.closest('#panel-screen')) continue;
                      new MutationObserver(() => window.heard.push(one.textContent))
                        .observe(one, { childList: true, characterData: true, subtree: true });
                    }
                    """)
                try await page.runBoth()
                let headline = try await page.text("#headline")
                #expect(try await page.evaluate("window.heard") == ["Running both sides…", .string(headline)])
            }
        }
    }
}
