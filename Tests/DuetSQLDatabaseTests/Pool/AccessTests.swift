import Foundation
import TestSupport
import Testing

@testable import DuetSQLDatabase

@Suite("Read-only databases")
struct AccessTests {
    enum JournalMode: String, CaseIterable {
        case rollback = "DELETE"
        case writeAheadLog = "WAL"
    }

    /// Calls a closure with a file that another program has created.
    private func withFile(_ mode: JournalMode, _ body: (_ path: String) async throws -> Void) async throws {
        try await TestDatabase.withURL(.sqlite) { url in
            guard case .sqlite(let path) = url.location else { return }
            try SQLiteProcess.run(
                path,
                ["PRAGMA journal_mode = \(mode.rawValue)", "CREATE TABLE t (n INTEGER)", "INSERT INTO t VALUES (1)"])
            try await body(path)
        }
    }

    private func reader(_ path: String, poolSize: Int = 2) -> Database {
        var configuration = DatabaseConfiguration(poolSize: poolSize)
        configuration.access = .readOnly
        return Database(DatabaseURL(location: .sqlite(path: path)), configuration: configuration)
    }

    private func sum(_ database: Database) async throws -> Int64 {
        try await database.read { connection in
            let rows = try connection.query("SELECT sum(n) FROM t")
            return try rows.next() ? rows.integer(at: 0) : 0
        }
    }

    /// Returns the bytes of a file. This process must not have the file open as a database, because the read closes the
    /// file, and closing a file releases all locks of the process on it.
    private func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

    @Test("Reading does not change the file or its journal mode", arguments: JournalMode.allCases)
    func unchanged(_ mode: JournalMode) async throws {
        try await withFile(mode) { path in
            chmod(path, 0o444)
            let before = try bytes(path)
            let database = reader(path)
            #expect(try await sum(database) == 1)
            #expect(try await database.read { try $0.query("PRAGMA query_only").rows() } == [[1]])
            await database.close()
            #expect(try bytes(path) == before)
            chmod(path, 0o644)
            let process = try SQLiteProcess(path)
            #expect(try process.run("PRAGMA journal_mode") == "[('\(mode.rawValue.lowercased())',)]")
            try process.run("INSERT INTO t VALUES (2)")
            try process.close()
            let files = try FileManager.default.contentsOfDirectory(
                atPath: URL(filePath: path).deletingLastPathComponent().path)
            #expect(files == ["test.sqlite"])
        }
    }

    @Test(
        "A read-only database rejects a write before the closure runs, and a write statement in a read",
        arguments: TestBackend.available)
    func writes(_ backend: TestBackend) async throws {
        try await TestDatabase.with(backend, schema: false) { owner in
            try await owner.write { try $0.executeScript("CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (1)") }
            for access in [DatabaseAccess.readOnly, .immutable] {
                var configuration = DatabaseConfiguration(poolSize: 1)
                configuration.access = access
                #expect(configuration.isReadOnly)
                let database = Database(owner.url, configuration: configuration)
                #expect(database.isReadOnly)
                let error = await failure { try await database.write { _ in Issue.record("the closure has run") } }
                #expect(error?.code == .readOnly)
                #expect(error?.message.contains(owner.url.description) == true)
                #expect(database.statistics.connections == 0)
                #expect(try await database.read { try $0.query("SELECT n FROM t").rows() } == [[1]])
                let inRead = await failure {
                    try await database.read { try $0.execute("INSERT INTO t VALUES (2)") }
                }
                #expect(inRead?.code == .readOnly)
                #expect(try await database.read { try $0.query("SELECT n FROM t").rows() } == [[1]])
                await database.close()
            }
            #expect(!owner.isReadOnly)
        }
    }

    @Test(
        "MariaDB's tx_read_only is set in the sessions of a read-only database",
        .enabled(if: TestBackend.available.contains(.mariaDB)))
    func session() async throws {
        try await TestDatabase.withURL(.mariaDB) { url in
            for access in [DatabaseAccess.readWrite, .readOnly] {
                var configuration = DatabaseConfiguration(poolSize: 1)
                configuration.access = access
                let database = Database(url, configuration: configuration)
                let rows = try await database.read { try $0.query("SELECT @@SESSION.tx_read_only").rows() }
                #expect(rows == [[access == .readOnly ? 1 : 0]])
                await database.close()
            }
        }
    }

