import DuetSQLDatabase
import Foundation
import TestSupport
import Testing

@Suite("Direct reads: reads on the calling thread")
struct DirectReadTests {
    private struct Refused: Error {}

    private static let ample = ReadBudget(steps: .max, time: .seconds(600))
    private static let slow = """
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000) SELECT count(*) FROM n
        """

    /// Calls a closure with a database that has the rows 1 and 2.
    private func withRows(_ body: (Database, Recorder) async throws -> Void) async throws {
        try await withRecorder(.sqlite) { database, recorder in
            try await database.write {
                try $0.executeScript("CREATE TABLE t (n INTEGER PRIMARY KEY); INSERT INTO t VALUES (1), (2)")
            }
            recorder.clear()
            try await body(database, recorder)
        }
    }

    private func sum(_ database: Database, within budget: ReadBudget = ample) throws -> Int64? {
        let read = try database.readDirectly(within: budget) { connection in
            let rows = try connection.query("SELECT sum(n) FROM t")
            return try rows.next() ? rows.integer(at: 0) : 0
        }
        guard case .value(let sum) = read else { return nil }
        return sum
    }

    @Test("Direct reads see committed data, use one open connection, and notify the observer as pooled reads do")
    func committed() async throws {
        try await withRows { database, recorder async throws in
            let before = pthread_self()
            let read = try database.readDirectly(within: Self.ample) { _ in pthread_self() == before }
            guard case .value(true) = read else {
                Issue.record("\(read)")
                return
            }
            #expect(try sum(database) == 3)
            try await database.write { try $0.execute("INSERT INTO t VALUES (4)") }
            #expect(try sum(database) == 7)
            #expect(recorder.opened == 1)
            #expect(recorder.statements.filter { $0.contains("sum") }.count == 2)
            #expect(recorder.closeReasons.isEmpty)
        }
    }

    @Test(
        "Direct reads end at their limit of steps or time, and the connection is usable for the next read",
        arguments: [
            ReadBudget(steps: 100_000, time: .seconds(600)), ReadBudget(steps: .max, time: .milliseconds(1)),
        ])
    func budget(_ budget: ReadBudget) async throws {
        try await withRows { database, recorder async throws in
            let read = try database.readDirectly(within: budget) { connection in
                let rows = try connection.query(Self.slow)
                _ = try rows.next()
            }
            guard case .overBudget = read else {
                Issue.record("\(read)")
                return
            }
            #expect(try sum(database) == 3)
            #expect(recorder.opened == 1)
        }
    }

    @Test("Direct reads end at their deadline")
    func deadline() async throws {
        try await withRows { database, _ async throws in
            let read = try database.readDirectly(within: Self.ample, deadline: .after(.milliseconds(1))) {
                _ = try $0.query(Self.slow).next()
            }
            guard case .overBudget = read else {
                Issue.record("\(read)")
                return
            }
            #expect(try sum(database) == 3)
        }
    }

    @Test("Direct reads do not wait for the lock of another program")
    func locked() async throws {
        try await TestDatabase.withURL(.sqlite) { url in
            guard case .sqlite(let path) = url.location else { return }
            try SQLiteProcess.run(path, ["CREATE TABLE t (n INTEGER)", "INSERT INTO t VALUES (1)"])
            var configuration = DatabaseConfiguration(poolSize: 1)
            configuration.access = .readOnly
            let database = Database(url, configuration: configuration)
            #expect(try sum(database) == 1)
            let process = try SQLiteProcess(path)
            try process.run("BEGIN EXCLUSIVE")
            #expect(try sum(database) == nil)
            try process.run("COMMIT")
            #expect(try sum(database) == 1)
            try process.close()
            await database.close()
        }
    }

    @Test("A direct read that tries to write returns no value, and its connection is closed")
    func refused() async throws {
        try await withRows { database, recorder async throws in
            let read = try database.readDirectly(within: Self.ample) { try $0.execute("INSERT INTO t VALUES (9)") }
            guard case .unavailable = read else {
                Issue.record("\(read)")
                return
            }
            #expect(recorder.closeReasons == ["direct read failed"])
            #expect(try sum(database) == 3)
        }
    }

    @Test("Direct reads throw the closure's error, and the connection is usable for the next read")
    func ownError() async throws {
        try await withRows { database, recorder async throws in
            #expect(throws: Refused.self) {
                _ = try database.readDirectly(within: Self.ample) { _ in throw Refused() }
            }
            #expect(try sum(database) == 3)
            #expect(recorder.opened == 1)
        }
    }

    @Test("The maximum number of concurrent direct reads is the number of active processors")
    func bounded() async throws {
        try await withRows { database, recorder async throws in
            @Sendable func depth() throws -> Int {
                let read = try database.readDirectly(within: Self.ample) { _ in try depth() }
                return if case .value(let below) = read { below + 1 } else { 0 }
            }
            #expect(try depth() == ProcessInfo.processInfo.activeProcessorCount)
            #expect(recorder.opened == ProcessInfo.processInfo.activeProcessorCount)
        }
    }

    @Test("Direct reads open a file that replaces the database, and return no value after the database is closed")
    func replaced() async throws {
        try await withRows { database, recorder async throws in
            guard case .sqlite(let path) = database.url.location else { return }
            #expect(try sum(database) == 3)
            let other = path + ".other"
            try SQLiteProcess.run(other, ["CREATE TABLE t (n INTEGER)", "INSERT INTO t VALUES (5)"])
            for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
            #expect(rename(other, path) == 0)
            #expect(try sum(database) == 5)
            #expect(recorder.closeReasons == ["file replaced"])
            await database.close()
            #expect(try sum(database) == nil)
        }
    }

    @Test("MariaDB does not support direct reads", .enabled(if: TestBackend.available.contains(.mariaDB)))
    func mariaDB() async throws {
        try await withRecorder(.mariaDB) { database, recorder async throws in
            let read = try database.readDirectly(within: Self.ample) { _ in }
            guard case .unavailable = read else {
                Issue.record("\(read)")
                return
            }
            #expect(recorder.opened == 0)
        }
    }
}
