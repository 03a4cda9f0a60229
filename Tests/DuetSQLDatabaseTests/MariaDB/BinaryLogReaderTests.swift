import TestSupport
import Testing

@testable import DuetSQLDatabase

@Suite("The binary log of MariaDB", .enabled(if: TestBackend.available.contains(.mariaDB)))
struct BinaryLogReaderTests {
    @Test(
        "The log names the tables that a program has changed, unless they are uncertain",
        arguments: ["ROW", "STATEMENT", "MIXED"])
    func tables(_ format: String) async throws {
        try await TestDatabase.with(.mariaDB, schema: false, administrator: true) { database in
            for definition in [
                "CREATE TABLE a (x INTEGER PRIMARY KEY, y INTEGER)", "CREATE TABLE b (x INTEGER)",
                "CREATE TABLE c (x INTEGER)", "CREATE VIEW v AS SELECT * FROM a", "INSERT INTO a VALUES (1, 1)",
                """
                CREATE FUNCTION f() RETURNS INTEGER MODIFIES SQL DATA
                BEGIN INSERT INTO b VALUES (5); RETURN 1; END
                """,
            ] {
                try await database.write { try $0.execute(definition) }
            }
            let other = Database(database.url, configuration: DatabaseConfiguration(poolSize: 1))
            // The format of a session cannot change within a transaction.
            try await other.write { connection in
                try connection.execute("COMMIT")
                try connection.execute("SET SESSION binlog_format = \(format)")
            }
            try await Log.with(database) { log in
                // The log is read from a moment after the beginning.
                repeat {
                    try await other.write { try $0.execute("UPDATE a SET y = y + 1") }
                } while try await log.tables(of: other) != ["a"]
                for (statements, changed) in [
                    (["INSERT INTO a (x, y) VALUES (2, 1)", "INSERT INTO b (x) VALUES (1)"], ["a", "b"]),
                    (["UPDATE v SET y = 7 WHERE x = 1"], format == "ROW" ? ["a"] : nil),
                    // The text of the statement does not name the table that the function changes.
                    (["UPDATE a SET y = f() WHERE x = 1"], format == "ROW" ? ["a", "b"] : nil),
                    (["INSERT INTO c VALUES (1)", "SAVEPOINT s", "UPDATE a SET y = 5", "ROLLBACK TO s"], ["c"]),
                    (["INSERT INTO b SELECT y FROM a"], format == "ROW" ? ["b"] : nil),
                    // Triggers and views can be others afterwards.
                    (["/* a comment */ CREATE TABLE d (x INTEGER)"], nil), (["INSERT INTO b VALUES (1)"], nil),
                ] as [([String], Set<String>?)] {
                    try await other.write { connection in
                        for statement in statements { try connection.execute(statement) }
                    }
                    let tables = try await log.tables(of: other)
                    #expect(tables == changed, "\(statements)")
                }
            }
            await other.close()
        }
    }

    @Test("An account that may not read the binary log does not know the tables")
    func privilege() async throws {
        try await TestDatabase.with(.mariaDB, schema: false, administrator: true) { database in
            guard case .mariaDB(var location) = database.url.location else { return }
            let name = location.database
            try await database.write { connection in
                try connection.executeScript(
                    "CREATE USER \(name)@'%' IDENTIFIED BY 'secret'; GRANT SELECT ON \(name).* TO \(name)@'%'")
            }
            (location.user, location.password) = (name, "secret")
            let reader = BinaryLogReader(location, DatabaseConfiguration(poolSize: 1), DefinitionChanges()) {}
            // The function returns, although nothing stops the reader.
            reader.run()
            let commit = GlobalTransactionID(domain: 0, number: 1)
            #expect(reader.commits.lookUp([commit]) == CommitTables.Lookup(tables: nil))
            try await database.write { try $0.execute("DROP USER \(name)@'%'") }
        }
    }

    @Test("A database can be closed while its log is read, and after a reader has been replaced")
    func close() async throws {
        try await TestDatabase.with(.mariaDB, schema: false, administrator: true) { database in
            let own = Database(database.url, configuration: DatabaseConfiguration(poolSize: 1))
            let watches = (0..<3).map { _ in own.watchChanges { _ in } }
            await own.close()
            withExtendedLifetime((watches, own.watchChanges { _ in })) {}
        }
    }
}

/// A reader of the log.
private struct Log {
    private let reader: BinaryLogReader
    private let commits: AsyncStream<Void>

    static func with(_ database: Database, _ body: (Log) async throws -> Void) async throws {
        guard case .mariaDB(let location) = database.url.location else { return }
        let (commits, continuation) = AsyncStream.makeStream(of: Void.self)
        let reader = BinaryLogReader(
            location, DatabaseConfiguration(poolSize: 1), DefinitionChanges()
        ) { continuation.yield() }
        let thread = try JoinableThread(name: "test-log", stackSize: 1 << 20) { reader.run() }
        defer {
            reader.stop()
            thread.join()
        }
        try await body(Log(reader: reader, commits: commits))
    }

    /// Returns the tables that the last commit of a pool with one connection has changed.
    func tables(of database: Database) async throws -> Set<String>? {
        let text = try await database.read { try $0.text("SELECT @@last_gtid") }
        let commit = try #require(text.flatMap { GlobalTransactionID($0[...]) })
        var found = reader.commits.lookUp([commit])
        while !found.notYetRead.isEmpty {
            for await _ in commits { break }
            found = reader.commits.lookUp([commit])
        }
        return found.tables
    }
}