    @Test("The next transaction sees the commits of another program", arguments: JournalMode.allCases)
    func commits(_ mode: JournalMode) async throws {
        try await withFile(mode) { path in
            let database = reader(path)
            #expect(try await sum(database) == 1)
            let process = try SQLiteProcess(path)
            for round in 1...3 {
                try process.run("INSERT INTO t VALUES (1)")
                #expect(try await sum(database) == Int64(1 + round))
            }
            // One transaction sees one snapshot. In rollback-journal mode, the other program cannot commit before the
            // transaction ends.
            try await database.read { connection in
                let rows = try connection.query("SELECT sum(n) FROM t")
                _ = try rows.next()
                #expect(rows.integer(at: 0) == 4)
                if mode == .writeAheadLog {
                    try process.run("INSERT INTO t VALUES (1)")
                } else {
                    #expect(throws: SQLiteProcess.Failure.self) { try process.run("INSERT INTO t VALUES (1)") }
                }
                let again = try connection.query("SELECT sum(n) FROM t WHERE n > 0")
                _ = try again.next()
                #expect(again.integer(at: 0) == 4)
            }
            #expect(try await sum(database) == (mode == .writeAheadLog ? 5 : 4))
            try process.close()
            await database.close()
        }
    }

    @Test(
        "Reads work during a write of another program. In rollback-journal mode, they wait for an exclusive lock",
        arguments: JournalMode.allCases)
    func openTransaction(_ mode: JournalMode) async throws {
        try await withFile(mode) { path in
            let process = try SQLiteProcess(path)
            try process.run("BEGIN IMMEDIATE", "INSERT INTO t VALUES (1)")
            let database = reader(path)
            #expect(try await sum(database) == 1)
            try process.run("COMMIT")
            #expect(try await sum(database) == 2)
            try process.run("BEGIN EXCLUSIVE", "INSERT INTO t VALUES (1)")
            if mode == .writeAheadLog {
                #expect(try await sum(database) == 2)
            } else {
                let error = await failure {
                    try await database.read(timeout: .limit(.milliseconds(50))) {
                        try $0.query("SELECT n FROM t").rows()
                    }
                }
                #expect(error?.code == .timeout || error?.code == .busy)
            }
            try process.run("COMMIT")
            #expect(try await sum(database) == 3)
            try process.close()
            await database.close()
        }
    }

    @Test("The write-ahead log of a killed program is read and remains unchanged")
    func leftLog() async throws {
        try await withFile(.writeAheadLog) { path in
            let process = try SQLiteProcess(path)
            try process.run("INSERT INTO t VALUES (41)")
            process.kill()
            for suffix in ["", "-without-index"] {
                if !suffix.isEmpty {
                    try FileManager.default.copyItem(atPath: path, toPath: path + suffix)
                    try FileManager.default.copyItem(atPath: path + "-wal", toPath: "\(path)\(suffix)-wal")
                }
                let file = path + suffix
                let before = (try bytes(file), try bytes(file + "-wal"))
                #expect(before.1.count > 0)
                chmod(file + "-wal", 0o444)
                let database = reader(file)
                #expect(try await sum(database) == 42)
                await database.close()
                #expect(try bytes(file) == before.0)
                #expect(try bytes(file + "-wal") == before.1)
                let attributes = try FileManager.default.attributesOfItem(atPath: file + "-wal")
                #expect(attributes[.posixPermissions] as? Int == 0o444)
            }
        }
    }

    @Test("A read throws an error that names a hot journal, until another program rolls the journal back")
    func hotJournal() async throws {
        try await withFile(.rollback) { path in
            let database = reader(path)
            #expect(try await sum(database) == 1)
            let process = try SQLiteProcess(path)
            try process.run(
                "PRAGMA cache_size = 1", "BEGIN",
                "INSERT INTO t WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9999) SELECT i FROM n",
                "UPDATE t SET n = n + 1")
            process.kill()
            let before = (try Self.sum(of: path), try Self.sum(of: path + "-journal"))
            let second = reader(path)
            for database in [database, second] {
                let error = await failure { try await sum(database) }
                #expect(error?.code == .unavailable)
                #expect(error?.backendCode == "776")
                #expect(error?.message.contains("\(path)-journal must be rolled back") == true)
            }
            #expect((try Self.sum(of: path), try Self.sum(of: path + "-journal")) == before)
            let writer = try SQLiteProcess(path)
            #expect(try writer.run("SELECT sum(n) FROM t") == "[(1,)]")
            try writer.close()
            #expect(try await sum(database) == 1)
            #expect(try await sum(second) == 1)
            await database.close()
            await second.close()
        }
    }

