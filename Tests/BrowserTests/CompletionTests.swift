import DuetJSON
import Testing

extension ExplorerTests {
    @Suite("Completion")
    struct Completion {
        /// Opens the completion list after `text` in `query`, and returns the labels in the list. The default of
        /// `query` is `text`.
        private func labels(at text: String, of query: String? = nil) async throws -> [String] {
            try await withExplorer(explorer(query: query ?? text)) { page in
                try await page.putCaret(behind: text)
                try await page.press(" ", .control)
                return try await page.texts("\(Part.option) > span:first-child")
            }
        }

        @Test(
            "Completion proposes fields, arguments and enum values, and can be used with only the keyboard")
        func writing() async throws {
            try await withExplorer(explorer(query: " ")) { page in
                try await page.putCaret(behind: " ")
                try await page.press("Backspace")
                try await page.type("{\nemp")
                try await page.wait(until: "document.querySelector('\(Part.option)')")
                #expect(
                    try await page.texts("\(Part.option) > span:first-child") == [
                        "employee", "employees", "employeesAggregate", "employeesGroups",
                    ])
                try await page.press("ArrowDown")
                try await page.press("Enter")
                try await page.type("(so")
                try await page.wait(until: "document.querySelector('\(Part.option)')?.textContent.startsWith('sort')")
                try await page.press("Tab")
                // The list then proposes an object as the value of the argument. Enter inserts the braces of the
                // object.
                try await page.press("Enter")
                try await page.type("fi")
                try await page.press("Tab")
                try await page.wait(
                    until: "document.querySelector('\(Part.option)')?.textContent.startsWith('EMPLOYEE_NUMBER')")
                try await page.press("ArrowDown", times: 2)
                try await page.press("Enter")
                #expect(try await page.text(Part.query) == "{\n  employees(sort: {field: HIRE_DATE})\n}")
            }
        }

