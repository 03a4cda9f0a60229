import DuetSQLDatabase
import Foundation
import ProcessTesting
import TestSupport
import Testing

@testable import DuetEmployees

@Suite("The database schema") struct SchemaTests {
    private static let latest = Migration.all.count
    private static let names = Migration.all.map(\.name)

    @Test(
        "An empty database gets every migration, each migration is recorded, and the next start applies none",
        arguments: TestBackend.available)
    func migrated(backend: TestBackend) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            #expect(try await database.read { try EmployeeSchema.inspect($0) } == .empty)
            #expect(try await EmployeeSchema.prepare(database, appliesMigrations: true) == Self.names)
            #expect(try await database.read { try EmployeeSchema.inspect($0) } == .versioned(Self.latest))
            let before = try await Self.records(database)
            #expect(before.count == Self.latest)
            #expect(try await EmployeeSchema.prepare(database, appliesMigrations: true) == [])
            #expect(try await EmployeeSchema.prepare(database, appliesMigrations: false) == [])
            #expect(try await Self.records(database) == before)
        }
    }

    @Test(
        "If migrations are not permitted, the error names the missing migrations, and the database is unchanged",
        arguments: TestBackend.available)
    func refusedMigrations(backend: TestBackend) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            let error = await #expect(throws: SchemaError.self) {
                try await EmployeeSchema.prepare(database, appliesMigrations: false)
            }
            #expect(error?.message.contains("1 (employees), 2 (indexes), 3 (persisted-queries)") == true)
            #expect(error?.message.contains("--no-migrate or DUET_MIGRATE=false") == true)
            let state = try await database.read { try EmployeeSchema.inspect($0) }
            #expect(state == .empty)
        }
    }

    @Test(
        "Missing migrations are applied to an existing database, and its data remains", arguments: TestBackend.available
    )
    func partial(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database in
            try await database.write { connection in
                try connection.executeScript(
                    """
                    INSERT INTO employees VALUES (1, '1960-01-01', 'A', 'B', 'M', '1990-01-01');
                    DELETE FROM duet_migrations WHERE version > 1
                    """)
            }
            #expect(
                try await EmployeeSchema.prepare(database, appliesMigrations: true) == ["indexes", "persisted-queries"])
            #expect(try await Self.employees(database) == 1)
        }
    }

    @Test(
        "On MariaDB, the next start completes an interrupted first migration, because each CREATE is committed",
        .enabled(if: TestBackend.available.contains(.mariaDB)))
    func interrupted() async throws {
        try await TestDatabase.with(.mariaDB) { database in
            try await database.write { connection in
                try connection.executeScript(
                    """
                    DELETE FROM duet_migrations;
                    DROP TABLE duet_persisted_queries;
                    DROP TABLE salaries
                    """)
            }
            #expect(try await EmployeeSchema.prepare(database, appliesMigrations: true) == Self.names)
            #expect(try await database.read { try EmployeeSchema.inspect($0) } == .versioned(Self.latest))
        }
    }

    @Test("Further tables in a database of this server do not change its state", arguments: TestBackend.available)
    func furtherTables(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database in
            try await database.write { try $0.executeScript("CREATE TABLE note (text VARCHAR(10))") }
            #expect(try await EmployeeSchema.prepare(database, appliesMigrations: false) == [])
        }
    }

    @Test(
        "A database without the table of persisted queries gets the table, and its data remains",
        arguments: TestBackend.available)
    func beforePersistedQueries(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database in
            try await database.write { connection in
                try connection.executeScript(
                    """
                    INSERT INTO employees VALUES (1, '1960-01-01', 'A', 'B', 'M', '1990-01-01');
                    DROP TABLE duet_persisted_queries;
                    DELETE FROM duet_migrations WHERE version = 3
                    """)
            }
            #expect(try await database.read { try EmployeeSchema.inspect($0) } == .versioned(2))
            #expect(try await EmployeeSchema.prepare(database, appliesMigrations: true) == ["persisted-queries"])
            try await database.read { connection in
                try connection.query("SELECT hash, document, bytes, used_at, is_reused FROM duet_persisted_queries")
                    .close()
            }
            #expect(try await Self.employees(database) == 1)
        }
    }

    @Test(
        "Several servers that start concurrently with one empty database apply each migration once",
        arguments: TestBackend.available)
    func concurrent(backend: TestBackend) async throws {
        try await TestDatabase.withURL(backend) { url in
            var configuration = DatabaseConfiguration(poolSize: 1)
            configuration.createsMissingFile = true
            let databases = (0..<4).map { _ in Database(url, configuration: configuration) }
            let applied = try await withThrowingTaskGroup(of: [String].self) { tasks in
                for database in databases {
                    tasks.addTask { try await EmployeeSchema.prepare(database, appliesMigrations: true) }
                }
                return try await tasks.reduce(into: []) { $0.append($1) }
            }
            #expect(applied.flatMap { $0 } == Self.names)
            for database in databases { await database.close() }
        }
    }

    /// Databases of other programs: the script that creates them, and a part of the error message.
    private static func foreign(_ backend: TestBackend) -> [(script: String, message: String)] {
        // The first migration creates tables with the names and columns of the original database.
        let six = Migration.all[0].script(for: backend == .sqlite ? .sqlite : .mariaDB)
        let message =
            "duet has not created its tables (current_dept_emp, departments, dept_emp, dept_emp_latest_date, dept_manager, …)"
        let record =
            "CREATE TABLE duet_migrations (version INTEGER PRIMARY KEY, name TEXT, checksum TEXT, applied_at TEXT)"
        return [
            ("CREATE TABLE note (text VARCHAR(10)); INSERT INTO note VALUES ('kept')", "its tables (note)"),
            ("CREATE TABLE employees (emp_no INTEGER PRIMARY KEY)", "its tables (employees)"),
            (
                tables.map { "CREATE TABLE \($0) (id INTEGER PRIMARY KEY, text VARCHAR(10))" }.joined(separator: ";"),
                "its tables (departments, dept_emp, dept_manager, employees, salaries, …)"
            ),
            (six, message),
            (six + "CREATE TABLE skills (emp_no INTEGER)", message),
            (six + "CREATE TABLE duet_persisted_queries (id INTEGER)", message),
            (six + "CREATE TABLE duet_migrations (id INTEGER)", message),
            (
                six
                    + "CREATE TABLE duet_migrations (version TEXT, name TEXT, checksum TEXT, applied_at TEXT, note TEXT)",
                message
            ),
            (
                six + "CREATE VIEW duet_migrations AS SELECT 1 AS version, 'employees' AS name, 'x' AS checksum, "
                    + "'2026' AS applied_at",
                message
            ),
            (six + "\(record); INSERT INTO duet_migrations VALUES (1, 'first', 'x', '2026')", message),
            (six + "\(record); INSERT INTO duet_migrations VALUES (2, 'indexes', 'x', '2026')", message),
            (
                six + "\(record); INSERT INTO employees VALUES (1, '1960-01-01', 'A', 'B', 'M', '1990-01-01')", message
            ),
            (six + "\(record); CREATE TABLE skills (emp_no INTEGER)", message),
            ("\(record); CREATE TABLE employees (id INTEGER)", "its tables (duet_migrations, employees)"),
        ]
    }
    private static let tables = ["departments", "dept_emp", "dept_manager", "employees", "salaries", "titles"]

    /// Modified databases of this server: the script that modifies them, and a part of the error message.
    private static let changed: [(script: String, message: String)] = [
        (
            "INSERT INTO duet_migrations VALUES (99, 'later', 'x', '2030-01-01')",
            "version 99, but this duet supports versions up to \(latest)"
        ),
        ("UPDATE duet_migrations SET checksum = 'x' WHERE version = 1", "migration 1 (employees) differs from that of"),
        ("DROP TABLE titles", "the tables titles are missing"),
        (
            """
            DELETE FROM duet_migrations WHERE version = 3; DROP TABLE duet_persisted_queries;
            CREATE TABLE duet_persisted_queries (hash INTEGER, note VARCHAR(10))
            """, "another program has created its table duet_persisted_queries"
        ),
    ]

    @Test(
        "A database of another program is rejected and remains unchanged",
        arguments: TestBackend.available, foreign(.sqlite).indices)
    func foreignTables(backend: TestBackend, index: Int) async throws {
        let (script, message) = Self.foreign(backend)[index]
        try await TestDatabase.with(backend, schema: false) { database in
            try await database.write { try $0.executeScript(script) }
            try await Self.expectRefusal(of: database, message: message)
        }
    }

    @Test(
        "A modified database of this server is rejected and remains unchanged", arguments: TestBackend.available,
        changed.indices)
    func changedTables(backend: TestBackend, index: Int) async throws {
        let (script, message) = Self.changed[index]
        try await TestDatabase.with(backend) { database in
            try await database.write { connection in
                for statement in script.split(separator: ";") { try connection.executeScript(String(statement)) }
            }
            try await Self.expectRefusal(of: database, message: message)
        }
    }

    @Test("A file that is not a database is rejected, and its bytes do not change")
    func files() async throws {
        try await TestDatabase.withURL(.sqlite) { url in
            guard case .sqlite(let path) = url.location else { return }
            let noise = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
            for (bytes, message) in [
                ([], "is empty"), (noise, "cannot be used as a database"),
                (Array("SQLite format 3".utf8), "cannot be used"),
                (Array("SQLite format 3\0".utf8) + noise, "cannot be used"), (Array("{}\n".utf8), "cannot be used"),
            ] {
                try Data(bytes).write(to: URL(filePath: path))
                let error = await #expect(throws: SchemaError.self) { try await EmployeeSchema.checkFile(path) }
                #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
                #expect(error?.message.contains(path) == true)
                #expect(try Data(contentsOf: URL(filePath: path)) == Data(bytes))
                #expect(try Self.neighbours(of: path) == [])
            }
            await #expect(throws: SchemaError.self) { try await EmployeeSchema.checkFile(path + ".none") }
            #expect(!FileManager.default.fileExists(atPath: path + ".none"))
        }
    }

    @Test("A file with part of a database is rejected, and its bytes do not change")
    func cutFile() async throws {
        try await TestDatabase.withURL(.sqlite) { url in
            guard case .sqlite(let path) = url.location else { return }
            var configuration = DatabaseConfiguration(poolSize: 1)
            configuration.createsMissingFile = true
            let database = Database(url, configuration: configuration)
            try await EmployeeSchema.prepare(database, appliesMigrations: true)
            await database.close()
            try await EmployeeSchema.checkFile(path)
            let whole = try Data(contentsOf: URL(filePath: path))
            let cut = whole.prefix(whole.count / 3)
            try cut.write(to: URL(filePath: path))
            await #expect(throws: SchemaError.self) { try await EmployeeSchema.checkFile(path) }
            #expect(try Data(contentsOf: URL(filePath: path)) == cut)
        }
    }

    @Test(
        "A database that the original script created is a database of another program",
        .enabled(if: TestBackend.available.contains(.mariaDB)),
        .enabled(if: Checkout.hasPublishedData, "needs the original data in ../shared/data/employees-10k"))
    func originalScript() async throws {
        let script = Checkout.publishedData.appending(path: "employees.sql")
        let text = try String(contentsOf: script, encoding: .utf8)
        // The test uses only the statements for tables and views. The other statements select a database and load the
        // dumps.
        let statements = text.replacing(/(?m)^(--|#).*$/, with: "").split(separator: ";").map {
            $0.trimmingCharacters(in: .whitespacesAndNewlines)
        }.filter { $0.hasPrefix("CREATE TABLE") || $0.hasPrefix("CREATE OR REPLACE VIEW") }
        #expect(statements.count == 8)
        for collation in ["utf8mb4_general_ci", "utf8mb4_nopad_bin"] {
            try await TestDatabase.with(.mariaDB, schema: false) { database in
                try await database.write { connection in
                    try connection.executeScript("ALTER DATABASE CHARACTER SET utf8mb4 COLLATE \(collation)")
                    for statement in statements { try connection.executeScript(statement) }
                }
                try await Self.expectRefusal(of: database, message: "duet has not created its tables")
            }
        }
    }

    // MARK: Parts

    /// Expects that a start rejects the database, with and without permission to apply migrations. A SQLite file is
    /// also rejected by ``EmployeeSchema/checkFile(_:)``.
    private static func expectRefusal(of database: Database, message: String) async throws {
        let before = try await contents(database)
        for appliesMigrations in [true, false] {
            let error = await #expect(throws: SchemaError.self) {
                try await EmployeeSchema.prepare(database, appliesMigrations: appliesMigrations)
            }
            #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
            #expect(error?.message.contains("\(database.url)") == true)
        }
        #expect(try await contents(database) == before)
        guard case .sqlite(let path) = database.url.location else { return }
        await database.close()
        let bytes = try Data(contentsOf: URL(filePath: path))
        let error = await #expect(throws: SchemaError.self) { try await EmployeeSchema.checkFile(path) }
        #expect(error?.message.contains(message) == true)
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
        #expect(try neighbours(of: path) == [])
    }

    /// Returns the names of all tables and views, and for SQLite also of indexes.
    private static func contents(_ database: Database) async throws -> [String] {
        try await database.read { connection in
            let rows = try connection.query(
                connection.dialect == .sqlite
                    ? "SELECT name FROM sqlite_master ORDER BY name"
                    : "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY table_name"
            )
            var names: [String] = []
            while try rows.next() { names.append(rows.text(at: 0)) }
            return names
        }
    }

    private static func records(_ database: Database) async throws -> [String] {
        try await database.read { connection in
            let rows = try connection.query(
                "SELECT version, name, checksum, applied_at FROM duet_migrations ORDER BY version")
            var records: [String] = []
            while try rows.next() {
                records.append("\(rows.integer(at: 0)) \(rows.text(at: 1)) \(rows.text(at: 2)) \(rows.text(at: 3))")
            }
            return records
        }
    }

    private static func employees(_ database: Database) async throws -> Int {
        try await database.read { connection in
            let rows = try connection.query("SELECT COUNT(*) FROM employees")
            return try rows.next() ? Int(rows.integer(at: 0)) : 0
        }
    }

    /// Returns the names of the other files in the folder of the database, such as a write-ahead log.
    private static func neighbours(of path: String) throws -> [String] {
        let url = URL(filePath: path)
        return try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
            .filter { $0 != url.lastPathComponent }
    }
}
