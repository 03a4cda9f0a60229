import Foundation
import TestSupport
import Testing

@testable import DuetSQLDatabase

@Suite("SQLite")
struct SQLiteTests {
    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        try await TestDatabase.withURL(.sqlite) { url in
            guard case .sqlite(let path) = url.location else { return }
            try await body(URL(filePath: path).deletingLastPathComponent())
        }
    }

    private func database(
        _ folder: URL, _ name: String, creates: Bool = false, readOnly: Bool = false, timeout: Duration? = .seconds(30)
    ) -> Database {
        var configuration = DatabaseConfiguration(poolSize: 2)
        configuration.createsMissingFile = creates
        configuration.access = readOnly ? .immutable : .readWrite
        configuration.statementTimeout = timeout
        return Database(
            DatabaseURL(location: .sqlite(path: folder.appending(path: name).path)), configuration: configuration)
    }

    @Test(
        "A missing file is not created. If the database is writable, the error names the option that creates the file")
    func missing() async throws {
        try await withFolder { folder in
            let database = database(folder, "missing.sqlite")
            let error = await failure { try await database.read { try $0.query("SELECT 1 AS n").rows() } }
            #expect(error?.code == .unavailable)
            #expect(error?.message.contains("missing.sqlite") == true)
            #expect(error?.message.contains("DatabaseConfiguration.createsMissingFile") == true)
            let reading = self.database(folder, "missing.sqlite", readOnly: true)
            let toRead = await failure { try await reading.read { try $0.query("SELECT 1 AS n").rows() } }
            #expect(toRead?.message.hasSuffix("missing.sqlite does not exist") == true)
            await reading.close()
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "missing.sqlite").path))
            await database.close()
        }
    }

    @Test("A sort of many rows uses temporary files, not memory")
    func temporaryFiles() async throws {
        try await withFolder { folder in
            let database = database(folder, "sorted.sqlite", creates: true)
            let store = try await database.read { try $0.query("PRAGMA temp_store").rows() }
            #expect(store == [[0]])
            await database.close()
        }
    }

    @Test("The error for a file in a missing directory names the directory", arguments: [false, true])
    func missingDirectory(_ creates: Bool) async throws {
        try await withFolder { folder in
            let database = database(folder, "nodir/x", creates: creates)
            let error = await failure { try await database.read { try $0.query("SELECT 1 AS n").rows() } }
            #expect(error?.code == .unavailable)
            let directory = folder.appending(path: "nodir").path
            #expect(
                error?.message
                    == "the SQLite file \(directory)/x cannot be opened: the directory \(directory) does not exist")
            await database.close()
        }
    }

    @Test(
        "The error for a path that cannot be a database says what is at the path",
        arguments: [
            ("folder", "is a directory; name a file in it"), ("pipe", "is not a regular file"),
            ("broken", "cannot be opened: it is a symbolic link to nowhere/file, which does not exist"),
            ("circle", "cannot be opened: its symbolic links lead in a circle"),
            ("file/x", "cannot be opened: a part of its path is a file and not a directory"),
            (String(repeating: "x", count: 300), "cannot be opened: its path is too long"),
        ], [DatabaseAccess.readWrite, .readOnly, .immutable])
    func unsuitable(_ one: (name: String, reason: String), _ access: DatabaseAccess) async throws {
        try await withFolder { folder in
            let files = FileManager.default
            try files.createDirectory(at: folder.appending(path: "folder"), withIntermediateDirectories: false)
            #expect(mkfifo(folder.appending(path: "pipe").path, 0o600) == 0)
            for (link, target) in [("broken", "nowhere/file"), ("circle", "circle")] {
                try files.createSymbolicLink(
                    atPath: folder.appending(path: link).path, withDestinationPath: target)
            }
            try Data().write(to: folder.appending(path: "file"))
            var configuration = DatabaseConfiguration(poolSize: 1)
            configuration.access = access
            let path = folder.appending(path: one.name).path
            let database = Database(DatabaseURL(location: .sqlite(path: path)), configuration: configuration)
            let error = await failure { try await database.read { try $0.query("SELECT 1 AS n").rows() } }
            #expect(error?.code == .unavailable)
            #expect(error?.message == "the SQLite file \(path) \(one.reason)")
            await database.close()
        }
    }

    @Test("The error for a file that another program has locked says what to do")
    func lockedFile() async throws {
        try await withFolder { folder in
            let path = folder.appending(path: "locked.sqlite").path
            let process = try SQLiteProcess(path)
            try process.run("CREATE TABLE t (n INTEGER)", "BEGIN EXCLUSIVE")
            var configuration = DatabaseConfiguration(poolSize: 1)
            configuration.access = .readOnly
            let error = #expect(throws: DatabaseError.self) {
                _ = try SQLiteConnection(
                    path: path, configuration: configuration, interrupt: Interrupt(), waitsForLocks: false)
            }
            #expect(error?.code == .busy && error?.statement == nil)
            #expect(
                error?.message
                    == "the SQLite file \(path) is locked by another program; end that program, or use a copy of the file"
            )
            try process.run("COMMIT")
            try process.close()
        }
    }

    @Test("A missing file is created at the destination of a symbolic link")
    func link() async throws {
        try await withFolder { folder in
            try FileManager.default.createSymbolicLink(
                atPath: folder.appending(path: "link").path, withDestinationPath: "made.sqlite")
            let database = database(folder, "link", creates: true)
            try await database.write { try $0.executeScript("CREATE TABLE t (n INTEGER)") }
            #expect(FileManager.default.fileExists(atPath: folder.appending(path: "made.sqlite").path))
            await database.close()
        }
    }

    @Test("A file that is not a database is reported as corrupt and remains unchanged", arguments: [false, true])
    func notADatabase(_ readOnly: Bool) async throws {
        try await withFolder { folder in
            let content = Data(String(repeating: "This is a letter, not a database. ", count: 200).utf8)
            let file = folder.appending(path: "letter.txt")
            try content.write(to: file)
            let database = database(folder, "letter.txt", readOnly: readOnly)
            let error = await failure { try await database.read { try $0.query("SELECT * FROM t").rows() } }
            #expect(error?.code == .corrupt)
            #expect(error?.message == "the SQLite file \(file.path) is not a SQLite database, or it is encrypted")
            // The statement that failed first is not one of the caller.
            #expect(error?.statement == nil)
            await database.close()
            let after = try Data(contentsOf: file)
            #expect(after == content)
        }
    }

    @Test("A write during a write of another program fails at the statement's time limit")
    func busy() async throws {
        try await withFolder { folder in
            let first = database(folder, "db", creates: true)
            let second = database(folder, "db")
            try await first.write { try $0.executeScript("CREATE TABLE t (n INTEGER)") }
            // The second database is opened before the lock is taken, so that the lock affects only the write.
            try await expectAnswer(from: second)
            try await first.holdingConnection(writing: "INSERT INTO t VALUES (1)") { _ async throws in
                let error = await failure {
                    try await second.write(timeout: .limit(.milliseconds(50))) {
                        try $0.execute("INSERT INTO t VALUES (2)")
                    }
                }
                #expect(error?.code == .timeout || error?.code == .busy)
                try await expectAnswer(from: second)
            }
            try await second.write { try $0.execute("INSERT INTO t VALUES (2)") }
            await first.close()
            await second.close()
        }
    }

    @Test("A wait for another program's lock ends when the task is canceled")
    func cancelBusy() async throws {
        try await withFolder { folder in
            let first = database(folder, "db", creates: true)
            let second = database(folder, "db", timeout: nil)
            try await first.write { try $0.executeScript("CREATE TABLE t (n INTEGER)") }
            try await first.holdingConnection(writing: "INSERT INTO t VALUES (1)") { _ async throws in
                let task = Task { try await second.write { try $0.execute("INSERT INTO t VALUES (2)") } }
                while second.statistics.busy == 0 { await Task.yield() }
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
            }
            await first.close()
            await second.close()
        }
    }

    @Test("Many connections can open a new file concurrently")
    func openTogether() async throws {
        for _ in 0..<5 {
            try await withFolder { folder in
                let databases = (0..<4).map { _ in database(folder, "new", creates: true) }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for database in databases + databases { group.addTask { try await expectAnswer(from: database) } }
                    try await group.waitForAll()
                }
                for database in databases { await database.close() }
            }
        }
    }

    @Test("A statement that is not read to its end does not block a checkpoint of the write-ahead log")
    func walIsFree() async throws {
        try await withFolder { folder in
            let database = database(folder, "db", creates: true)
            try await database.write { connection in
                try connection.executeScript("CREATE TABLE t (n INTEGER)")
                let inserter = try connection.bulkInserter(into: "t", columns: ["n"])
                for number in 0..<1_000 { try inserter.append([.integer(Int64(number))]) }
                try inserter.finish()
            }
            let first = try await database.read { connection in
                let rows = try connection.query("SELECT n FROM t")
                _ = try rows.next()
                return rows.integer(at: 0)
            }
            #expect(first == 0)
            try await database.write { try $0.execute("DELETE FROM t") }
            await database.close()
            // The last connection copies the whole log and removes it when it is closed, unless another connection
            // still reads.
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "db-wal").path))
        }
    }

    @Test("A read-only database rejects writes")
    func readOnly() async throws {
        try await withFolder { folder in
            let writer = database(folder, "db", creates: true)
            try await writer.write { try $0.executeScript("CREATE TABLE t (n INTEGER)") }
            await writer.close()
            let before = try Data(contentsOf: folder.appending(path: "db"))
            let reader = database(folder, "db", readOnly: true)
            let error = await failure { try await reader.write { try $0.execute("INSERT INTO t VALUES (1)") } }
            #expect(error?.code == .readOnly)
            try await expectAnswer(from: reader)
            await reader.close()
            #expect(try Data(contentsOf: folder.appending(path: "db")) == before)
        }
    }

    @Test("SQLite's own parameter syntax is rejected instead of binding NULL", arguments: ["@a", "$a"])
    func foreignParameters(_ parameter: String) async throws {
        try await TestDatabase.with(.sqlite, schema: false) { database in
            let error = await failure { try await database.read { try $0.query("SELECT \(parameter) AS n").rows() } }
            #expect(error?.code == .parameter)
            try await expectAnswer(from: database)
        }
    }
}
