public import DuetSQLDatabase
import Foundation

/// Functions that check a database and migrate it to the schema of this version. They never drop or overwrite data.
public enum EmployeeSchema {
    /// The content of a database. Duet writes only to a database that it has created. The record of migrations
    /// identifies such a database. The names of its tables do not, because another program can use the same names.
    package enum State: Sendable, Equatable {
        /// The database has no tables.
        case empty
        /// Duet has created the database. The value is the version of the last recorded migration. It is 0 if the first
        /// migration was interrupted, which is possible only on MariaDB.
        case versioned(Int)
        /// Another program has created the tables of the database. The value is a clause with the reason, for an error
        /// message.
        case other(String)
        /// Duet has created the database, but its tables or its recorded migrations differ from those of this version.
        /// The value is a clause with the reason, for an error message.
        case changed(String)
    }

    static let tables = ["departments", "dept_emp", "dept_manager", "employees", "salaries", "titles"]
    static let record = "duet_migrations"
    private static let recordColumns = ["version", "name", "checksum", "applied_at"]
    private static let views = ["current_dept_emp", "dept_emp_latest_date"]
    private static let persistedQueries = "duet_persisted_queries"
    private static let persistedQueryColumns = ["hash", "document", "bytes", "used_at", "is_reused"]

    /// Applies the missing migrations, or throws an error if the database cannot be used.
    ///
    /// - Parameters:
    ///   - database: A database that is empty, or that this or an earlier version of Duet has created.
    ///   - appliesMigrations: True to apply missing migrations. If false, a missing migration is an error.
    /// - Returns: The names of the applied migrations.
    /// - Throws: ``SchemaError``, or `DatabaseError` if the database cannot be read.
    @discardableResult
    public static func prepare(_ database: Database, appliesMigrations: Bool) async throws -> [String] {
        let pending = try pending(in: try await state(of: database), url: database.url)
        guard !pending.isEmpty else { return [] }
        guard appliesMigrations else {
            let steps = pending.map { "\($0.version) (\($0.name))" }.joined(separator: ", ")
            throw SchemaError(
                """
                the schema of \(database.url) lacks the migrations \(steps); start without --no-migrate or \
                DUET_MIGRATE=false to apply them
                """)
        }
        return try await database.write(timeout: .none) { connection in
            try apply(on: connection, url: database.url)
        }
    }

    /// Reads the state of a database without writing. On MariaDB, another server may apply migrations at the same time,
    /// and the function then reads the state again in a new transaction:
    /// - If a table was created after the transaction began, MariaDB refuses to read the table (error 1412).
    /// - `information_schema` has the current tables, but the transaction may not see rows that were recorded after it
    ///   began. A later transaction sees them, because each `CREATE` commits the rows before it. So the database of
    ///   another program is recognized only after three transactions.
    /// - Parameter database: A database, which may be opened read-only.
    /// - Throws: `DatabaseError` if the database cannot be read.
    package static func state(of database: Database) async throws -> State {
        var remaining = database.dialect.commitsDefinitions ? 3 : 1
        while true {
            do {
                let state = try await database.read { try inspect($0) }
                remaining -= 1
                guard remaining > 0, case .other = state else { return state }
            } catch let error as DatabaseError where error.backendCode?.hasSuffix("/1412") == true {
                continue
            }
        }
    }

    /// Checks a SQLite file before it is opened for use, without changing it.
    /// - Throws: ``SchemaError`` if the file cannot be used.
    public static func checkFile(_ path: String) async throws {
        let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        if size == 0 {
            throw SchemaError(
                "the file \(path) is empty; delete it, or create a database with: duet sample --database sqlite:\(path)"
            )
        }
        var configuration = DatabaseConfiguration(poolSize: 1)
        configuration.access = .immutable
        let url = DatabaseURL(location: .sqlite(path: path))
        let database = Database(url, configuration: configuration)
        let state: State
        do {
            state = try await database.read { try inspect($0) }
            if size ?? 0 <= largestCheckedFile { try await checkPages(of: database, path) }
        } catch let error as SchemaError {
            await database.close()
            throw error
        } catch let error as DatabaseError {
            await database.close()
            throw SchemaError("the file \(path) cannot be used as a database: \(error.message); it was not changed")
        }
        await database.close()
        _ = try pending(in: state, url: url)
    }

