import DuetSQLDatabase
import TestSupport
import Testing

@Suite("The statement trace") struct StatementTraceTests {
    private static let origin = TransactionOrigin(rawValue: 7)

    /// Runs statements while a new trace is the current trace, and returns the trace.
    private func traced(
        _ database: Database, origin: TransactionOrigin = Self.origin, maximumSize: Int = 1_000, _ sql: [String]
    ) async throws -> StatementTrace {
        let trace = StatementTrace(maximumSize: maximumSize)
        try await StatementTrace.$current.withValue(trace) {
            try await database.read(origin: origin) { connection in
                for sql in sql { _ = try? connection.execute(sql) }
            }
        }
        return trace
    }

    @Test(
        "A trace records the statements of its task with row counts, except in transactions without an origin",
        arguments: TestBackend.available)
    func statements(_ backend: TestBackend) async throws {
        // The database has no observer, so only the trace measures the time.
        try await TestDatabase.with(backend, configuration: DatabaseConfiguration(poolSize: 1)) { database in
            let trace = try await traced(database, ["SELECT 1 UNION ALL SELECT 2", "SELECT 3"])
            #expect(trace.statements.map(\.sql) == ["SELECT 1 UNION ALL SELECT 2", "SELECT 3"])
            #expect(trace.statements.map(\.rows) == [2, 1])
            #expect(
                trace.statements.allSatisfy { !$0.hasFailed && $0.nanoseconds > 0 && $0.nanoseconds < 60_000_000_000 })
            // The same connection then runs one statement without a trace, and one with a trace and an unspecified
            // origin.
            _ = try await database.read(origin: Self.origin) { try $0.execute("SELECT 4") }
            #expect(try await traced(database, origin: .unspecified, ["SELECT 5"]).count == 0)
            #expect(trace.count == 2)
        }
    }

    @Test(
        "A trace records a statement that fails during its execution, and the number of its parameters",
        arguments: TestBackend.available)
    func failures(_ backend: TestBackend) async throws {
        try await TestDatabase.with(backend, configuration: DatabaseConfiguration(poolSize: 1)) { database in
            let trace = StatementTrace(maximumSize: 1_000)
            let sql = "INSERT INTO departments VALUES (:number, :name)"
            await #expect(throws: DatabaseError.self) {
                try await StatementTrace.$current.withValue(trace) {
                    try await database.write(origin: Self.origin) { connection in
                        for _ in 0..<2 { try connection.execute(sql, ["number": "d001", "name": "Twice"]) }
                    }
                }
            }
            #expect(trace.statements.map(\.hasFailed) == [false, true])
            #expect(trace.statements.map(\.parameters) == [2, 2])
            #expect(trace.statements.allSatisfy { $0.sql == "INSERT INTO departments VALUES (?, ?)" })
        }
    }

    @Test(
        "A trace records the statements of a stream while the stream is read, in the order of their start",
        arguments: TestBackend.available)
    func stream(_ backend: TestBackend) async throws {
        try await TestDatabase.with(backend, configuration: DatabaseConfiguration(poolSize: 1)) { database in
            let trace = StatementTrace(maximumSize: 1_000)
            let stream = try await StatementTrace.$current.withValue(trace) {
                try await database.stream(origin: Self.origin) { connection in
                    let rows = try connection.query("SELECT 1 UNION ALL SELECT 2")
                    return {
                        guard try rows.next() else { return nil as Int? }
                        return try connection.execute("SELECT 3")
                    }
                }
            }
            for try await _ in stream {}
            #expect(trace.statements.map(\.sql) == ["SELECT 1 UNION ALL SELECT 2", "SELECT 3", "SELECT 3"])
        }
    }

    @Test("A trace stores the texts of statements up to its maximum size, and counts all statements")
    func bound() async throws {
        try await TestDatabase.with(.sqlite) { database in
            let trace = try await traced(
                database, maximumSize: 20, ["SELECT 1", "SELECT 2", "SELECT 3 AS more", "SELECT 4"])
            #expect(trace.statements.map(\.sql) == ["SELECT 1", "SELECT 2"])
            #expect(trace.count == 4)
        }
    }
}
