import Dispatch
import TestSupport
import Testing

@testable import DuetSQLDatabase

@Suite("Violations of constraints") struct ConstraintViolationTests {
    private static let tables = """
        CREATE TABLE parents (id INTEGER NOT NULL PRIMARY KEY, a INTEGER NOT NULL, b INTEGER NOT NULL);
        CREATE UNIQUE INDEX pair ON parents (a, b);
        CREATE TABLE children (id INTEGER NOT NULL PRIMARY KEY, parent_id INTEGER NOT NULL, name VARCHAR(5),
            size SMALLINT, CONSTRAINT small_size CHECK (size < 900),
            CONSTRAINT parent_key FOREIGN KEY (parent_id) REFERENCES parents (id));
        INSERT INTO parents VALUES (1, 7, 8), (2, 9, 9);
        INSERT INTO children VALUES (1, 1, NULL, NULL);
        """

    private func violation(_ sql: String, _ backend: TestBackend, _ database: Database) async -> ConstraintViolation? {
        let error = await failure { try await database.write { try $0.execute(sql) } }
        #expect(error != nil, "\(sql) succeeds")
        return error?.violation
    }

    @Test("A violation has the names of the database", arguments: TestBackend.available)
    func names(_ backend: TestBackend) async throws {
        let isSQLite = backend == .sqlite
        try await TestDatabase.with(backend, schema: false) { database in
            try await database.write { try $0.executeScript(Self.tables) }
            func expect(_ sql: String, _ expected: ConstraintViolation) async {
                let found = await violation(sql, backend, database)
                #expect(found == expected, "\(sql)")
            }
            await expect(
                "INSERT INTO parents VALUES (1, 1, 1)",
                isSQLite ? .init(.unique, table: "parents", columns: ["id"]) : .init(.unique, name: "PRIMARY"))
            await expect(
                "UPDATE parents SET a = 7, b = 8 WHERE id = 2",
                isSQLite ? .init(.unique, table: "parents", columns: ["a", "b"]) : .init(.unique, name: "pair"))
            await expect(
                "INSERT INTO children VALUES (2, 5, NULL, NULL)",
                isSQLite ? .init(.foreignKey) : .init(.missingParent, table: "children", name: "parent_key"))
            await expect(
                "DELETE FROM parents WHERE id = 1",
                isSQLite ? .init(.foreignKey) : .init(.rowInUse, table: "children", name: "parent_key"))
            await expect(
                "UPDATE children SET size = 901",
                .init(.check, table: isSQLite ? nil : "children", name: "small_size"))
            await expect(
                "UPDATE parents SET a = NULL WHERE id = 2",
                .init(.notNull, table: isSQLite ? "parents" : nil, columns: ["a"]))
            await expect(
                "INSERT INTO parents (id, a) VALUES (3, 3)",
                .init(.notNull, table: isSQLite ? "parents" : nil, columns: ["b"]))
        }
    }

    @Test("A value that does not fit its column is a violation with the name of the column")
    func values() async throws {
        guard TestBackend.available.contains(.mariaDB) else { return }
        try await TestDatabase.with(.mariaDB, schema: false) { database in
            try await database.write {
                try $0.executeScript(Self.tables + "CREATE TABLE days (day DATE, hour INT CHECK (hour < 24));")
            }
            func expect(_ sql: String, _ expected: ConstraintViolation) async {
                let found = await violation(sql, .mariaDB, database)
                #expect(found == expected, "\(sql)")
            }
            await expect("UPDATE children SET name = '123456'", .init(.tooLong, columns: ["name"]))
            await expect("UPDATE children SET size = 99999", .init(.outOfRange, columns: ["size"]))
            await expect(
                "UPDATE children SET size = 'for column `x` at row 9'",
                .init(.invalid, table: "children", columns: ["size"]))
            await expect("INSERT INTO days VALUES ('2024-13-01', 1)", .init(.invalid, table: "days", columns: ["day"]))
            await expect("INSERT INTO days VALUES ('2024-12-01', 24)", .init(.check, table: "days", name: "hour"))
        }
    }