    /// The maximum size in bytes of a file whose pages are checked before the file is opened. The check of a file with
    /// this size takes about 50 ms. Damage in a larger file is reported as an error of the request that reads the
    /// damaged part.
    private static let largestCheckedFile = 16 << 20

    /// Throws an error if the file is damaged.
    private static func checkPages(of database: Database, _ path: String) async throws {
        let finding = try await database.read { connection in
            let rows = try connection.query("PRAGMA quick_check(1)")
            return try rows.next() ? rows.text(at: 0) : "ok"
        }
        guard finding != "ok" else { return }
        throw SchemaError("the file \(path) is damaged: \(finding); it was not changed")
    }

    /// Reads the state of a database.
    package static func inspect(_ connection: Connection) throws -> State {
        let found = try names(connection)
        guard !found.all.isEmpty else { return .empty }
        guard let recorded = try recordedMigrations(connection, found) else {
            let some = found.all.sorted().prefix(5).joined(separator: ", ")
            return .other("duet has not created its tables (\(found.all.count > 5 ? some + ", …" : some))")
        }
        for migration in recorded {
            if let known = Migration.all.first(where: { $0.version == migration.version }),
                known.checksum(for: connection.dialect) != migration.checksum
            {
                return .changed(
                    "its migration \(known.version) (\(known.name)) differs from that of this version of duet")
            }
        }
        let latest = recorded.last?.version ?? 0
        let missing = tables.filter { !found.all.contains($0) }
        if latest > 0, !missing.isEmpty {
            return .changed("the tables \(missing.joined(separator: ", ")) are missing")
        }
        // The migration that creates the table would use an existing table with this name.
        if latest < 3, try !canCreate(persistedQueries, persistedQueryColumns, connection, found) {
            return .changed("another program has created its table \(persistedQueries)")
        }
        return .versioned(latest)
    }

    /// A recorded migration.
    private struct Record {
        let version: Int
        let name: String
        let checksum: String
    }

    /// Returns the recorded migrations in the order of their versions; nil if Duet has not created the database.
    private static func recordedMigrations(_ connection: Connection, _ found: Names) throws -> [Record]? {
        guard found.tables.contains(record) else { return nil }
        let all = try connection.query("SELECT * FROM \(record) LIMIT 0")
        let columns = all.columns.map(\.name)
        all.close()
        guard columns == recordColumns else { return nil }
        let rows = try connection.query("SELECT version, name, checksum FROM \(record) ORDER BY version")
        var recorded: [Record] = []
        while try rows.next() {
            recorded.append(
                Record(version: Int(rows.integer(at: 0)), name: rows.text(at: 1), checksum: rows.text(at: 2)))
        }
        guard let first = recorded.first else { return try isInterrupted(connection, found) ? [] : nil }
        return first.version == 1 && first.name == Migration.all.first?.name ? recorded : nil
    }

    /// Returns true if the first migration of a MariaDB database was interrupted. The record is then empty, because
    /// each `CREATE` commits the transaction, and some of the migration's tables exist and are empty. On SQLite, the
    /// migrations are atomic.
    private static func isInterrupted(_ connection: Connection, _ found: Names) throws -> Bool {
        guard connection.dialect.commitsDefinitions, found.all.isSubset(of: tables + views + [record]) else {
            return false
        }
        return try EmployeeTable.allCases.allSatisfy { table in
            let name = table.rawValue
            guard found.all.contains(name) else { return true }
            guard try canCreate(name, table.columns.map(\.name), connection, found) else { return false }
            return try !connection.query("SELECT 1 FROM \(name) LIMIT 1").next()
        }
    }

