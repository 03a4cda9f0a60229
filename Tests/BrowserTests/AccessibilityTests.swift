import DuetJSON
import Testing

extension ExplorerTests {
    @Suite("Accessibility of the explorer")
    struct Accessibility {
        @Test("The Tab key reaches every control in visual order, and no control traps the focus")
        func tabOrder() async throws {
            try await withExplorer(explorer(query: "query A { departments { x } } query B { departments { id } }")) {
                page in
                try await page.press("Enter", .control)
                try await page.waitForAnswer()
                var reached: [String] = []
                for _ in 0..<200 {
                    try await page.press("Tab")
                    let focused =
                        try await page.evaluate(
                            """
                            (() => {
                              const focused = document.activeElement;
                              if (focused === document.body) return 'the end';
                              if (!focused.dataset.number) focused.dataset.number = String(document.querySelectorAll('[data-number]').length);
                              return focused.id || `${focused.tagName} ${focused.dataset.number} ${focused.textContent}`;
                            })()
                            """
                        ).string ?? ""
                    guard focused != "the end", !reached.contains(focused) else { break }
                    reached.append(focused)
                    // Tab indents in an editor. After Escape, Tab leaves the editor.
                    if focused == "query" || focused == "variables" { try await page.press("Escape") }
                }
                let named = reached.filter { !$0.contains(" ") }
                #expect(
                    named == [
                        "access-state", "sidebar-toggle", "run", "operation", "prettify", "copy-curl", "copy-link",
                        "query",
                        "variables",
                        "response-download", "response-body", "tab-docs", "docs-search",
                    ])
                let unreached = try await page.controls(without: "data-number")
                #expect(unreached == [])
                #expect(
                    try await page.text(Part.query) == "query A { departments { x } } query B { departments { id } }")
            }
        }

        @Test("The keyboard can select a tab and an example, and can run the query from the editor")
        func keyboard() async throws {
            try await withExplorer { page in
                try await page.evaluate("document.querySelector('#tab-docs').focus()")
                try await page.press("ArrowRight")
                #expect(
                    try await page.evaluate(
                        "[document.activeElement.id, document.querySelector('#panel-examples').hidden]") == [
                            "tab-examples", false,
                        ])
                try await page.press("Tab", times: 3)
                try await page.press("Enter")
                #expect(try await page.evaluate("document.activeElement.id") == "query")
                #expect(try await page.text(Part.query).contains("departments"))
                try await page.press("Enter", .control)
                try await page.waitForAnswer()
                #expect(try await page.evaluate("document.activeElement.id") == "query")
            }
        }

        @Test("The skip link moves the focus to the query, and does not change the query or the URL")
        func skipLink() async throws {
            try await withExplorer(explorer(query: "{ departments { id } }")) { page in
                let address = try await page.evaluate("location.href")
                try await page.followSkipLink()
                #expect(try await page.evaluate("document.activeElement.id") == "query")
                #expect(try await page.text(Part.query) == "{ departments { id } }")
                #expect(try await page.evaluate("location.href") == address)
            }
        }

        @Test("The focused element has a visible outline")
        func focus() async throws {
            try await withExplorer { page in
                for _ in 0..<6 {
                    try await page.press("Tab")
                    #expect(try await page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid")
                }
                try await page.evaluate("document.querySelector('#query').focus()")
                #expect(
                    try await page.evaluate("getComputedStyle(document.querySelector('.editor-large')).outlineStyle")
                        == "solid")
            }
        }

        @Test("Every control and every region has an accessible name")
        func names() async throws {
            try await withExplorer(explorer(query: "query A { departments { x } } query B { departments { id } }")) {
                page in
                try await page.press("Enter", .control)
                try await page.waitForAnswer()
                let (seen, unnamed) = try await page.namedParts()
                #expect(seen > 20)
                #expect(unnamed == [])
            }
        }

        @Test("A response is announced in a live region")
        func announcement() async throws {
            try await withExplorer { page in
                try await page.press("Enter", .control)
                try await page.waitForAnswer()
                let nodes = try await page.send("Accessibility.getFullAXTree")["nodes"]?.items ?? []
                let live = nodes.filter {
                    $0["properties"]?.items.contains { $0["name"] == "live" && $0["value"]?["value"] == "polite" }
                        == true
                }
                #expect(live.count >= 2)
                #expect(
                    try await page.evaluate(
                        "document.querySelector('#response-status').closest('[role=status]') !== null") == true)
            }
        }

        @Test("Texts have sufficient contrast in light and dark mode", arguments: [false, true])
        func contrast(isDark: Bool) async throws {
            let query = """
                # a comment
                query A($id: ID! = "x") { employee(id: $id) @skip(if: false) { nonsense ... on Employee { id } } }
                query B { employees(first: 1, sort: {field: HIRE_DATE}) { nodes { id } } }
                """
            try await withExplorer(explorer(query: query)) { page in
                if isDark { try await page.setDark() }
                let dark = try await page.evaluate("getComputedStyle(document.body).backgroundColor")
                #expect((dark == "rgb(17, 22, 28)") == isDark)
                for operation in ["query A", "query B"] {
                    try await page.putCaret(behind: operation)
                    try await page.press("Enter", .control)
                    try await page.wait(until: "document.querySelector('#run').innerText === 'Run'")
                    try await page.press("End")
                    try await page.press(" ", .control)
                    let found = try await page.faintTexts()
                    #expect(found["faint"] == [])
                    #expect((found["count"]?.integer ?? 0) > 100)
                }
            }
        }

        @Test("On a phone, all content fits the width of the screen and can be used", arguments: [360, 320])
        func phone(width: Int) async throws {
            try await withExplorer(phoneWidth: width) { page in
                try await page.click("#run")
                try await page.waitForAnswer()
                #expect(try await page.evaluate("document.documentElement.scrollWidth").integer == width)
                let cut = try await page.cut("button, input, select, .editor, h1, h2, h3, #response-body")
                #expect(cut == [])
                try await page.click("#tab-examples")
                try await page.click("#examples-list li:nth-child(3) button")
                #expect(try await page.text(Part.query).contains("departments"))
            }
        }

        @Test("The sidebar can be hidden, and the editors then use its space")
        func sidebar() async throws {
            try await withExplorer { page in
                let before = try await page.evaluate("document.querySelector('main').offsetWidth").integer ?? 0
                try await page.click("#sidebar-toggle")
                #expect(
                    try await page.evaluate("document.querySelector('#sidebar-toggle').getAttribute('aria-expanded')")
                        == "false")
                #expect(try await page.evaluate("document.querySelector('main').offsetWidth").integer ?? 0 > before)
            }
        }
    }
}