    /// Returns the checksum of a file from another process, because this process may have the file open.
    private static func sum(of path: String) throws -> String {
        let process = Process()
        let output = Pipe.ofOneProcess
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["cksum", path]
        process.standardOutput = output
        try process.run()
        process.waitUntilExit()
        return String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }

    @Test("After another file replaces the database file, reads use the new file", arguments: JournalMode.allCases)
    func replaced(_ mode: JournalMode) async throws {
        try await withFile(mode) { path in
            let database = reader(path)
            #expect(try await sum(database) == 1)
            let before = database.version
            #expect((before == nil) == (mode == .rollback))
            let other = path + ".new"
            try SQLiteProcess.run(
                other,
                [
                    "PRAGMA journal_mode = \(mode.rawValue)", "CREATE TABLE t (n INTEGER)", "INSERT INTO t VALUES (7)",
                ])
            for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
            #expect(rename(other, path) == 0)
            #expect(database.version == nil)
            #expect(try await sum(database) == 7)
            #expect(database.version == nil || database.version != before)
            await database.close()
        }
    }

    // MARK: Versions

    @Test("A database in rollback-journal mode has no version, and no index file is created")
    func rollbackVersion() async throws {
        try await withFile(.rollback) { path in
            let database = reader(path)
            #expect(try await sum(database) == 1)
            #expect(database.version == nil)
            #expect(!FileManager.default.fileExists(atPath: path + "-shm"))
            // Another program changes the mode. Reads stay correct, and a version that becomes available changes with
            // each commit.
            let process = try SQLiteProcess(path)
            try process.run("PRAGMA journal_mode = WAL", "INSERT INTO t VALUES (1)")
            #expect(try await sum(database) == 2)
            let later = reader(path)
            #expect(try await sum(later) == 2)
            let version = try #require(later.version)
            try process.run("INSERT INTO t VALUES (1)")
            #expect(try #require(later.version) != version)
            #expect(database.version == nil)
            #expect(try await sum(database) == 3)
            try process.close()
            await database.close()
            await later.close()
        }
    }

    @Test("In WAL mode, each commit of any other program changes the version")
    func logVersion() async throws {
        try await withFile(.writeAheadLog) { path in
            let database = reader(path)
            var seen: [DatabaseVersion] = []
            func expectNewVersion(_ expected: Int64) async throws {
                let version = try #require(database.version)
                #expect(!seen.contains(version))
                seen.append(version)
                #expect(try await sum(database) == expected)
                #expect(database.version == version)
            }
            #expect(try await sum(database) == 1)
            try await expectNewVersion(1)
            for round in 1...4 {
                let process = try SQLiteProcess(path)
                try process.run("INSERT INTO t VALUES (1)")
                try await expectNewVersion(Int64(2 * round))
                if round.isMultiple(of: 2) { try process.run("PRAGMA wal_checkpoint(TRUNCATE)") }
                try process.run("INSERT INTO t VALUES (1)")
                try await expectNewVersion(Int64(2 * round + 1))
                // The program has the last other connection. While this process has the file open, the program
                // cannot remove the log or leave WAL mode.
                #expect(throws: SQLiteProcess.Failure.self) { try process.run("PRAGMA journal_mode = DELETE") }
                try process.close()
                #expect(FileManager.default.fileExists(atPath: path + "-wal"))
            }
            await database.close()
            #expect(database.version == nil)
            // After the close, another program can leave WAL mode and remove the log.
            try SQLiteProcess.run(path, ["PRAGMA journal_mode = DELETE"])
            #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
        }
    }

    @Test("A database that was opened through a symbolic link has no version if the log's index file is deleted")
    func deletedIndex() async throws {
        try await withFile(.writeAheadLog) { path in
            let link = path + ".link"
            symlink(path, link)
            let database = reader(link)
            #expect(try await sum(database) == 1)
            #expect(database.version != nil)
            try FileManager.default.removeItem(atPath: path + "-shm")
            #expect(database.version == nil)
            try SQLiteProcess.run(path, ["INSERT INTO t VALUES (1)"])
            #expect(database.version == nil)
            await database.close()
        }
    }

