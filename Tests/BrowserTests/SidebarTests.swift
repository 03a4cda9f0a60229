import DuetJSON
import Testing

extension ExplorerTests {
    @Suite("Sidebar")
    struct Sidebar {
        @Test("Links in the docs lead from type to type, and the back button returns to the previous page")
        func docs() async throws {
            try await withExplorer { page in
                #expect(try await page.texts("#docs-page h3") == ["Schema"])
                try await page.click("#docs-page .type-link")
                #expect(try await page.texts("#docs-page h3") == ["type Query"])
                #expect(try await page.evaluate("document.activeElement.tagName") == "H3")
                let employees =
                    try await page.texts("#docs-page .members > li").first { $0.hasPrefix("employees") } ?? ""
                #expect(employees.contains("The employees in pages."))
                #expect(employees.contains("first: Int! = 100"))
                try await page.evaluate(
                    "[...document.querySelectorAll('.type-link')].find((link) => link.textContent === 'EmployeeAggregateKeyInput').click()"
                )
                let fields = try await page.evaluate("document.querySelector('#docs-page h4').textContent")
                #expect(fields == "Exactly one of these fields")
                try await page.click("#docs-page .back")
                try await page.evaluate(
                    "[...document.querySelectorAll('.type-link')].find((link) => link.textContent === 'EmployeeSort').click()"
                )
                try await page.evaluate(
                    "[...document.querySelectorAll('.type-link')].find((link) => link.textContent === 'SortDirection').click()"
                )
                #expect(try await page.texts("#docs-page h3") == ["enum SortDirection"])
                #expect(try await page.texts("#docs-page .members code") == ["ASCENDING", "DESCENDING"])
                for title in ["input EmployeeSort", "type Query", "Schema"] {
                    try await page.click("#docs-page .back")
                    #expect(try await page.texts("#docs-page h3") == [title])
                }
                #expect(try await page.evaluate("document.querySelector('#docs-page .back')") == .null)
            }
        }

        @Test("A search in the docs finds fields by name")
        func search() async throws {
            try await withExplorer { page in
                try await page.click("#docs-search")
                try await page.type("cursor")
                #expect(
                    try await page.texts("#docs-page .type-link") == [
                        "EmployeeEdge.cursor", "TitleEdge.cursor", "SalaryEdge.cursor", "PageInfo.startCursor",
                        "PageInfo.endCursor",
                    ])
                #expect(try await page.texts("#docs-page h3") == ["5 results"])
                try await page.press("Tab")
                try await page.press("Enter")
                #expect(try await page.texts("#docs-page h3") == ["type EmployeeEdge"])
                #expect(try await page.text("#docs-search") == "")
            }
        }

        @Test(
            "The history lists each query once, with the latest first. It survives a reload and can be cleared"
        )
        func history() async throws {
            let one = "query One($id: ID!) { employee(id: $id) { id } }"
            try await withExplorer(explorer(query: one, variables: "{\"id\": 10001}")) { page in
                for query in [one, "{ departments { id } }", one] {
                    try await page.evaluate(
                        """
                        (() => {
                          const field = document.querySelector('#query');
                          field.value = \(page.literal(query));
                          field.dispatchEvent(new Event('input'));
                        })()
                        """)
                    try await page.press("Enter", .control)
                    try await page.wait(until: "document.querySelector('#run').innerText === 'Run'")
                }
                try await page.open("/graphql")
                try await page.wait(until: "document.body.dataset.schema")
                #expect(try await page.text(Part.query).hasPrefix("# One employee with their history"))
                try await page.click("#tab-history")
                #expect(try await page.texts(".entry-title").suffix(2) == ["One", "Without a name"])
                try await page.click("#history-list button")
                #expect(try await page.text(Part.query) == one)
                #expect(try await page.text(Part.variables) == "{\"id\": 10001}")
                try await page.click("#history-clear")
                #expect(try await page.texts("#history-list li") == [])
                try await page.reload()
                try await page.wait(until: "document.body.dataset.schema")
                #expect(try await page.evaluate("document.querySelectorAll('#history-list li').length") == 0)
            }
        }

        @Test("The history has at most fifty queries")
        func bounded() async throws {
            try await withExplorer { page in
                try await page.evaluate(
                    """
                    localStorage.setItem('duet.explorer.history', JSON.stringify(Array.from({ length: 60 }, (_, index) => (
                      { query: `{ a${index} }`, variables: '', operationName: null, at: index }))))
                    """)
                try await page.reload()
                try await page.wait(until: "document.body.dataset.schema")
                #expect(try await page.evaluate("document.querySelectorAll('#history-list li').length") == 50)
                try await page.press("Enter", .control)
                try await page.waitForAnswer()
                #expect(try await page.evaluate("document.querySelectorAll('#history-list li').length") == 50)
                #expect(
                    try await page.evaluate("JSON.parse(localStorage.getItem('duet.explorer.history')).length") == 50)
            }
        }

        @Test("No example has a marked problem, and each example that is a query runs without an error")
        func examples() async throws {
            try await withExplorer { page in
                try await page.click("#tab-examples")
                let count = try await page.texts("#examples-list button").count
                #expect(count >= 5)
                for number in 1...max(count, 1) {
                    try await page.click("#examples-list li:nth-child(\(number)) button")
                    #expect(try await page.texts("#query-problems li") == [])
                    let query = try await page.text(Part.query)
                    // The last example is a mutation. The test omits it, because the mutation can succeed only once.
                    guard !query.contains("mutation") else { continue }
                    try await page.press("Enter", .control)
                    try await page.wait(until: "document.querySelector('#run').innerText === 'Run'")
                    #expect(
                        try await page.evaluate("document.querySelector('#response-status').dataset.state") == "fine",
                        "\(query)")
                    #expect(try await page.text("#response-facts").contains("2 parts") == query.contains("@defer"))
                }
            }
        }

        @Test("Prettify does not change the examples, which are already formatted")
        func exampleLayout() async throws {
            try await withExplorer { page in
                let differing = try await page.evaluate(
                    """
                    Promise.all([import('\(BrowserPage.files)/explorer/examples.js'), import('\(BrowserPage.files)/explorer/prettify.js')]).then(([{ EXAMPLES }, { prettify }]) =>
                      EXAMPLES.filter(({ query }) => prettify(query) !== query).map(({ query }) => prettify(query)))
                    """)
                #expect(differing == [])
            }
        }
    }
}
