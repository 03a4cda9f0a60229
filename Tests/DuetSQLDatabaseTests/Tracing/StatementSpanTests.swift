import InMemoryTracing
import TestSupport
import Testing
import Tracing

@testable import DuetSQLDatabase

@Suite("The spans of statements") struct StatementSpanTests {
    /// Creates a database with a tracer, and runs a closure inside a span.
    private func traced(
        _ backend: TestBackend, _ body: @Sendable (Database) async throws -> Void
    ) async throws -> [FinishedInMemorySpan] {
        let tracer = InMemoryTracer()
        try await withTracer(tracer) {
            try await TestDatabase.with(backend, configuration: DatabaseConfiguration(poolSize: 1)) { database in
                // The migrations at the start are outside a span.
                #expect(tracer.finishedSpans.isEmpty)
                try await database.write { connection in
                    try connection.execute("INSERT INTO departments VALUES (:number, :name)", Self.department)
                }
                #expect(tracer.finishedSpans.isEmpty)
                try await tracer.withSpan("parent") { _ in try await body(database) }
            }
        }
        return tracer.finishedSpans
    }

    private static let department: Arguments = ["number": "d001", "name": "secret-value"]

    @Test("A statement inside a span has a client span with its text, without values", arguments: TestBackend.available)
    func reads(_ backend: TestBackend) async throws {
        let spans = try await traced(backend) { database in
            try await database.read { connection in
                _ = try connection.execute(
                    "SELECT dept_no FROM departments WHERE dept_name = :name", ["name": "secret-value"])
            }
        }
        #expect(spans.map(\.operationName) == ["SELECT departments", "parent"])
        let span = try #require(spans.first)
        #expect(span.kind == .client && span.status == nil)
        #expect(span.parentSpanID == spans.last?.spanID && span.traceID == spans.last?.traceID)
        #expect(span.startInstant.nanosecondsSinceEpoch <= span.endInstant.nanosecondsSinceEpoch)
        #expect(span.attributes.get("db.system.name") == .string(backend == .sqlite ? "sqlite" : "mariadb"))
        #expect(span.attributes.get("db.query.summary") == "SELECT departments")
        #expect(
            span.attributes.get("db.query.text") == "SELECT dept_no FROM departments WHERE dept_name = ?")
        #expect((span.attributes.get("db.namespace") != nil) == (backend == .mariaDB))
        #expect(!"\(spans)".contains("secret-value"))
    }

    @Test(
        "A statement that fails has the code of its error, and no message of the database",
        arguments: TestBackend.available)
    func failures(_ backend: TestBackend) async throws {
        let spans = try await traced(backend) { database in
            await #expect(throws: DatabaseError.self) {
                try await database.write { connection in
                    try connection.execute("INSERT INTO departments VALUES (:number, :name)", Self.department)
                }
            }
        }
        let span = try #require(spans.first)
        #expect(span.operationName == "INSERT departments")
        #expect(span.status == SpanStatus(code: .error))
        #expect(span.attributes.get("error.type") == "unique-violation")
        let code = span.attributes.get("db.response.status_code")
        #expect(code == (backend == .sqlite ? "2067" : "23000/1062"))
        #expect(!"\(spans)".contains("secret-value"))
    }

    @Test("Literals of a statement without parameters are not in its span", arguments: TestBackend.available)
    func literals(_ backend: TestBackend) async throws {
        let spans = try await traced(backend) { database in
            try await database.read { connection in
                _ = try connection.execute("SELECT 7 FROM departments WHERE dept_name = 'secret-value' LIMIT 5")
            }
        }
        #expect(
            spans.first?.attributes.get("db.query.text") == "SELECT ? FROM departments WHERE dept_name = ? LIMIT ?")
        #expect(!"\(spans)".contains("secret-value"))
    }

    @Test("The statements of a stream and of a direct read have spans")
    func kindsOfReads() async throws {
        let spans = try await traced(.sqlite) { database in
            let stream = try await database.stream { connection in
                let rows = try connection.query("SELECT dept_no FROM departments")
                return { try rows.next() ? rows.text(at: 0) : nil }
            }
            for try await _ in stream {}
            // A read that exceeds its budget is repeated, so its statements have no spans.
            for budget in [ReadBudget(steps: 1 << 40, time: .seconds(600)), ReadBudget(steps: 1, time: .seconds(600))] {
                let read = try database.readDirectly(within: budget) { connection in
                    try connection.execute("WITH n AS (SELECT 1 AS a) SELECT a FROM n")
                    return try connection.execute(
                        "WITH RECURSIVE n AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM n LIMIT 20000) SELECT MAX(a) FROM n"
                    )
                }
                if case .value = read { #expect(budget.steps > 1) } else { #expect(budget.steps == 1) }
            }
        }
        #expect(spans.map(\.operationName) == ["SELECT departments", "SELECT n", "SELECT n", "parent"])
    }

    @Test(
        "The summary of a statement is its verb and its first table",
        arguments: [
            ("select `a` from `employees` AS `e` WHERE x = 'FROM y'", "SELECT employees"),
            ("SELECT (SELECT 1 FROM inner_table), 'from x' FROM shop.orders", "SELECT shop.orders"),
            ("SELECT * FROM (SELECT 1 FROM a) AS b", "SELECT"), ("SELECT 1", "SELECT"), ("", ""),
            ("INSERT INTO titles VALUES (?)", "INSERT titles"), ("INSERT OR IGNORE INTO \"t\" VALUES (1)", "INSERT t"),
            ("UPDATE `salaries` SET a = 1", "UPDATE salaries"), ("DELETE FROM titles WHERE a = ?", "DELETE titles"),
            ("WITH a AS (SELECT 1 FROM b) SELECT * FROM c", "SELECT c"), ("PRAGMA table_info(x)", "PRAGMA"),
            ("SELECT FROM", "SELECT"),
        ])
    func summaries(sql: String, summary: String) {
        #expect(StatementText.summary(of: sql) == summary)
    }

    @Test(
        "Strings and numbers are replaced, and names are not",
        arguments: [
            (
                "SELECT a1, `b'2` FROM t WHERE x = 'it''s' AND y = 1.5e3 AND z = X'ab'",
                "SELECT a1, `b'2` FROM t WHERE x = ?? AND y = ?.? AND z = X?"
            ),
            ("SELECT \"x\"", "SELECT ?"), ("SELECT 'open", "SELECT ?"), ("SELECT '\\' , 'secret'", nil),
            ("SELECT 1 -- it's", nil), ("SELECT 1 /* ' */", nil), ("SELECT 1 # '", nil),
        ] as [(String, String?)])
    func replacedLiterals(sql: String, text: String?) {
        #expect(StatementText.withoutLiterals(sql) == text)
    }
}
