import Foundation
import SQLDatabase
import TestSupport
import Testing

@Suite("The database's version")
struct VersionTests {
    private func version(_ database: Database) async throws -> DatabaseVersion {
        try #require(try await database.read { try $0.version() })
    }

    @Test("It stays as long as nobody commits, whichever connection asks")
    func unchanged() async throws {
        try await TestDatabase.with(.sqlite) { database in
            let first = try await version(database)
            try await withThrowingTaskGroup { group in
                for _ in 0..<50 {
                    group.addTask {
                        try await database.read { connection in
                            let version = try connection.version()
                            try connection.execute("SELECT COUNT(*) FROM employees")
                            return version
                        }
                    }
                }
                for try await version in group { #expect(version == first) }
            }
        }
    }

    @Test("It is another one after each commit, of this process or another, and never one that was there before")
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

    @Test("What is rolled back leaves it as it was")
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

    @Test("A file that takes the place of another has another version")
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

    @Test("It is there before the first statement of a read, and where the database can tell")
    func absent() async throws {
        for backend in TestBackend.available {
            try await TestDatabase.with(backend) { database in
                let late = try await database.read { connection in
                    try connection.execute("SELECT COUNT(*) FROM employees")
                    return try connection.version()
                }
                #expect(late == nil)
                let early = try await database.read { try $0.version() }
                #expect((early == nil) == (backend == .mariaDB))
            }
        }
    }
}
