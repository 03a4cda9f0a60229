import DuetJSON
import Testing

extension ExplorerTests {
    @Suite("Editor")
    struct Editor {
        @Test("Syntax highlighting gives each token its style and does not change the text")
        func colours() async throws {
            let query =
                "query Q($id: ID!) { # why\n  one: employee(id: $id) @include(if: true) { ... on Employee { id } }\n}"
            try await withExplorer(explorer(query: query)) { page in
                func texts(_ style: String) async throws -> [String] {
                    try await page.texts("#query ~ .nothing, .editor-large .token-\(style)")
                }
                #expect(try await texts("keyword") == ["query", "on"])
                #expect(try await texts("variable") == ["$", "id", "$", "id"])
                #expect(try await texts("type") == ["ID", "Employee"])
                #expect(try await texts("argument") == ["id", "if"])
                #expect(try await texts("comment") == ["# why"])
                #expect(try await texts("directive") == ["@", "include"])
                #expect(try await texts("field") == ["one", "employee", "id"])
                let coloured = try await page.evaluate("document.querySelector('.editor-large pre').textContent")
                #expect(coloured.string == query + "\n")
            }
        }

        @Test("The highlighted text and the typed text are aligned, even in a long query")
        func alignment() async throws {
            let query = "{\n" + String(repeating: "  departments { departmentName }\n", count: 300) + "}"
            try await withExplorer(explorer(query: query)) { page in
                let same = try await page.evaluate(
                    """
                    (() => {
                      const [text, colours] = ['textarea', 'pre'].map((name) => document.querySelector(`.editor-large ${name}`));
                      const [one, other] = [text, colours].map((element) => element.getBoundingClientRect());
                      const fonts = [text, colours].map((element) => getComputedStyle(element).font);
                      return one.x === other.x && one.y === other.y && one.height === other.height
                        && text.scrollHeight === text.clientHeight && fonts[0] === fonts[1];
                    })()
                    """)
                #expect(same == true)
                try await page.putCaret(behind: query)
                try await page.type("\n")
                try await page.wait(until: "document.querySelector('.editor-large').scrollTop > 4000")
            }
        }

        @Test("The editor pairs braces and indents lines, and one undo reverts one edit")
        func typing() async throws {
            try await withExplorer(explorer(query: " ")) { page in
                try await page.putCaret(behind: " ")
                try await page.press("Backspace")
                try await page.type("{\ndepartments {\n")
                #expect(try await page.text(Part.query) == "{\n  departments {\n    \n  }\n}")
                try await page.press("Tab")
                #expect(try await page.text(Part.query) == "{\n  departments {\n      \n  }\n}")
                try await page.press("Tab", .shift)
                #expect(try await page.text(Part.query) == "{\n  departments {\n    \n  }\n}")
                try await page.press("z", .control)
                #expect(try await page.text(Part.query) == "{\n  departments {\n      \n  }\n}")
                try await page.press("End")
                try await page.type("x(a: \"b\")")
                #expect(try await page.text(Part.query) == "{\n  departments {\n      x(a: \"b\")\n  }\n}")
                try await page.type("(")
                try await page.press("Backspace")
                #expect(try await page.text(Part.query) == "{\n  departments {\n      x(a: \"b\")\n  }\n}")
            }
        }

        @Test("Prettify formats the query, retains its comments and can be undone")
        func prettify() async throws {
            let query = "# first\nquery Q($id:ID!){employee(id:$id){id,titles(first:1 current:true){title # last\n}}}"
            try await withExplorer(explorer(query: query, variables: "{\"id\":10004}")) { page in
                try await page.click("#prettify")
                #expect(
                    try await page.text(Part.query) == """
                        # first
                        query Q($id: ID!) {
                          employee(id: $id) {
                            id
                            titles(first: 1, current: true) {
                              title # last
                            }
                          }
                        }

                        """)
                #expect(try await page.text(Part.variables) == "{\n  \"id\": 10004\n}")
                try await page.putCaret(behind: "# first")
                try await page.press("z", .control)
                try await page.press("z", .control)
                #expect(try await page.text(Part.query) == query)
            }
        }

        @Test("Prettify does not change a query with a syntax error, and shows the location of the error")
        func prettifyRefuses() async throws {
            try await withExplorer(explorer(query: "{\n  employee(id: 1 { id }\n}")) { page in
                try await page.click("#prettify")
                #expect(try await page.text("#announcement").contains("a syntax error in line 2, column 18"))
                #expect(try await page.text(Part.query) == "{\n  employee(id: 1 { id }\n}")
            }
        }

        @Test(
            "An error in the query is underlined and described",
            arguments: [
                ("{ employee(id: 1) { ", "1:21", "Expected a field, but the document ends."),
                ("{ departments { id } ]", "1:22", "Expected a field, not “]”."),
                ("{ emploee(id: 1) { id } }", "1:3", "There is no field “emploee” on Query; did you mean “employee”?"),
                ("{ employee(id: 1, nr: 2) { id } }", "1:19", "“nr” is not an argument of employee."),
                ("{ employee { id } }", "1:3", "“id” is missing. It is an argument of employee."),
                ("{ employees(first: \"x\") { totalCount } }", "1:20", "Expected an Int."),
                ("{ employee(id: $id) { id } }", "1:16", "The variable “$id” is not defined."),
            ])
        func mistakes(query: String, place: String, message: String) async throws {
            try await withExplorer(explorer(query: query)) { page in
                try await page.wait(until: "document.querySelector('#query-problems li')")
                #expect(try await page.texts("#query-problems .place") == [place])
                #expect(try await page.texts("#query-problems li").first?.hasSuffix(message) == true)
                #expect(try await page.texts(".editor-lines .wrong") == ["1"])
            }
        }

        @Test("A click on a listed error selects its location in the query, and a correction removes it from the list")
        func mending() async throws {
            try await withExplorer(explorer(query: "{\n  departments {\n    nam\n  }\n}")) { page in
                try await page.wait(until: "document.querySelector('#query-problems button')")
                try await page.click("#query-problems button")
                try await page.type("departmentName")
                try await page.press("Escape")
                try await page.wait(until: "document.querySelector('#query-problems').hidden")
                #expect(try await page.text(Part.query) == "{\n  departments {\n    departmentName\n  }\n}")
            }
        }
    }
}