    /// Returns true if a migration can create a table, or if the existing table has the columns of the migration.
    private static func canCreate(
        _ name: String, _ columns: [String], _ connection: Connection, _ found: Names
    ) throws -> Bool {
        guard found.all.contains(name) else { return true }
        guard found.tables.contains(name) else { return false }
        do {
            try connection.query("SELECT \(columns.joined(separator: ", ")) FROM \(name) LIMIT 0").close()
            return true
        } catch let error as DatabaseError where error.code == .missingColumn {
            return false
        }
    }

    private static func pending(in state: State, url: DatabaseURL) throws -> [Migration] {
        switch state {
        case .empty: return Migration.all
        case .other(let reason):
            throw SchemaError(
                "\(url) is not an employees database: \(reason); it was not changed; use a new or an empty database")
        case .changed(let reason):
            throw SchemaError("\(url) is not an employees database: \(reason); it was not changed")
        case .versioned(let version):
            let latest = Migration.all.last?.version ?? 0
            guard version <= latest else {
                throw SchemaError(
                    "\(url) has schema version \(version), but this duet supports versions up to \(latest); update duet"
                )
            }
            return Migration.all.filter { $0.version > version }
        }
    }

    /// Applies the missing migrations. On SQLite, the migrations are atomic. On MariaDB they are not, because each
    /// `CREATE` commits the transaction. If the migrations are interrupted, the next run completes them, because each
    /// migration creates only objects that do not exist.
    private static func apply(on connection: Connection, url: DatabaseURL) throws -> [String] {
        let namedLock = connection.dialect.namedLock
        if let namedLock {
            // Several servers with the same database may start at the same time.
            let lock = try connection.query(namedLock.acquire(record, 60))
            guard try lock.next(), lock.integer(at: 0) == 1 else {
                throw SchemaError("another process is migrating \(url) and did not finish within 60 s")
            }
            lock.close()
        }
        defer {
            if let namedLock {
                // A failure is ignored, because the server releases the lock when the connection ends.
                _ = try? connection.execute(namedLock.release(record))
            }
        }
        // The state is read again under the lock, because another server may have applied the migrations.
        let pending = try pending(in: try inspect(connection), url: url)
        try connection.executeScript(
            """
            CREATE TABLE IF NOT EXISTS \(record) (
                version     INTEGER      NOT NULL PRIMARY KEY,
                name        VARCHAR(100) NOT NULL,
                checksum    CHAR(64)     NOT NULL,
                applied_at  VARCHAR(30)  NOT NULL
            )
            """)
        for migration in pending {
            try connection.executeScript(migration.script(for: connection.dialect))
            try connection.execute(
                "INSERT INTO \(record) (version, name, checksum, applied_at) VALUES (:version, :name, :checksum, :now)",
                [
                    "version": .integer(migration.version), "name": .text(migration.name),
                    "checksum": .text(migration.checksum(for: connection.dialect)),
                    "now": .text(Date().formatted(.iso8601)),
                ])
        }
        return pending.map(\.name)
    }

    /// The names in a database.
    private struct Names {
        /// The names of all tables and views.
        var all: Set<String> = []
        /// The names of the tables, without views, virtual tables and sequences.
        var tables: Set<String> = []
    }

    private static func names(_ connection: Connection) throws -> Names {
        let rows = try connection.query(connection.dialect.tableNames)
        var names = Names()
        while try rows.next() {
            let name = rows.text(at: 0)
            names.all.insert(name)
            if rows.integer(at: 1) == 1 { names.tables.insert(name) }
        }
        return names
    }
}

/// The error for a database that cannot be used. The message is for the operator of the server.
public struct SchemaError: Error, Sendable, CustomStringConvertible {
    /// A sentence that describes the problem and the remedy.
    public let message: String

    init(_ message: String) {
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
