import DuetJSON
import Testing

extension ComparisonAnswerTests {
    @Suite("The headline")
    struct Headline {
        /// The costs of a side, REST or GraphQL.
        struct Costs: Sendable {
            var requests = 1
            var sent = 200
            var transferred = 600
            var fields = 200
            var statements: Int? = 3
            var elapsed = 10.0
            var notModified = 0

            var json: String {
                let count = statements.map { "\($0)" } ?? "null"
                return
                    """
                    { requests: \(requests), sent: \(sent), transferred: \(transferred), fields: \(fields), tags: 5000, \
                    statements: \(count), elapsed: \(elapsed), notModified: \(notModified) }
                    """
            }
        }

        /// Returns the headline for the responses and the costs of both sides.
        private func headline(
            _ page: BrowserPage, _ rest: Costs, _ graphQL: Costs, values: String = "{ a: 1 }, { a: 1 }",
            isMeasured: Bool = true
        ) async throws -> String? {
            try await page.evaluate(
                """
                Promise.all([import('/comparison/headline.js'), import('/comparison/difference.js')]).then(([{ headline }, { compared }]) => headline(
                  compared(\(values)), [{ name: 'REST', costs: \(rest.json) }, { name: 'GraphQL', costs: \(graphQL.json) }], \(isMeasured),
                ))
                """
            ).string
        }

        @Test("The headline names the side with fewer bytes, statements or requests, and the faster side")
        func costs() async throws {
            let cases: [(Costs, Costs, String)] = [
                (Costs(), Costs(), "Both transferred about the same number of bytes and ran 3 statements."),
                (
                    Costs(), Costs(transferred: 40),
                    "GraphQL transferred 56 % fewer bytes; both ran 3 statements."
                ),
                // The bytes of requests and header fields count, but not the bytes of cache tags. A difference of less
                // than 3 % of the bytes or at most 10 % of the time counts as equal.
                (
                    Costs(sent: 1200), Costs(),
                    "GraphQL transferred 50 % fewer bytes; both ran 3 statements."
                ),
                (
                    Costs(fields: 1200), Costs(),
                    "GraphQL transferred 50 % fewer bytes; both ran 3 statements."
                ),
                (
                    Costs(elapsed: 9.0), Costs(transferred: 580),
                    "Both transferred about the same number of bytes and ran 3 statements."
                ),
                (
                    Costs(elapsed: 8.8), Costs(statements: 1),
                    "Both transferred about the same number of bytes; GraphQL ran 1 statement instead of 3; REST was 1.2 ms faster."
                ),
                (
                    Costs(requests: 3, statements: 5), Costs(transferred: 200, elapsed: 5),
                    "GraphQL made 1 request instead of 3, transferred 40 % fewer bytes, ran 3 statements instead of 5 and was 5 ms faster."
                ),
                (
                    Costs(transferred: 0, statements: 0), Costs(requests: 2, transferred: 100_000_000),
                    "REST made 1 request instead of 2, transferred 99 % fewer bytes and ran 0 statements instead of 3."
                ),
                (
                    Costs(statements: nil, elapsed: 4000), Costs(elapsed: 1000),
                    "Both transferred about the same number of bytes; GraphQL was 3 s faster."
                ),
                (
                    Costs(statements: 0), Costs(statements: 0),
                    "Both transferred about the same number of bytes and ran no statements."
                ),
                (
                    Costs(statements: 1), Costs(statements: 1),
                    "Both transferred about the same number of bytes and ran 1 statement."
                ),
                (
                    Costs(transferred: 100, statements: 0, notModified: 1), Costs(),
                    """
                    REST revalidated 1 cached response (304), transferred 50 % fewer bytes and ran 0 statements instead of 3.
                    """
                ),
                (
                    Costs(statements: 0, notModified: 2), Costs(statements: 0, notModified: 2),
                    """
                    Both revalidated 2 cached responses (304), transferred about the same number of bytes and ran no \
                    statements.
                    """
                ),
            ]
            try await withComparison { page in
                for (rest, graphQL, expected) in cases {
                    let text = try await headline(page, rest, graphQL)
                    #expect(text == "Same data. \(expected)")
                }
                // Times are not compared if no warm-up run preceded them.
                let text = try await headline(page, Costs(elapsed: 5), Costs(), isMeasured: false)
                #expect(text == "Same data. Both transferred about the same number of bytes and ran 3 statements.")
            }
        }

        @Test(
            "The headline states whether the data is the same",
            arguments: [
                ("{ a: 1 }, { a: 1 }", "Same data."), ("{ a: 1, b: 2 }, { a: 1 }", "Same data in all common values."),
                ("{ b: 2 }, { a: 1 }", "The responses have no values in common."),
                ("[{ a: 1 }, { a: 2 }], [{ a: 1 }]", "Same data except for 1 row."),
                ("[{ a: 1 }], [{ a: 1 }, { a: 2 }, { a: 3 }]", "Same data except for 2 rows."),
                ("{ a: 1 }, { a: 2 }", "The data differs in 1 place."),
                ("{ a: 1, b: 1 }, { a: 2, b: 2 }", "The data differs in 2 places."),
            ])
        func data(values: String, expected: String) async throws {
            try await withComparison { page in
                let text = try await headline(page, Costs(), Costs(), values: values)
                #expect(text == "\(expected) Both transferred about the same number of bytes and ran 3 statements.")
            }
        }

        @Test("The headline has the numbers of requests, and the numbers of statements that the cost table has")
        func page() async throws {
            try await withComparison(["task": "published-example-by-resource"]) { page in
                try await page.runBoth()
                let headline = try await page.text("#headline")
                #expect(
                    headline.hasPrefix("Same data. GraphQL made 1 request instead of 3, transferred "), "\(headline)")
                let statements = try await page.cost("SQL statements")
                #expect(headline.contains("ran \(statements[1]) statements instead of \(statements[0])"))
            }
        }

        @Test(
            "The bytes in the headline do not include the cache tags that REST sends",
            arguments: ["badge", "list"])
        func tags(task: String) async throws {
            try await withComparison(["task": task]) { page in
                try await page.runBoth()
                let headline = try await page.text("#headline")
                #expect(headline.hasPrefix("Same data. "), "\(headline)")
                // If the cache tags were included, REST would transfer more bytes.
                #expect(!headline.contains("GraphQL transferred"), "\(headline)")
                let tags = try await page.cost("Cache tags")
                #expect(tags[0] != "0 bytes" && tags[1] == "0 bytes", "\(tags)")
            }
        }
    }
}
