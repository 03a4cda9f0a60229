import DuetJSON
import Testing

extension ExplorerTests {
    @Suite("Copying")
    struct Copying {
        @Test("The copied curl command returns the response on the page, even if the query has quotes and line breaks")
        func curl() async throws {
            let query =
                "# it's one\nquery Q($filter: EmployeeFilter) {\n  employees(first: 3, filter: $filter) { nodes { lastName } }\n  odd: employees(filter: {name: \"O'\\\"$(exit 1)`\\\\\"}) { totalCount }\n}\n"
            let variables = "{\n  \"filter\": {\"name\": \"*'*\", \"hiredAfter\": \"1900-01-01\"}\n}"
            try await withExplorer(explorer(query: query, variables: variables)) { page in
                try await page.setPermission("clipboard-write", "granted")
                try await page.setPermission("clipboard-read", "granted")
                try await page.click("#copy-curl")
                try await page.wait(
                    until:
                        "document.querySelector('#announcement').textContent === 'The curl command is in the clipboard.'"
                )
                let command = try await page.evaluate("navigator.clipboard.readText()").string ?? ""
                #expect(command.hasPrefix("curl '\(page.origin)/graphql'"))
                try await page.press("Enter", .control)
                try await page.waitForAnswer()
                let answered = try JSONValue(parsing: try await page.text(Part.body).utf8)
                let copied = try await output(of: command)
                #expect(try JSONValue(parsing: copied.utf8) == answered)
                #expect(answered["data"]?["employees"] != nil)
            }
        }

        @Test("If clipboard access is denied, the page shows and selects the curl command")
        func denied() async throws {
            try await withExplorer(explorer(query: "{ departments { id } }")) { page in
                try await page.setPermission("clipboard-write", "denied")
                try await page.click("#copy-curl")
                try await page.wait(until: "document.querySelector('#copy-dialog').open")
                #expect(try await page.text("#copy-title") == "The curl command, to copy by hand")
                #expect(
                    try await page.evaluate("document.getSelection().toString()").string?.hasPrefix("curl '") == true)
                #expect(try await page.evaluate("document.activeElement.id") == "copy-text")
                try await page.press("Escape")
                #expect(try await page.evaluate("document.querySelector('#copy-dialog').open") == false)
            }
        }

        @Test("A copied link restores the query, the variables and the selected operation in another browser")
        func link() async throws {
            let query = "query A { departments { id } } query B($id: ID!) { employee(id: $id) { id } } # ü & % #"
            let link = try await withExplorer(explorer(query: query, variables: "{\"id\": \"1 + 2\"}")) { page in
                try await page.setPermission("clipboard-write", "granted")
                try await page.setPermission("clipboard-read", "granted")
                try await page.evaluate(
                    "{ const select = document.querySelector('#operation'); select.value = 'B'; select.dispatchEvent(new Event('change')) }"
                )
                try await page.click("#copy-link")
                try await page.wait(
                    until: "document.querySelector('#announcement').textContent === 'The link is in the clipboard.'")
                let link = try await page.evaluate("navigator.clipboard.readText()").string ?? ""
                #expect(link.hasPrefix(page.origin))
                return String(link.dropFirst(page.origin.count))
            }
            try await withExplorer(link) { page in
                let (text, operation) = (try await page.text(Part.query), try await page.text("#operation"))
                #expect(text == query)
                #expect(operation == "B")
                #expect(try await page.text(Part.variables) == "{\"id\": \"1 + 2\"}")
            }
        }

        @Test("The URL contains the typed text, and a reload restores the text")
        func address() async throws {
            try await withExplorer(explorer(query: "{ departments { } }")) { page in
                try await page.putCaret(behind: "{ departments { ")
                try await page.type("id")
                try await page.wait(until: "location.hash.includes('departments+%7B+id')")
                try await page.reload()
                try await page.wait(until: "document.body.dataset.schema")
                #expect(try await page.text(Part.query) == "{ departments { id} }")
            }
        }
    }
}
