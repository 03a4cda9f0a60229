import DuetSQLDatabase
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("The database's version")
struct VersionTests {
    /// Calls a closure with a database that has versions: SQLite always has them, and MariaDB has them only if this
    /// process is the single writer.
    private func withDatabase(_ backend: TestBackend, _ body: (Database) async throws -> Void) async throws {
        var configuration = DatabaseConfiguration(poolSize: 4)
        configuration.isSingleWriter = true
        try await TestDatabase.with(backend, configuration: configuration, body)
    }

    /// Reads once, so that a connection to the current file is open, and returns the version.
    private func version(_ database: Database) async throws -> DatabaseVersion {
        _ = try await database.read { _ in }
        return try #require(database.version)
    }

    @Test("Concurrent reads do not change the version", arguments: TestBackend.available)
    func unchanged(backend: TestBackend) async throws {
        try await withDatabase(backend) { database in
            let first = try await version(database)
            try await withThrowingTaskGroup { group in
                for _ in 0..<50 {
                    group.addTask {
                        _ = try await database.read { try $0.execute("SELECT COUNT(*) FROM employees") }
                        return database.version
                    }
                }
                for try await version in group { #expect(version == first) }
            }
        }
    }

    @Test("If the version is equal before and after a read, the read sees the latest commit of any writer")
    func race() async throws {
        try await TestDatabase.withURL(.sqlite) { url in
            var configuration = DatabaseConfiguration(poolSize: 2)
            configuration.createsMissingFile = true
            let database = Database(url, configuration: configuration)
            let other = Database(url, configuration: configuration)
            try await database.write {
                try $0.executeScript("CREATE TABLE counts (n INT); INSERT INTO counts VALUES (0)")
            }
            let committed = Committed()
            var equal = 0
            try await withThrowingTaskGroup { group in
                for writer in [database, other] {
                    group.addTask {
                        for _ in 0..<300 {
                            let count = try await writer.write { connection in
                                try connection.execute("UPDATE counts SET n = n + 1")
                                return try Self.count(connection)
                            }
                            committed.count.max(count, ordering: .sequentiallyConsistent)
                        }
                    }
                }
                while committed.count.load(ordering: .sequentiallyConsistent) < 600 {
                    guard let before = database.version else { continue }
                    let count = try await database.read { try Self.count($0) }
                    let known = committed.count.load(ordering: .sequentiallyConsistent)
                    guard database.version == before else { continue }
                    equal += 1
                    #expect(count >= known)
                }
                try await group.waitForAll()
            }
            #expect(equal > 0)
            await other.close()
            await database.close()
        }
    }

    private final class Committed: Sendable {
        let count = Atomic(0)
    }

    private static func count(_ connection: Connection) throws -> Int {
        let rows = try connection.query("SELECT n FROM counts")
        guard try rows.next() else { return 0 }
        return Int(rows.integer(at: 0))
    }

    @Test("Each commit of any writer results in a version that did not occur before")
    func commits() async throws {
        try await TestDatabase.withURL(.sqlite) { url in
            var configuration = DatabaseConfiguration(poolSize: 2)
            configuration.createsMissingFile = true
            let database = Database(url, configuration: configuration)
            let other = Database(url, configuration: configuration)
            try await database.write { try $0.executeScript("CREATE TABLE things (name TEXT)") }
            var seen = [try await version(database)]
            for step in 0..<20 {
                let writer = step.isMultiple(of: 2) ? database : other
                try await writer.write { try $0.execute("INSERT INTO things VALUES (:name)", ["name": "a"]) }
                let next = try await version(database)
                #expect(!seen.contains(next))
                #expect(try await version(database) == next)
                seen.append(next)
            }
            await other.close()
            await database.close()
        }
    }

    @Test(
        "With a single writer, the version is nil during a write and new after the write",
        .enabled(if: TestBackend.available.contains(.mariaDB)))
    func singleWriter() async throws {
        try await withDatabase(.mariaDB) { database in
            var seen = [try #require(database.version)]
            for step in 0..<5 {
                try await database.write { connection in
                    #expect(database.version == nil)
                    try connection.execute(
                        "INSERT INTO departments (dept_no, dept_name) VALUES (:number, :name)",
                        ["number": .text("d10\(step)"), "name": .text("Department \(step)")])
                    #expect(database.version == nil)
                }
                let next = try #require(database.version)
                #expect(!seen.contains(next))
                _ = try await database.read { try $0.execute("SELECT COUNT(*) FROM departments") }
                #expect(database.version == next)
                seen.append(next)
            }
        }
    }

    @Test(
        "There is no version after a write that lost its connection, because the server may still commit",
        .enabled(if: TestBackend.available.contains(.mariaDB)))
    func doubt() async throws {
        try await withDatabase(.mariaDB) { database in
            #expect(database.version != nil)
            await #expect(throws: DatabaseError.self) {
                try await database.write { connection in
                    let rows = try connection.query("SELECT CONNECTION_ID()")
                    guard try rows.next() else { return }
                    let id = rows.integer(at: 0)
                    rows.close()
                    try connection.execute("KILL \(id)")
                    try connection.execute("SELECT 1")
                }
            }
            #expect(database.version == nil)
        }
    }

    @Test("A rollback does not change the version")
    func rollback() async throws {
        struct GivenUp: Error {}
        try await TestDatabase.with(.sqlite) { database in
            let before = try await version(database)
            await #expect(throws: GivenUp.self) {
                try await database.write { connection in
                    try connection.execute(
                        "INSERT INTO departments (dept_no, dept_name) VALUES (:number, :name)",
                        ["number": "d001", "name": "One"])
                    throw GivenUp()
                }
            }
            #expect(try await version(database) == before)
        }
    }

    @Test("Replacing the database file changes the version")
    func replaced() async throws {
        try await TestDatabase.withURL(.sqlite) { url in
            guard case .sqlite(let path) = url.location else { return }
            var configuration = DatabaseConfiguration(poolSize: 1)
            configuration.createsMissingFile = true
            let database = Database(url, configuration: configuration)
            try await database.write { try $0.executeScript("CREATE TABLE things (name TEXT)") }
            let before = try await version(database)
            let copy = Database(
                DatabaseURL(location: .sqlite(path: path + ".copy")), configuration: configuration)
            try await copy.write { try $0.executeScript("CREATE TABLE things (name TEXT)") }
            await copy.close()
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
            try FileManager.default.moveItem(atPath: path + ".copy", toPath: path)
            #expect(try await version(database) != before)
            await database.close()
        }
    }

    @Test("The version is nil before the first connection, after the last one, and for MariaDB by default")
    func absent() async throws {
        for backend in TestBackend.available {
            try await TestDatabase.with(backend) { used in
                let database = Database(used.url, configuration: DatabaseConfiguration(poolSize: 1))
                #expect(database.version == nil)
                _ = try await database.read { _ in }
                #expect((database.version == nil) == (backend == .mariaDB))
                await database.close()
                #expect(database.version == nil)
            }
        }
    }
}
