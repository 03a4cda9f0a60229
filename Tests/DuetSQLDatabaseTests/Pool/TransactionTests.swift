import DuetSQLDatabase
import TestSupport
import Testing

@Suite("Transactions")
struct TransactionTests {
    private struct Trouble: Error {}

    private static let table = "CREATE TABLE numbers (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(40) NOT NULL)"

    private func withNumbers(
        _ backend: TestBackend, poolSize: Int = 4, _ body: (Database) async throws -> Void
    ) async throws {
        try await TestDatabase.with(
            backend, schema: false, configuration: DatabaseConfiguration(poolSize: poolSize)
        ) { database in
            try await database.write { try $0.executeScript(Self.table) }
            try await body(database)
        }
    }

    private func count(_ database: Database) async throws -> Int64 {
        try await database.read { connection in
            let rows = try connection.query("SELECT count(*) FROM numbers")
            _ = try rows.next()
            return rows.integer(at: 0)
        }
    }

    @Test("A write is visible when it returns", arguments: TestBackend.available)
    func commits(_ backend: TestBackend) async throws {
        try await withNumbers(backend) { database in
            try await database.write {
                try $0.execute("INSERT INTO numbers VALUES (:id, :name)", ["id": 1, "name": "one"])
            }
            #expect(try await count(database) == 1)
        }
    }

