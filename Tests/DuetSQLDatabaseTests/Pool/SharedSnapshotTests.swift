import DuetSQLDatabase
import Foundation
import TestSupport
import Testing

@Suite("Direct reads (readDirectly) in the closure of withSharedSnapshot")
struct SharedSnapshotTests {
    private static let ample = ReadBudget(steps: .max, time: .seconds(600))

    /// Calls a closure with a database that has the row 1, and with the path of its file.
    private func withRows(
        journal: String = "WAL", _ body: (Database, Recorder, _ path: String) async throws -> Void
    ) async throws {
        try await TestDatabase.withURL(.sqlite) { url in
            guard case .sqlite(let path) = url.location else { return }
            try SQLiteProcess.run(
                path, ["PRAGMA journal_mode = \(journal)", "CREATE TABLE t (n INTEGER)", "INSERT INTO t VALUES (1)"])
            let recorder = Recorder()
            var configuration = DatabaseConfiguration(poolSize: 1)
            configuration.access = .readOnly
            let database = Database(url, configuration: configuration, observer: recorder.observer)
            // The database has a version after the first connection is opened.
            _ = try await database.read { try $0.execute("SELECT 1") }
            recorder.clear()
            try await body(database, recorder, path)
            await database.close()
        }
    }

    private func sum(_ database: Database) throws -> Int64? {
        let read = try database.readDirectly(within: Self.ample) { connection in
            let rows = try connection.query("SELECT sum(n) FROM t")
            return try rows.next() ? rows.integer(at: 0) : 0
        }
        guard case .value(let sum) = read else { return nil }
        return sum
    }

    /// Runs a throwing closure in `withSharedSnapshot`.
    private func share(_ database: Database, _ body: () throws -> Void) throws {
        var failure: (any Error)?
        database.withSharedSnapshot {
            do { try body() } catch { failure = error }
        }
        if let failure { throw failure }
    }

    @Test("Reads in the closure see the commits before the first read, and reads after the closure see later commits")
    func oneSnapshot() async throws {
        try await withRows { database, recorder, path async throws in
            try share(database) {
                try SQLiteProcess.run(path, ["INSERT INTO t VALUES (2)"])
                #expect(try sum(database) == 3)
                try SQLiteProcess.run(path, ["INSERT INTO t VALUES (4)"])
                #expect(try sum(database) == 3)
            }
            #expect(try sum(database) == 7)
            #expect(recorder.opened == 1)
        }
    }

    @Test("After the first read, the database version does not change until the closure ends")
    func version() async throws {
        try await withRows { database, _, path async throws in
            let before = try #require(database.version)
            try share(database) {
                #expect(try sum(database) == 1)
                try SQLiteProcess.run(path, ["INSERT INTO t VALUES (2)"])
                #expect(database.version == before)
            }
            #expect(database.version != before)
            try share(database) { () throws in
                #expect(database.version != before)
                #expect(try sum(database) == 3)
            }
        }
    }

    @Test("The reads in the closure release their lock when the closure ends", arguments: ["WAL", "DELETE"])
    func locks(journal: String) async throws {
        try await withRows(journal: journal) { database, _, path async throws in
            try share(database) { () throws in #expect(try sum(database) == 1) }
            try SQLiteProcess.run(path, ["BEGIN EXCLUSIVE", "INSERT INTO t VALUES (2)", "COMMIT"])
            #expect(try sum(database) == 3)
        }
    }

    @Test("After a read in the closure fails, later reads in the closure share a new snapshot")
    func failures() async throws {
        struct Refused: Error {}
        try await withRows { database, recorder, path async throws in
            try share(database) {
                #expect(try sum(database) == 1)
                #expect(throws: Refused.self) {
                    _ = try database.readDirectly(within: Self.ample) { _ in throw Refused() }
                }
                try SQLiteProcess.run(path, ["INSERT INTO t VALUES (2)"])
                #expect(try sum(database) == 3)
                let slow = try database.readDirectly(within: ReadBudget(steps: 10_000, time: .seconds(600))) {
                    try $0.execute(
                        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
                }
                if case .overBudget = slow {} else { Issue.record("\(slow)") }
                #expect(try sum(database) == 3)
            }
            #expect(recorder.opened == 1)
            #expect(recorder.closeReasons == [])
        }
    }

    @Test("Each read in the closure counts its own statements and has its own limit")
    func budgets() async throws {
        try await withRows { database, _, _ async throws in
            try share(database) {
                for _ in 0..<3 {
                    // The statement takes about 60,000 steps. The limit for one read is 100,000 steps.
                    let read = try database.readDirectly(within: ReadBudget(steps: 100_000, time: .seconds(600))) {
                        try $0.execute(
                            """
                            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
                            SELECT count(*) FROM n
                            """)
                        return $0.statementCount
                    }
                    if case .value(1) = read {} else { Issue.record("\(read)") }
                }
            }
        }
    }

    @Test("A nested read in the closure has a separate transaction")
    func nested() async throws {
        try await withRows { database, _, path async throws in
            try share(database) {
                let outer = try database.readDirectly(within: Self.ample) { connection in
                    try connection.execute("SELECT * FROM t")
                    try SQLiteProcess.run(path, ["INSERT INTO t VALUES (2)"])
                    return try sum(database)
                }
                if case .value(3) = outer {} else { Issue.record("\(outer)") }
                #expect(try sum(database) == 1)
            }
        }
    }

    @Test("Reads of another thread do not share the snapshot")
    func threads() async throws {
        try await withRows { database, _, path async throws in
            try share(database) {
                #expect(try sum(database) == 1)
                try SQLiteProcess.run(path, ["INSERT INTO t VALUES (2)"])
                let other = Thread.result { try? sum(database) }
                #expect(other == 3)
                #expect(try sum(database) == 1)
            }
        }
    }
}

extension Thread {
    /// Runs a closure on another thread and waits for its result.
    fileprivate static func result<Value>(_ body: @escaping () -> Value?) -> Value? {
        nonisolated(unsafe) var value: Value?
        nonisolated(unsafe) let body = body
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            value = body()
            done.signal()
        }
        done.wait()
        return value
    }
}