    // MARK: Permissions

    /// Sets the user of only this thread for file access. See setfsuid(2), which the module Glibc does not contain.
    private static let setFileSystemUser: (@convention(c) (UInt32) -> Int32)? = {
        #if os(Linux)
            guard geteuid() == 0, let address = dlsym(nil, "setfsuid") else { return nil }
            return unsafeBitCast(address, to: (@convention(c) (UInt32) -> Int32).self)
        #else
            return nil
        #endif
    }()

    /// Only root can switch to another user, who has no write permission in the folders of the tests.
    private static let canBeStranger = setFileSystemUser != nil

    private func asStranger<Value>(_ body: () throws -> Value) rethrows -> Value {
        _ = Self.setFileSystemUser?(65_534)
        defer { _ = Self.setFileSystemUser?(geteuid()) }
        return try body()
    }

    private func open(_ path: String) throws -> SQLiteConnection {
        var configuration = DatabaseConfiguration(poolSize: 1)
        configuration.access = .readOnly
        return try SQLiteConnection(path: path, configuration: configuration, interrupt: Interrupt())
    }

    private func withStrangersConnection(
        _ path: String, _ body: (_ count: () throws -> Int64?, _ hasIndex: () -> Bool) throws -> Void
    ) throws {
        let connection = try asStranger { try open(path) }
        try body({ try asStranger { try count(connection) } }, { asStranger { WriteAheadLogIndex(connection) != nil } })
    }

    private func count(_ connection: SQLiteConnection) throws -> Int64? {
        let statement = try connection.prepare("SELECT sum(n) FROM t")
        statement.start()
        defer { statement.reset() }
        guard try statement.step(), case .integer(let sum) = statement.column(0) else { return nil }
        return sum
    }

    @Test(
        "A user without write permission for the file and the folder reads a file in rollback-journal mode",
        .enabled(if: canBeStranger))
    func strangerInRollbackMode() async throws {
        try await withFile(.rollback) { path in
            try asStranger {
                let connection = try open(path)
                #expect(try count(connection) == 1)
                #expect(throws: (any Error).self) { try connection.run("INSERT INTO t VALUES (2)") }
            }
        }
    }

    @Test(
        "Without write permission, a file in WAL mode is readable if its log and index exist, and has no version",
        .enabled(if: canBeStranger))
    func strangerInLogMode() async throws {
        try await withFile(.writeAheadLog) { path in
            func expectNoLog(_ code: String = "1544") {
                let error = #expect(throws: DatabaseError.self) { try asStranger { try count(open(path)) } }
                #expect(error?.code == .unavailable)
                #expect(error?.backendCode == code)
                #expect(error?.message.contains("\(path)-wal") == true)
            }
            expectNoLog()
            let process = try SQLiteProcess(path)
            try process.run("INSERT INTO t VALUES (1)")
            try withStrangersConnection(path) { count, hasIndex in
                #expect(try count() == 2)
                try process.run("INSERT INTO t VALUES (1)")
                #expect(try count() == 3)
                #expect(!hasIndex())
            }
            // The program crashed. Its log is read into memory until another program uses the file.
            process.kill()
            try withStrangersConnection(path) { count, hasIndex in
                #expect(try count() == 3)
                #expect(!hasIndex())
                let writer = try SQLiteProcess(path)
                try writer.run("INSERT INTO t VALUES (1)")
                #expect(try count() == 4)
                #expect(!hasIndex())
                try writer.run("INSERT INTO t VALUES (1)")
                #expect(try count() == 5)
                try writer.close()
                #expect(try count() == 5)
            }
            // A log without an index file cannot be read.
            let crashed = try SQLiteProcess(path)
            try crashed.run("INSERT INTO t VALUES (1)")
            crashed.kill()
            try FileManager.default.removeItem(atPath: path + "-shm")
            expectNoLog("14")
            try SQLiteProcess.run(path, ["INSERT INTO t VALUES (1)"])
            expectNoLog()
        }
    }
}

extension AccessTests.JournalMode: CustomTestStringConvertible {
    var testDescription: String { rawValue }
}
