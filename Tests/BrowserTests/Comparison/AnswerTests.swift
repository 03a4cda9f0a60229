import DuetJSON
import Testing

extension ComparisonAnswerTests {
    @Suite("Displayed responses")
    struct Answers {
        /// Opens all responses of a side, `rest` or `graphql`.
        private func openAll(_ page: BrowserPage, _ side: String) async throws {
            try await page.evaluate(
                "document.querySelectorAll('#\(side)-exchanges .exchange').forEach((exchange) => { exchange.open = true; })"
            )
            try await page.wait(
                until:
                    "[...document.querySelectorAll('#\(side)-exchanges .exchange')].every((exchange) => exchange.querySelector('.exchange-body'))"
            )
        }

        /// Returns the number of marked values in the responses of a side, and the number of values that the page lists
        /// as present only on that side.
        private func marked(_ page: BrowserPage, _ side: String, _ name: String) async throws -> (Int?, Int?) {
            let counts = try await page.evaluate(
                """
                (() => {
                  const marked = document.querySelectorAll(['string', 'number', 'literal'].map((kind) => `#\(side)-exchanges mark .token-${kind}`).join());
                  const heading = [...document.querySelectorAll('#verdict-unused h3')].find((one) => one.textContent.startsWith('Only in \(name)'));
                  const listed = [...(heading?.nextElementSibling.children ?? [])].map((one) => Number(one.innerText.match(/([\\d,]+) values?$/)[1].replaceAll(',', '')));
                  return [marked.length, listed.reduce((sum, count) => sum + count, 0)];
                })()
                """
            ).items
            return (counts.first?.integer, counts.last?.integer)
        }

        @Test("A response marks the members and rows that are not in the responses of the other side")
        func members() async throws {
            try await withComparison(wholeHistories) { page in
                try await page.runBoth()
                let marks = try await page.texts("#rest-exchanges mark")
                #expect(marks.contains { $0.wholeMatch(of: /"fromDate": \d+/) != nil }, "\(marks)")
                #expect(marks.contains { $0.hasPrefix(#""title": "Engineer""#) }, "\(marks)")
                #expect(!marks.contains { $0.contains("Senior Engineer") || $0.contains("lastName") })
                #expect(try await page.texts("#graphql-exchanges mark") == [])
                // The marks are not part of the text.
                let answer = try JSONValue(parsing: try await page.text("#rest-exchanges .exchange-body").utf8)
                #expect(answer["lastName"] == "Koblick" && answer["titles"]?.items.count == 2)
            }
        }

        @Test(
            "The number of marked values equals the number of values that are listed as missing on the other side",
            arguments: [
                "published-example", "published-example-by-resource", "badge", "three-levels", "search", "pages",
                "journey",
            ])
        func all(task: String) async throws {
            try await withComparison(["task": task, "pages": "3"]) { page in
                // The changed REST request has one field that is not in the GraphQL query, and omits one field of the
                // query.
                let rest = try await page.text("#rest").replacing(
                    /fields=(employeeNumber|firstName),/, with: "fields=gender,")
                try await page.evaluate("document.querySelector('#rest').value = \(JSONValue.string(rest).compactText)")
                try await page.evaluate("document.querySelector('#rest').dispatchEvent(new Event('input'))")
                try await page.runBoth()
                for (side, name) in [("rest", "REST"), ("graphql", "GraphQL")] {
                    try await openAll(page, side)
                    let (marked, listed) = try await marked(page, side, name)
                    #expect(marked == listed, "\(name)")
                    if !task.hasPrefix("published-example"), task != "badge" {
                        #expect((listed ?? 0) > 0, "\(name)")
                    }
                }
            }
        }

        @Test("A marked value has not only a color, but also a text that names the side without the value")
        func appearance() async throws {
            let state: KeyValuePairs = [
                "task": "own", "rest": "GET /employees?first=2&fields=lastName&details=titles",
                "query":
                    "{ employees(first: 2) { edges { cursor node { gender ...Name } } pageInfo { hasNextPage } } } fragment Name on Employee { lastName }",
            ]
            try await withComparison(state) { page in
                try await page.runBoth()
                let titles = try await page.evaluate(
                    "['rest', 'graphql'].map((side) => [...new Set([...document.querySelectorAll(`#${side}-exchanges mark`)].map(({ title }) => title))])"
                )
                #expect(titles == [["GraphQL omits this"], ["REST omits this"]])
                #expect(try await page.texts("#graphql-exchanges mark") == [#""gender": "M""#, #""gender": "F""#])
                let style = try await page.evaluate(
                    """
                    ((mark) => [getComputedStyle(mark).textDecorationStyle, getComputedStyle(mark, '::before').content])\
                    (document.querySelector('#rest-exchanges mark'))
                    """)
                #expect(style == ["dotted", "\"only here: \""])
            }
        }

        @Test("Values are not marked if the responses cannot be compared")
        func incomparable() async throws {
            let state: KeyValuePairs = [
                "task": "own", "rest": "GET /employees/10004?details=titles", "query": "{ nonsense }",
            ]
            try await withComparison(state) { page in
                try await page.runBoth()
                #expect(try await page.texts(".exchange-body").count == 2)
                #expect(try await page.texts(".exchange mark") == [])
            }
        }

        @Test("The first response and all short responses are open, and a long response is truncated")
        func length() async throws {
            try await withComparison(["task": "pages", "pages": "3"]) { page in
                try await page.runBoth()
                let open = "[...document.querySelectorAll('#rest-exchanges .exchange')].map(({ open }) => open)"
                #expect(try await page.evaluate(open) == [true, false, false])
                try await page.choose("list-with-histories", of: "#task")
                try await page.runBoth()
                #expect(try await page.evaluate(open) == [true])
                #expect(
                    try await page.text("#rest-exchanges .exchange > .help").wholeMatch(
                        of: /The first 50,000 of [\d,]+ characters are shown\./) != nil)
                try await page.choose("published-example-by-resource", of: "#task")
                try await page.runBoth()
                #expect(try await page.evaluate(open) == [true, true, true])
            }
        }
    }
}