    @Test("The message of a trigger, and of an index over an expression", arguments: TestBackend.available)
    func triggers(_ backend: TestBackend) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            try await database.write { connection in
                try connection.executeScript(Self.tables)
                try connection.execute(
                    backend == .sqlite
                        ? "CREATE TRIGGER t BEFORE DELETE ON children BEGIN SELECT RAISE(ABORT, 'no deletes'); END"
                        : """
                        CREATE TRIGGER t BEFORE DELETE ON children FOR EACH ROW
                        SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 30001, MESSAGE_TEXT = 'no deletes'
                        """)
                if backend == .sqlite { try connection.execute("CREATE UNIQUE INDEX sum ON parents (a + b)") }
            }
            let deleted = await violation("DELETE FROM children", backend, database)
            #expect(deleted == .init(.trigger, message: "no deletes"))
            guard backend == .sqlite else { return }
            let sum = await violation("INSERT INTO parents VALUES (3, 6, 9)", backend, database)
            #expect(sum == .init(.unique, name: "sum"))
        }
    }

    @Test("Names with special characters are read from SQLite's messages")
    func oddNames() {
        func violation(_ code: Int, _ message: String) -> ConstraintViolation? {
            DatabaseError(.constraintViolation, message, backendCode: "\(code)").violation
        }
        #expect(
            violation(3091, "cannot store TEXT value in INTEGER column a.t.c")
                == .init(.invalid, table: "a.t", columns: ["c"]))
        #expect(violation(1811, "FOREIGN KEY constraint failed") == .init(.rowInUse))
        #expect(violation(1299, "another message") == nil)
        #expect(DatabaseError(.constraintViolation, "x").violation == nil)
        #expect(DatabaseError(.busy, "x", backendCode: "1555").violation == nil)
    }

    @Test("Errors that another transaction causes are transient")
    func transient() {
        #expect(DatabaseError(.busy, "x", backendCode: "517").isTransient)
        #expect(!DatabaseError(.busy, "x", backendCode: "517").duringCommit.isTransient)
        #expect(!DatabaseError(.poolExhausted, "x").isTransient)
        #if MariaDB
            for number in [1020, 1205, 1213] as [UInt32] {
                #expect(DatabaseError.mariaDB(number, state: "HY000", message: "x").isTransient)
            }
            #expect(DatabaseError.mariaDB(1047, state: "08S01", message: "x").code == .unavailable)
        #endif
    }

    @Test("A session for a database of other programs does not lock a row that its snapshot does not show")
    func snapshots() async throws {
        guard TestBackend.available.contains(.mariaDB) else { return }
        try await TestDatabase.withURL(.mariaDB) { url in
            var configuration = DatabaseConfiguration(poolSize: 1).patient
            let owner = Database(url, configuration: configuration)
            configuration.access = .existing
            let guest = Database(url, configuration: configuration)
            try await owner.write { try $0.executeScript(Self.tables) }
            let changed = DispatchSemaphore(value: 0)
            let (reads, read) = AsyncStream<Void>.makeStream()
            async let error = failure {
                try await guest.write { connection in
                    defer { read.finish() }
                    _ = try connection.execute("SELECT a FROM parents")
                    read.finish()
                    changed.wait()
                    do {
                        try connection.execute("SELECT a FROM parents WHERE id = 2 FOR UPDATE")
                    } catch let error as DatabaseError where error.isTransient {
                        // The server has rolled back the transaction, so no statement can follow.
                        try connection.execute("UPDATE parents SET a = 10 WHERE id = 2")
                    }
                }
            }
            for await _ in reads {}
            try await owner.write { try $0.execute("UPDATE parents SET a = 11 WHERE id = 2") }
            changed.signal()
            let message = await error?.message
            #expect(message?.contains("rolled back the transaction") == true)
            let count = try await owner.read { connection in
                let rows = try connection.query("SELECT COUNT(*) FROM parents WHERE a = 11")
                _ = try rows.next()
                return rows.integer(at: 0)
            }
            #expect(count == 1)
            await guest.close()
            await owner.close()
        }
    }
}
