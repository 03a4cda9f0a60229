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
                    statements: \(count), elapsed: \(elapsed), times: Array(5).fill(\(elapsed)), rounds: 1, \
                    notModified: \(notModified) }
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
                Promise.all([import('\(BrowserPage.files)/comparison/headline.js'), import('\(BrowserPage.files)/comparison/difference.js')]).then(([{ headline }, { compared }]) => headline(
                  compared(\(values)), [{ name: 'REST', costs: \(rest.json) }, { name: 'GraphQL', costs: \(graphQL.json) }], \(isMeasured ? "0.1" : "null"),
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

        /// Returns the clause about the times in the headline of simulated runs. A run has one request, which takes the
        /// given number of milliseconds, or several requests that take this time together. The clock rounds times down
        /// to a multiple of `step`.
        private static let timeClause = """
            const modules = Promise.all(['costs', 'headline', 'time-difference', 'difference'].map((name) => import(`\(BrowserPage.files)/comparison/${name}.js`)));
            const clauseOf = async (step, durations, rounds = 1) => {
              const [{ costsOf }, { headline }, { clockResolution }, { compared }] = await modules;
              let now = 1234.5678;
              const read = () => Math.floor(now / step) * step;
              const exchange = (duration, round) => {
                const start = read();
                now += duration - 0.25;
                const answered = read();
                now += 0.25;
                const end = read();
                now += 3.21;
                return { round, start, answered, end, sent: 1, received: { encoded: 2, plain: 3, fields: 4, tags: 0 }, headers: new Headers(), metrics: [] };
              };
              const runs = durations.map((ofSide) => ofSide.map((duration) => (
                { rounds, exchanges: Array.from({ length: rounds }, (_, round) => exchange(duration / rounds, round)) }
              )));
              const sides = runs.map((ofSide, side) => ({ name: ['REST', 'GraphQL'][side], costs: costsOf(ofSide[0], undefined, ofSide) }));
              const text = headline(compared(1, 1), sides, clockResolution(runs.flat()));
              return text.match(/(?:REST|GraphQL) was .* faster/)?.[0] ?? '';
            };
            """

        @Test("The headline names the faster side only if neither noise nor the clock can cause the difference")
        func clocks() async throws {
            let (ten, fifteen) = ("[10, 10.2, 9.9, 10.1, 10]", "[15, 15.3, 14.8, 15.1, 15]")
            let cases = [
                // A clock of the browser rounds to 0.1, 1, 16.7 or 100 ms.
                ("0.1, [\(ten), \(fifteen)]", "REST was 5 ms faster"),
                ("1, [\(fifteen), \(ten)]", "GraphQL was 5 ms faster"),
                ("16.7, [\(ten), \(fifteen)]", ""),
                ("100, [\(ten), \(fifteen)]", ""),
                ("16.7, [[170, 171, 169, 172, 170], [340, 343, 339, 341, 341]]", "REST was 170 ms faster"),
                ("100, [[1000, 1050, 1020, 1090, 980], [3000, 3050, 3010, 3090, 2980]]", "REST was 2 s faster"),
                // One step of the clock is no difference.
                ("100, [[100, 100, 100, 100, 100], [200, 200, 200, 200, 200]]", ""),
                ("1, [[2, 2, 2, 2, 2], [3, 3, 3, 3, 3]]", ""),
                // If all times are equal, the resolution is unknown.
                ("10000, [\(ten), \(fifteen)]", ""),
                // The medians differ by more than a tenth, but the ranges of the times overlap.
                ("0.1, [[10, 10, 10, 12, 10], [12, 11.9, 15, 12, 12]]", ""),
                ("0.1, [[10, 10, 10, 30, 10], [20, 20, 20, 20, 20]]", ""),
                ("0.1, [[10, 10, 10, 11.5, 10], [12, 11.9, 15, 12, 12]]", "REST was 2 ms faster"),
                // The ranges do not overlap, but the medians differ by less than a tenth.
                ("0.1, [[100, 100, 100, 100, 100], [105, 105, 105, 105, 105]]", ""),
                // The ranges of few runs can be disjoint by chance.
                ("0.1, [[10], [20]]", ""),
                ("0.1, [[10, 10, 10], [20, 20, 20]]", ""),
                ("0.1, [[10, 10, 10, 10], [20, 20, 20, 20]]", "REST was 10 ms faster"),
                // The error of a time increases with the number of rounds.
                ("1, [\(ten), \(fifteen)], 3", "REST was 5 ms faster"),
                ("1, [\(ten), \(fifteen)], 8", ""),
            ]
            try await withComparison { page in
                let calls = cases.map { "clauseOf(\($0.0))" }.joined(separator: ", ")
                let clauses = try await page.evaluate(
                    "(() => { \(Self.timeClause) return Promise.all([\(calls)]); })()")
                #expect(clauses == .array(cases.map { .string($0.1) }))
                // Equal sides with noise, on each clock. Five runs of each side are disjoint by chance in 0.8 % of all
                // cases.
                let wrong = try await page.evaluate(
                    """
                    (async () => {
                      \(Self.timeClause)
                      let seed = 1;
                      const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
                      const side = (mean) => Array.from({ length: 5 }, () => mean * (0.5 + random()));
                      const counts = [];
                      for (const step of [0.1, 1, 16.7, 100]) {
                        let count = 0;
                        for (let index = 0; index < 500; index += 1) {
                          const mean = 200 * random();
                          if (await clauseOf(step, [side(mean), side(mean)])) count += 1;
                        }
                        counts.push(count);
                      }
                      return counts;
                    })()
                    """)
                #expect(wrong.items.allSatisfy { ($0.integer ?? .max) <= 10 }, "\(wrong)")
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
