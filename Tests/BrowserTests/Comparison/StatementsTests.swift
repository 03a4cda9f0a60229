import DuetJSON
import Testing

extension ComparisonPageTests {
    @Suite("Displayed SQL")
    struct Statements {
        private static let texts = ".statements pre"

        @Test("Each request of both sides shows its formatted SQL when the user opens the list of statements")
        func shown() async throws {
            try await withComparison { page in
                try await page.runBoth()
                for side in ["rest", "graphql"] {
                    #expect(try await page.texts("#\(side)-exchanges .statements summary") == ["SQL (3 statements)"])
                    #expect(page.requests.allSatisfy { !$0.contains("/debug/") } || side == "graphql")
                    try await page.click("#\(side)-exchanges .statements summary")
                    try await page.wait(until: "document.querySelector('#\(side)-exchanges \(Self.texts)')")
                    let texts = try await page.texts("#\(side)-exchanges \(Self.texts)")
                    #expect(texts.count == 3)
                    #expect(texts.first?.contains("\nFROM employees AS t\nWHERE t.emp_no = ?") == true, "\(texts)")
                    #expect(
                        Set(texts.compactMap { $0.firstMatch(of: /\nFROM (\w+)/)?.1 }) == [
                            "employees", "titles", "salaries",
                        ])
                    let facts = try await page.texts("#\(side)-exchanges .statements li .help")
                    #expect(facts.first?.wholeMatch(of: /1 row · [0-9.]+ ms · 1 value bound/) != nil, "\(facts)")
                }
            }
        }

        @Test(
            "SQL formatting changes only white space, and breaks lines inside parentheses only if they contain a subquery"
        )
        func layout() async throws {
            try await withComparison { page in
                let sql =
                    "SELECT a.b, (SELECT MAX(c) FROM d WHERE e = 'it''s FROM AND') AS f FROM (SELECT g, ROW_NUMBER() OVER (PARTITION BY g ORDER BY h) AS i FROM j) AS k LEFT JOIN l ON k.g = l.g WHERE i BETWEEN ? AND ? AND g IN (?, ?) ORDER BY g"
                let laidOut = try await page.evaluate(
                    "import('\(BrowserPage.files)/comparison/sql.js').then(({ sqlPieces }) => sqlPieces(\(JSONValue.string(sql).compactText)).map(({ text }) => text).join(''))"
                ).string
                #expect(
                    laidOut == """
                        SELECT a.b, (
                          SELECT MAX(c)
                          FROM d
                          WHERE e = 'it''s FROM AND'
                        ) AS f
                        FROM (
                          SELECT g, ROW_NUMBER() OVER (PARTITION BY g ORDER BY h) AS i
                          FROM j
                        ) AS k
                        LEFT JOIN l ON k.g = l.g
                        WHERE i BETWEEN ? AND ?
                          AND g IN (?, ?)
                        ORDER BY g
                        """)
            }
        }

        @Test("The page shows no SQL for a request that received a 304 and ran no statement")
        func none() async throws {
            try await withComparison { page in
                for _ in 0..<3 { try await page.runBoth() }
                #expect(try await page.facts("rest").first?.hasSuffix("0 statements") == true)
                #expect(try await page.texts("#rest-exchanges .exchange-body").count == 1)
                #expect(try await page.texts("#rest-exchanges .statements") == [])
            }
        }

        @Test(
            "If the statements of a request are no longer in the server's history, the page says that the SQL is not available"
        )
        func forgotten() async throws {
            try await withComparison(["task": "names"]) { page in
                try await page.runBoth()
                // There are more requests than the history of the server contains.
                try await page.evaluate(
                    "Promise.all(Array.from({ length: 500 }, () => fetch('/employees/x', { cache: 'no-store' })))")
                try await page.click("#rest-exchanges .statements summary")
                try await page.wait(until: "document.querySelector('#rest-exchanges .statements p')")
                #expect(
                    try await page.text("#rest-exchanges .statements p").wholeMatch(
                        of:
                            /The SQL is not available: the request [0-9a-f]+ is not among the last 500 requests to REST or GraphQL\./
                    )
                        != nil)
            }
        }
    }
}

/// The page of a server with the default settings, without `--debug-statements`.
@Suite("Comparison page without --debug-statements", .browser, .serialized, .timeLimit(.minutes(15)))
struct StatementsNotKeptTests {
    @Test("The page shows the number of statements, names the missing option, and requests the SQL only once")
    func hint() async throws {
        try await withComparison { page in
            try await page.runBoth()
            for side in ["rest", "graphql"] {
                try await page.click("#\(side)-exchanges .statements summary")
                try await page.wait(until: "document.querySelector('#\(side)-exchanges .statements p')")
                #expect(
                    try await page.text("#\(side)-exchanges .statements p")
                        == "The server shows SQL if it is started with --debug-statements (DUET_DEBUG_STATEMENTS=true)."
                )
                #expect(try await page.text("#\(side)-exchanges .statements summary") == "SQL (3 statements)")
            }
            #expect(page.requests.count { $0.contains("/debug/") } == 1)
        }
    }
}