    @Test("A write that throws has no effects", arguments: TestBackend.available)
    func rollsBack(_ backend: TestBackend) async throws {
        try await withNumbers(backend) { database in
            await #expect(throws: Trouble.self) {
                try await database.write { connection in
                    try connection.execute("INSERT INTO numbers VALUES (1, 'one')")
                    throw Trouble()
                }
            }
            let error = await failure {
                try await database.write {
                    try $0.execute("INSERT INTO numbers VALUES (1, 'one')")
                    try $0.execute("INSERT INTO numbers VALUES (1, 'two')")
                }
            }
            #expect(error?.code == .uniqueViolation)
            let count = try await count(database)
            #expect(count == 0)
        }
    }

    @Test(
        "The closure can catch an error of the database and continue the transaction", arguments: TestBackend.available)
    func goesOnAfterAnError(_ backend: TestBackend) async throws {
        try await withNumbers(backend) { database in
            try await database.write { connection in
                try connection.execute("INSERT INTO numbers VALUES (1, 'one')")
                _ = try? connection.execute("INSERT INTO numbers VALUES (1, 'again')")
                try connection.execute("INSERT INTO numbers VALUES (2, 'two')")
            }
            #expect(try await count(database) == 2)
        }
    }

    @Test("A read sees one snapshot during concurrent writes", arguments: TestBackend.available)
    func snapshot(_ backend: TestBackend) async throws {
        try await withNumbers(backend) { database in
            let hasRead = Event()
            let hasWritten = Event()
            async let counts = database.read { connection in
                func count() throws -> Int64 {
                    let rows = try connection.query("SELECT count(*) FROM numbers")
                    _ = try rows.next()
                    return rows.integer(at: 0)
                }
                let before = try count()
                hasRead.happen()
                hasWritten.block()
                return [before, try count()]
            }
            await hasRead.wait()
            try await database.write { try $0.execute("INSERT INTO numbers VALUES (1, 'one')") }
            hasWritten.happen()
            #expect(try await counts == [0, 0])
            #expect(try await count(database) == 1)
        }
    }

    @Test(
        "A read transaction rejects writes by statements, scripts and bulk inserters",
        arguments: TestBackend.available)
    func readOnly(_ backend: TestBackend) async throws {
        try await withNumbers(backend) { database in
            let byStatement = await failure {
                try await database.read { try $0.execute("INSERT INTO numbers VALUES (1, 'one')") }
            }
            let byScript = await failure {
                try await database.read { try $0.executeScript("INSERT INTO numbers VALUES (2, 'two')") }
            }
            let byInserter = await failure {
                try await database.read { connection in
                    let inserter = try connection.bulkInserter(into: "numbers", columns: ["id", "name"])
                    try inserter.append([3, "three"])
                    try inserter.finish()
                }
            }
            #expect([byStatement?.code, byScript?.code, byInserter?.code] == [.readOnly, .readOnly, .readOnly])
            let count = try await count(database)
            #expect(count == 0)
        }
    }

    @Test(
        "The number of affected rows includes matching rows whose values do not change",
        arguments: TestBackend.available)
    func changes(_ backend: TestBackend) async throws {
        try await withNumbers(backend) { database in
            let counts = try await database.write { connection in
                [
                    try connection.execute("INSERT INTO numbers VALUES (1, 'one'), (2, 'two'), (3, 'three')"),
                    try connection.execute("UPDATE numbers SET name = 'one' WHERE id IN (1, 2)"),
                    try connection.execute("DELETE FROM numbers WHERE id = 7"),
                    try connection.execute("DELETE FROM numbers"),
                ]
            }
            #expect(counts == [3, 2, 0, 3])
        }
    }

    @Test(
        "Errors have the same codes on both backends, and contain the statement but not the values",
        arguments: TestBackend.available)
    func errorCodes(_ backend: TestBackend) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            try await database.write {
                try $0.executeScript(
                    """
                    CREATE TABLE parents (id INTEGER NOT NULL PRIMARY KEY, code VARCHAR(8) UNIQUE);
                    CREATE TABLE children (
                        id INTEGER NOT NULL PRIMARY KEY, parent INTEGER NOT NULL, age INTEGER CHECK (age >= 0),
                        FOREIGN KEY (parent) REFERENCES parents (id) ON DELETE RESTRICT);
                    INSERT INTO parents VALUES (1, 'a');
                    INSERT INTO children VALUES (1, 1, 5);
                    """)
            }
            func code(_ sql: String, _ arguments: Arguments = [:]) async -> DatabaseError.Code? {
                let error = await failure { try await database.write { try $0.execute(sql, arguments) } }
                #expect(error?.statement?.isEmpty == false)
                #expect(error?.statement?.contains("secret") == false)
                return error?.code
            }
            let insert = "INSERT INTO parents VALUES (:id, :code)"
            #expect(await code(insert, ["id": 1, "code": "secret"]) == .uniqueViolation)
            #expect(await code(insert, ["id": 2, "code": "a"]) == .uniqueViolation)
            #expect(await code("INSERT INTO children VALUES (2, 99, 1)") == .foreignKeyViolation)
            #expect(await code("DELETE FROM parents WHERE id = 1") == .foreignKeyViolation)
            #expect(await code("INSERT INTO children VALUES (2, 1, :age)", ["age": -1]) == .constraintViolation)
            #expect(await code("INSERT INTO children VALUES (2, NULL, 1)") == .constraintViolation)
            #expect(await code("SELEC 1") == .syntax)
            #expect(await code("SELECT * FROM nowhere") == .missingTable)
            #expect(await code("SELECT absent FROM parents") == .missingColumn)
        }
    }

    @Test("Several statements in one text are rejected", arguments: TestBackend.available)
    func oneStatement(_ backend: TestBackend) async throws {
        try await withNumbers(backend) { database in
            let error = await failure {
                try await database.write { try $0.execute("DELETE FROM numbers; DELETE FROM numbers") }
            }
            #expect(error?.code == .syntax)
        }
    }

    @Test("The bulk inserter inserts any number of rows", arguments: TestBackend.available)
    func bulk(_ backend: TestBackend) async throws {
        try await withNumbers(backend) { database in
            try await database.write { connection in
                let inserter = try connection.bulkInserter(into: "numbers", columns: ["id", "name"])
                for id in 1...2_000 { try inserter.append([.integer(Int64(id)), "name"]) }
                try inserter.finish()
            }
            #expect(try await count(database) == 2_000)
            let error = await failure {
                try await database.write {
                    try $0.bulkInserter(into: "numbers", columns: ["id", "name"]).append([1])
                }
            }
            #expect(error?.code == .parameter)
        }
    }

    @Test(
        "After a rollback by the database, later statements of the transaction write nothing",
        arguments: TestBackend.available)
    func aborted(_ backend: TestBackend) async throws {
        try await withNumbers(backend) { database in
            // On MariaDB, a deadlock causes the rollback. On SQLite, a statement requests it.
            switch backend {
            case .sqlite:
                let error = await failure {
                    try await database.write { connection in
                        try connection.execute("INSERT INTO numbers VALUES (1, 'one')")
                        _ = try? connection.execute("INSERT OR ROLLBACK INTO numbers VALUES (1, 'again')")
                        try connection.execute("INSERT INTO numbers VALUES (2, 'two')")
                    }
                }
                #expect(error?.code == .failed)
                #expect(try await count(database) == 0)
            case .mariaDB:
                try await database.write { try $0.execute("INSERT INTO numbers VALUES (1, 'a'), (2, 'b')") }
                let holdsOne = Event()
                let holdsTwo = Event()
                @Sendable func update(_ first: Int, _ second: Int, holds: Event, other: Event) async throws {
                    try await database.write { connection in
                        try connection.execute("UPDATE numbers SET name = 'x' WHERE id = :id", ["id": .integer(first)])
                        holds.happen()
                        other.block()
                        _ = try? connection.execute(
                            "UPDATE numbers SET name = 'x' WHERE id = :id", ["id": .integer(second)])
                        try connection.execute("INSERT INTO numbers VALUES (:id, 'late')", ["id": .integer(first + 10)])
                    }
                }
                async let one = failure { try await update(1, 2, holds: holdsOne, other: holdsTwo) }
                async let two = failure { try await update(2, 1, holds: holdsTwo, other: holdsOne) }
                let codes = await [one?.code, two?.code].compactMap { $0 }
                #expect(codes == [.failed])
                #expect(try await count(database) == 3)
            }
        }
    }

    @Test("Recorded statements have the origin of their transaction", arguments: TestBackend.available)
    func origin(_ backend: TestBackend) async throws {
        try await withRecorder(backend) { database, recorder in
            try await database.read(origin: TransactionOrigin(rawValue: 7)) { connection in
                for _ in 0..<2 { try connection.execute("SELECT 1") }
            }
            try await database.write(origin: TransactionOrigin(rawValue: 8)) { try $0.execute("SELECT 1") }
            let stream = try await database.stream(origin: TransactionOrigin(rawValue: 9)) { connection in
                let rows = try connection.query("SELECT 1")
                return { try rows.next() ? 1 : nil }
            }
            for try await _ in stream {}
            // The same connection runs a transaction without an origin.
            _ = try await database.read { try $0.execute("SELECT 1") }
            #expect(recorder.origins.map(\.rawValue) == [7, 7, 8, 9, 0])
            #expect(recorder.opened == 1)
        }
    }
}
