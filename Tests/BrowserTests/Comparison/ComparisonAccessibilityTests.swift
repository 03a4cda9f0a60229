import DuetJSON
import Testing

extension ComparisonAnswerTests {
    @Suite("Accessibility of the comparison page")
    struct Accessibility {
        @Test("The Tab key reaches every control in visual order, and no control traps the focus")
        func tabOrder() async throws {
            try await withComparison { page in
                try await page.runBoth()
                var reached: [String] = []
                for _ in 0..<80 {
                    try await page.press("Tab")
                    let focused =
                        try await page.evaluate(
                            """
                            (() => {
                              const focused = document.activeElement;
                              if (focused === document.body) return 'the end';
                              focused.dataset.reached = 'yes';
                              return focused.id || focused.tagName;
                            })()
                            """
                        ).string ?? ""
                    guard focused != "the end" else { break }
                    reached.append(focused)
                    // Tab indents in an editor. After Escape, Tab leaves the editor.
                    if ["rest", "query", "variables"].contains(focused) { try await page.press("Escape") }
                }
                #expect(
                    reached == [
                        "A", "A", "A", "A", "access-state", "tab-task", "task", "run", "live", "pages", "revalidate",
                        "copy-link", "rest-curl", "rest",
                        "SUMMARY", "PRE", "SUMMARY", "sent", "graphql-curl", "query", "variables", "SUMMARY", "PRE",
                        "SUMMARY",
                    ])
                #expect(try await page.controls(without: "data-reached") == [])
            }
        }

        @Test("With only the keyboard, a user can run a task, collapse a response and open the list of people")
        func keyboard() async throws {
            try await withComparison { page in
                try await page.evaluate("document.querySelector('#task').focus()")
                try await page.press("ArrowDown")
                try await page.wait(until: "document.querySelector('#task').value === 'published-example-by-resource'")
                try await page.runBoth()
                #expect(try await page.cost("Requests") == ["3", "1"])
                #expect(try await page.texts("#rest-exchanges .exchange-body").count == 3)
                try await page.evaluate("document.querySelector('#rest-exchanges summary').focus()")
                try await page.press("Enter")
                try await page.wait(until: "document.querySelector('#rest-exchanges details').open === false")
                #expect(
                    try await page.evaluate(
                        "document.querySelector('#rest-exchanges .exchange-body').checkVisibility()")
                        == false)
                try await page.evaluate("document.querySelector('#tab-task').focus()")
                try await page.press("ArrowRight")
                try await page.wait(until: "document.querySelectorAll('#rest-screen li').length === 30")
                #expect(try await page.evaluate("location.hash").string?.hasSuffix("view=screen") == true)
            }
        }

        @Test("Every control and every region has an accessible name", arguments: ["task", "screen"])
        func names(view: String) async throws {
            try await withComparison(["task": "three-levels", "view": view]) { page in
                if view == "task" { try await page.runBoth() }
                let (count, unnamed) = try await page.namedParts()
                #expect(count >= 8)
                #expect(unnamed == [])
            }
        }

        @Test("The open copy dialog and its controls have accessible names")
        func dialogNames() async throws {
            try await withComparison { page in
                try await page.setPermission("clipboard-write", "denied")
                try await page.click("#copy-link")
                try await page.wait(until: "document.querySelector('#copy-dialog').open")
                // The modal dialog hides the rest of the page from the accessibility tree.
                let (count, unnamed) = try await page.namedParts()
                #expect(count >= 3)
                #expect(unnamed == [])
            }
        }

        @Test("Texts have sufficient contrast in light and dark mode", arguments: [false, true])
        func contrast(isDark: Bool) async throws {
            let state: KeyValuePairs = [
                "task": "own",
                "rest": "GET /employees/10004?details=title\nPOST /employees {\"a\": [1, true]}\nGET /employees/10004",
                "query": "query Q($a: ID = 1) { employee(id: $a) { titles { nonsense } } } # why",
                "variables": "{\"a\": \"b\"}",
            ]
            try await withComparison(state) { page in
                if isDark { try await page.setDark() }
                let background = try await page.evaluate("getComputedStyle(document.body).backgroundColor")
                #expect((background == "rgb(17, 22, 28)") == isDark)
                try await page.runBoth()
                let wrong = try await page.faintTexts()
                #expect(wrong["faint"] == [])
                #expect((wrong["count"]?.integer ?? 0) > 80)
                try await page.choose("badge", of: "#task")
                try await page.runBoth()
                try await page.click("#rest-exchanges .statements summary")
                try await page.wait(until: "document.querySelector('#rest-exchanges .sql')")
                #expect(try await page.faintTexts()["faint"] == [])
                try await page.click("#tab-screen")
                try await page.wait(until: "document.querySelectorAll('#graphql-screen li').length === 30")
                #expect(try await page.faintTexts()["faint"] == [])
            }
        }

        @Test("On a phone, all content fits the width of the screen", arguments: [360, 320])
        func phone(width: Int) async throws {
            try await withComparison(["task": "badge", "sent": "hash"], phoneWidth: width) { page in
                try await page.click("#run")
                try await page.waitForBoth()
                try await page.click("#rest-exchanges .statements summary")
                try await page.wait(until: "document.querySelector('#rest-exchanges .sql')")
                for tab in ["#tab-task", "#tab-screen"] {
                    try await page.click(tab)
                    #expect(try await page.evaluate("document.documentElement.scrollWidth").integer == width)
                    let cut = try await page.cut(
                        "button, input, select, .editor, h1, h2, h3, .exchange, .bar, table, td, .exchange-body, .sql, .screen-view, .screen-rows li"
                    )
                    #expect(cut == [])
                }
                try await page.wait(until: "document.querySelectorAll('#rest-screen li').length === 30")
            }
        }
    }
}