        @Test("Assistive technology can read the selected entry of the completion list, and Escape closes the list")
        func accessibility() async throws {
            try await withExplorer(explorer(query: "{ departments { } }")) { page in
                try await page.putCaret(behind: "{ departments { ")
                try await page.press(" ", .control)
                try await page.press("ArrowDown")
                let chosen = try await page.evaluate(
                    """
                    (() => {
                      const field = document.activeElement;
                      const option = document.getElementById(field.getAttribute('aria-activedescendant'));
                      return [field.id, option.getAttribute('aria-selected'), option.firstChild.textContent,
                        document.getElementById(field.getAttribute('aria-controls')).getAttribute('role')];
                    })()
                    """)
                #expect(chosen == ["query", "true", "departmentNumber", "listbox"])
                #expect(
                    try await page.text(".completion-about")
                        == "The department number, as in d005.".replacing("d005", with: "`d005`"))
                try await page.press("Escape")
                #expect(try await page.evaluate("document.querySelector('.completion').hidden") == true)
                #expect(
                    try await page.evaluate("document.activeElement.hasAttribute('aria-activedescendant')") == false)
            }
        }

        @Test("Completion proposes the fields of the type at the cursor")
        func fields() async throws {
            #expect(
                try await labels(at: "{ employee(id: 1) { titles { ", of: "{ employee(id: 1) { titles { } } }")
                    == ["employeeNumber", "title", "fromDate", "toDate", "__typename"])
        }

        @Test("Completion omits arguments that are already present")
        func inputs() async throws {
            #expect(try await labels(at: "{ employees(first: 1, ") == ["after", "filter", "sort", "orderBy"])
            #expect(
                try await labels(at: "{ employees(filter: {name: \"x\", ").filter { $0.hasPrefix("hire") } == [
                    "hiredAfter", "hiredBefore", "hireDate",
                ])
        }

        @Test("For an argument, completion proposes only variables of a matching type")
        func variables() async throws {
            #expect(try await labels(at: "query($a: ID!, $b: Int, $c: ID) { employee(id: ") == ["$a", "$c"])
            #expect(try await labels(at: "query($a: ID!, $b: Int, $c: ID) { employees(first: $") == ["$b"])
        }

        @Test("Completion proposes directives, fragments, types and keywords where the syntax permits them")
        func others() async throws {
            let fragments = " } } fragment Who on Employee { id } fragment Where on Department { id }"
            #expect(
                try await labels(at: "{ employee(id: 1) { ...", of: "{ employee(id: 1) { ..." + fragments) == [
                    "on", "Who",
                ])
            #expect(try await labels(at: "{ employee(id: 1) { ... on ") == ["Employee"])
            let directives = try await labels(at: "{ employee(id: 1) @")
            #expect(directives.contains("include") && directives.contains("skip") && !directives.contains("deprecated"))
            #expect(try await labels(at: " ") == ["query", "mutation", "subscription", "fragment"])
            let types = try await labels(at: "query($input: Emplo")
            #expect(
                types.filter { !$0.contains("Aggregate") } == [
                    "EmployeeFilter", "EmployeeListFilter", "EmployeeSort", "EmployeeSortField", "CreateEmployeeInput",
                    "UpdateEmployeeInput",
                    "DeleteEmployeeInput",
                ])
        }

        @Test(
            "Completion knows the keys, conditions and orders of groups, and that an input object has one member only")
        func groups() async throws {
            let cases: [(text: String, labels: [String], problem: String?)] = [
                ("{ employeesGroups(groupBy: ", ["["], nil), ("{ employeesGroups(groupBy: [", ["{"], nil),
                ("{ employeesGroups(groupBy: [{gend", ["gender"], nil),
                ("{ employeesGroups(groupBy: [{gender: ", ["VALUE"], nil),
                (
                    "{ employeesGroups(groupBy: [{hireDate: ",
                    ["VALUE", "YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "WEEKDAY"], nil
                ),
                ("{ employeesGroups(groupBy: [{gender: VALUE, ", [], nil),
                ("{ employeesGroups(groupBy: [{gender: VALUE}], having: {count: {gt", ["gt", "gte"], nil),
                ("{ employeesGroups(groupBy: [], orderBy: {aggregate: {count: VALUE} ", ["key", "direction"], nil),
                ("{ employeesGroups(groupBy: []) { nodes { key { hireDate { qu", ["quarter"], nil),
                ("{ employeesAggregate { hireDate { m", ["min", "max", "__typename"], nil),
                (
                    "{ employeesGroups(groupBy: [{gender: VALUE, hireDate: DAY}, {gender: VALUE}]) { totalCount } }",
                    [], "Expected exactly one member of EmployeeAggregateKeyInput."
                ),
            ]
            try await withExplorer { page in
                let texts = JSONValue.array(cases.map { .string($0.text) }).compactText
                let found = try await page.evaluate(
                    """
                    Promise.all(['completion', 'schema', 'validation'].map((name) => import(`\(BrowserPage.files)/explorer/${name}.js`)))
                      .then(async ([{ complete }, { INTROSPECTION_QUERY, Schema }, { problemsIn }]) => {
                        const headers = { 'Content-Type': 'application/json' };
                        const response = await fetch('/graphql', { method: 'POST', headers, body: JSON.stringify({ query: INTROSPECTION_QUERY }) });
                        const schema = new Schema((await response.json()).data.__schema);
                        return \(texts).map((text) => ({
                          labels: complete(text, text.length, schema).items.map(({ label }) => label),
                          problems: text.endsWith('}') ? problemsIn(text, schema).map(({ message }) => message) : [],
                        }));
                      })
                    """)
                #expect(found.items.count == cases.count)
                for (result, expected) in zip(found.items, cases) {
                    let labels = result["labels"]?.items.compactMap(\.string) ?? []
                    if expected.problem == nil { #expect(labels == expected.labels, "\(expected.text)") }
                    let problems = result["problems"]?.items.compactMap(\.string)
                    #expect(problems == [expected.problem].compactMap(\.self), "\(expected.text)")
                }
            }
        }

        @Test("Completion proposes nothing in comments and strings")
        func silence() async throws {
            #expect(try await labels(at: "{ # emp") == [])
            #expect(try await labels(at: "{ employees(filter: {name: \"emp") == [])
        }
    }
}
