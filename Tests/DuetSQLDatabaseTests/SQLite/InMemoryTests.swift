import DuetSQLDatabase
import Foundation
import TestSupport
import Testing

@Suite("A SQLite database in memory")
struct InMemoryTests {
    private func with(
        _ configuration: DatabaseConfiguration = DatabaseConfiguration(poolSize: 4),
        _ body: (Database, Recorder) async throws -> Void
    ) async throws {
        let recorder = Recorder()
        let database = Database(
            try DatabaseURL("sqlite::memory:"), configuration: configuration.patient, observer: recorder.observer)
        do {
            try await database.write { connection in
                try connection.executeScript("CREATE TABLE t (n INTEGER PRIMARY KEY); INSERT INTO t VALUES (1), (2)")
            }
            try await body(database, recorder)
        } catch {
            await database.close()
            throw error
        }
        await database.close()
    }

    private func sum(_ database: Database) async throws -> Int64 {
        try await database.read { connection in
            let rows = try connection.query("SELECT sum(n) FROM t")
            return try rows.next() ? rows.integer(at: 0) : 0
        }
    }

    @Test("All connections of a database share its memory, and another database has its own memory")
    func shared() async throws {
        try await with { database, recorder in
            // Both tasks are inside a read before one of them ends.
            let arrived = [Event(), Event()]
            let sums = try await withThrowingTaskGroup(of: Int64.self) { group in
                for reader in 0..<2 {
                    group.addTask {
                        try await database.read { connection in
                            let rows = try connection.query("SELECT sum(n) FROM t")
                            _ = try rows.next()
                            arrived[reader].happen()
                            arrived[1 - reader].block()
                            return rows.integer(at: 0)
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(sums == [3, 3])
            #expect(recorder.opened >= 2)
            try await with { other, _ in
                try await other.write { try $0.execute("DELETE FROM t") }
                let sum = try await sum(other)
                #expect(sum == 0)
            }
            let found = try await sum(database)
            #expect(found == 3)
        }
    }

    @Test("Concurrent reads see only complete writes")
    func manyAtOnce() async throws {
        try await with { database, _ in
            try await withThrowingTaskGroup(of: Int64?.self) { group in
                for task in 0..<200 {
                    group.addTask {
                        if task.isMultiple(of: 4) {
                            try await database.write { connection in
                                try connection.execute("INSERT INTO t VALUES (:n)", ["n": .integer(1_000 + task)])
                                try connection.execute("INSERT INTO t VALUES (:n)", ["n": .integer(-1_000 - task)])
                            }
                            return nil
                        }
                        return try await sum(database)
                    }
                }
                for try await sum in group {
                    #expect(sum == nil || sum == 3)
                }
            }
            let count = try await database.read { try $0.query("SELECT count(*) FROM t").rows() }
            #expect(count == [[102]])
        }
    }

    @Test("A write in a read transaction is rejected, and a failed write has no effects")
    func refusedWrites() async throws {
        try await with { database, _ in
            let inRead = await failure { try await database.read { try $0.execute("DELETE FROM t") } }
            #expect(inRead?.code == .readOnly)
            let failed = await failure {
                try await database.write { connection in
                    try connection.execute("INSERT INTO t VALUES (9)")
                    try connection.execute("INSERT INTO t VALUES (1)")
                }
            }
            #expect(failed?.code == .uniqueViolation)
            let found = try await sum(database)
            #expect(found == 3)
        }
    }

    @Test("A stream reads the database concurrently with other reads")
    func stream() async throws {
        try await with { database, _ in
            try await database.write { connection in
                try connection.execute("DELETE FROM t")
                let inserter = try connection.bulkInserter(into: "t", columns: ["n"])
                for n in 1...1_000 { try inserter.append([.integer(Int64(n))]) }
                try inserter.finish()
            }
            let stream = try await database.stream { connection in
                let rows = try connection.query("SELECT n FROM t ORDER BY n")
                return { try rows.next() ? rows.integer(at: 0) : nil }
            }
            var numbers: [Int64] = []
            for try await number in stream {
                if numbers.isEmpty {
                    let sum = try await sum(database)
                    #expect(sum == 500_500)
                }
                numbers.append(number)
            }
            #expect(numbers == Array(1...1_000))
            try await database.write { try $0.execute("DELETE FROM t") }
            let found = try await sum(database)
            #expect(found == 0)
        }
    }

    @Test("A direct read and a shared snapshot see committed data")
    func direct() async throws {
        try await with { database, _ async throws in
            let budget = ReadBudget(steps: .max, time: .seconds(600))
            @Sendable func count(_ connection: Connection) throws -> Int64 {
                let rows = try connection.query("SELECT count(*) FROM t")
                return try rows.next() ? rows.integer(at: 0) : 0
            }
            guard case .value(2) = try database.readDirectly(within: budget, count) else {
                Issue.record("there was no direct read")
                return
            }
            var seen: [Int64] = []
            database.withSharedSnapshot {
                for _ in 0..<2 {
                    if case .value(let count)? = try? database.readDirectly(within: budget, count) {
                        seen.append(count)
                    }
                }
            }
            #expect(seen == [2, 2])
            try await database.write { try $0.execute("INSERT INTO t VALUES (7)") }
            let found = try await sum(database)
            #expect(found == 10)
        }
    }

    @Test("A read that overlaps a write sees only the rows before the write")
    func snapshots() async throws {
        try await with { database, _ in
            let isReading = Event()
            let mayEnd = Event()
            async let sums = database.read { connection in
                let query = { () -> Int64 in
                    let rows = try connection.query("SELECT sum(n) FROM t")
                    return try rows.next() ? rows.integer(at: 0) : 0
                }
                let first = try query()
                isReading.happen()
                mayEnd.block()
                return [first, try query()]
            }
            await isReading.wait()
            async let write: Void = database.write { connection in
                try connection.execute("INSERT INTO t VALUES (5)")
                mayEnd.happen()
            }
            #expect(try await sums == [3, 3])
            try await write
            let found = try await sum(database)
            #expect(found == 8)
        }
    }

    @Test("The rows of an in-memory database remain when its connections are replaced")
    func replacedConnections() async throws {
        var configuration = DatabaseConfiguration(poolSize: 2)
        configuration.maximumLifetime = .zero
        try await with(configuration) { database, recorder in
            for _ in 0..<3 {
                let sum = try await sum(database)
                #expect(sum == 3)
            }
            #expect(recorder.closeReasons.contains("lifetime"))
        }
    }

    @Test("Closing an in-memory database removes it")
    func closed() async throws {
        let url = try DatabaseURL("sqlite::memory:")
        for _ in 0..<2 {
            let database = Database(url)
            try await database.write { try $0.execute("CREATE TABLE t (n INTEGER)") }
            #expect(database.version == nil)
            await database.close()
            let error = await failure { try await sum(database) }
            #expect(error?.code == .closed)
        }
    }

    @Test("An in-memory database cannot be opened for reading only", arguments: [DatabaseAccess.readOnly, .immutable])
    func readOnly(_ access: DatabaseAccess) async throws {
        var configuration = DatabaseConfiguration()
        configuration.access = access
        let database = Database(try DatabaseURL("sqlite::memory:"), configuration: configuration)
        let error = await failure { try await database.read { try $0.query("SELECT 1").rows() } }
        #expect(error?.code == .readOnly)
        #expect(error?.message.contains("DatabaseConfiguration.access") == true)
        await database.close()
    }

    @Test("The error of a write during an open stream names the cause and the remedy")
    func writeBesideStream() async throws {
        try await with { database, _ in
            let stream = try await database.stream { connection -> () throws -> Int64? in
                let rows = try connection.query(
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT i FROM n, t"
                )
                return { try rows.next() ? rows.integer(at: 0) : nil }
            }
            var iterator = stream.makeAsyncIterator()
            #expect(try await iterator.next() == 1)
            let error = await #expect(throws: DatabaseError.self) {
                try await database.write { try $0.execute("INSERT INTO t VALUES (3)") }
            }
            #expect(error?.code == .busy)
            #expect(error?.message.contains("end it before the write, or use a file") == true)
            #expect(try await iterator.next() == 1)
        }
    }
}
