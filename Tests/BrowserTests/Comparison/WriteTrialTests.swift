import DuetJSON
import DuetSQLDatabase
import Testing

/// The page at `/` of a server whose API permits writes.
@Suite("Comparison page where writes are on", .browser(with: .writable), .serialized, .timeLimit(.minutes(15)))
struct WriteTrialTests {
    private static let names = ["create", "create-with-related", "update", "delete"]

    /// The rows of both tables as text.
    private func rows() async throws -> [String] {
        let database = try #require(BrowserTrait.running?.database)
        return try await database.read { connection in
            var found: [String] = []
            for sql in ["SELECT id, name, email FROM customers ORDER BY id", "SELECT id, note FROM orders ORDER BY id"]
            {
                let result = try connection.query(sql)
                defer { result.close() }
                while try result.next() {
                    found.append(result.columns.indices.map { "\(result.value(at: $0))" }.joined(separator: " "))
                }
            }
            return found
        }
    }

    @Test("Each write is tried on both sides with the same result, and undone. The page shows its statements")
    func undone() async throws {
        let before = try await rows()
        try await withComparison { page in
            let tasks = try await page.values(of: "#task option")
            #expect(tasks.suffix(5) == Self.names + ["own"])
            for name in Self.names {
                try await page.choose(name, of: "#task")
                #expect(try await page.text("#task-note").contains("tx=rollback"), "\(name)")
                try await page.runBoth()
                let verdict = try await page.text("#verdict-status")
                #expect(verdict.hasPrefix("Same data"), "\(name): \(verdict)")
                #expect(try await page.text("#rest-status").hasPrefix("Status 20"), "\(name)")
                for side in ["rest", "graphql"] {
                    let fields = try await page.texts("#\(side)-exchanges .exchange-fields dd")
                    #expect(fields.contains("tx=rollback"), "\(name): \(fields)")
                    try await page.click("#\(side)-exchanges .statements summary")
                    try await page.wait(until: "document.querySelector('#\(side)-exchanges .sql')")
                    let statements = try await page.texts("#\(side)-exchanges .sql")
                    #expect(statements.contains { $0.contains(/INSERT|UPDATE|DELETE/) }, "\(name): \(statements)")
                }
            }
            let after = try await rows()
            #expect(after == before)
        }
    }

    @Test("The change of the chosen side is stored, that of the other side is undone, and the choice ends with the run")
    func kept() async throws {
        let state: KeyValuePairs = [
            "task": "own", "rest": #"POST /customers {"name":"Cleo"}"#,
            "query": #"mutation { createCustomer(input: {name: "Dora"}) { customer { name } errors { message } } }"#,
        ]
        try await withComparison(state) { page in
            for (side, name, title) in [("rest", "Cleo", "REST"), ("graphql", "Dora", "GraphQL")] {
                let before = try await rows()
                try await page.choose(side, of: "#keep")
                try await page.runBoth()
                #expect(try await page.text("#announcement") == "The change of \(title) is stored.")
                let new = try await rows().filter { !before.contains($0) }
                #expect(new.count == 1 && new.first?.contains(name) == true, "\(new)")
                #expect(try await page.evaluate("document.querySelector('#keep').value") == "")
            }
            let before = try await rows()
            try await page.runBoth()
            let after = try await rows()
            #expect(after == before)
        }
    }

    @Test("A choice ends with another task, and a response that does not confirm the undoing causes a warning")
    func unconfirmed() async throws {
        let state: KeyValuePairs = [
            "task": "own", "rest": #"POST /customers {"name":"Eve"}"#, "query": "{ customers { nodes { name } } }",
        ]
        try await withComparison(state) { page in
            try await page.choose("rest", of: "#keep")
            try await page.choose("update", of: "#task")
            #expect(try await page.evaluate("document.querySelector('#keep').value") == "")
            let before = try await rows()
            _ = try await page.evaluate(
                """
                { const send = window.fetch;
                  window.fetch = async (...request) => {
                    const response = await send(...request);
                    const fields = [...response.headers].filter(([name]) => name !== 'preference-applied');
                    return new Response(await response.text(), { status: response.status, headers: fields });
                  };
                  true }
                """)
            try await page.runBoth()
            let announced = try await page.text("#announcement")
            for side in ["REST", "GraphQL"] {
                #expect(announced.contains("Warning: the change of \(side) may be stored"), "\(announced)")
            }
            let after = try await rows()
            #expect(after == before)
        }
    }

    @Test("For a task that only reads, the page has no choice to keep a change, and sends no preference")
    func reading() async throws {
        try await withComparison(["task": "one"]) { page in
            try await page.runBoth()
            let isVisible = try await page.evaluate("document.querySelector('#keep').checkVisibility()")
            #expect(isVisible == false)
            let sent = page.events("Network.requestWillBeSent").compactMap { $0["request"]?["headers"]?["Prefer"] }
            #expect(sent.isEmpty)
        }
    }

    @Test("Controls have accessible names, texts have sufficient contrast, and all content fits the width of a phone")
    func accessibility() async throws {
        try await withComparison(["task": "create"], phoneWidth: 360) { page in
            try await page.click("#run")
            try await page.waitForBoth()
            #expect(try await page.namedParts().unnamed == [])
            #expect(try await page.faintTexts()["faint"] == [])
            #expect(try await page.evaluate("document.documentElement.scrollWidth").integer == 360)
        }
    }
}
