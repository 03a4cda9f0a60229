public import DuetSQLDatabase
import Foundation

/// Functions that check a database and migrate it to the schema of this version. They never drop or overwrite data.
public enum EmployeeSchema {
    /// The content of a database.
    package enum State: Sendable, Equatable {
        /// The database has no tables.
        case empty
        /// The database has the six tables of ``EmployeeTable`` but no record of migrations, because another tool
        /// created the tables.
        case unversioned
        /// The database has the six tables and a record of migrations up to this version.
        case versioned(Int)
        /// The database has tables, but only some or none of the six tables. The value is a clause with the reason, for
        /// an error message.
        case other(String)
        /// The six tables or the recorded migrations differ from those of this version. The value is a clause with the
        /// reason, for an error message.
        case foreign(String)
    }

    static let tables = ["departments", "dept_emp", "dept_manager", "employees", "salaries", "titles"]
    static let record = "duet_migrations"

    /// Applies the missing migrations, or throws an error if the database cannot be used.
    ///
    /// - Parameters:
    ///   - database: A database that is empty, has the schema of this or an earlier version, or was created by the
    ///     script of the original database (github.com/datacharmer/test_db).
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

    /// Reads the state of a database without writing. If another server creates a table after the transaction began,
    /// MariaDB refuses to read the table (error 1412). In this case the function tries again in a new transaction.
    /// - Parameter database: A database, which may be opened read-only.
    /// - Throws: `DatabaseError` if the database cannot be read.
    package static func state(of database: Database) async throws -> State {
        while true {
            do {
                return try await database.read { try inspect($0) }
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
        let names = try tableNames(connection)
        if names.contains(record) {
            let rows = try connection.query("SELECT version, checksum FROM \(record) ORDER BY version")
            var latest = 0
            while try rows.next() {
                latest = Int(rows.integer(at: 0))
                let checksum = rows.text(at: 1)
                if let known = Migration.all.first(where: { $0.version == latest }),
                    known.checksum(for: connection.dialect) != checksum
                {
                    return .foreign("its migration \(latest) (\(known.name)) differs from that of this version of duet")
                }
            }
            let missing = tables.filter { !names.contains($0) }
            if latest > 0, !missing.isEmpty {
                return .foreign("the tables \(missing.joined(separator: ", ")) are missing")
            }
            return .versioned(latest)
        }
        let ours = tables.filter(names.contains)
        if ours.count == tables.count {
            let strange = try tables.filter { try !hasItsColumns($0, connection) }
            guard strange.isEmpty else {
                return .foreign("its tables \(strange.joined(separator: ", ")) have different columns")
            }
            if let reason = try collationReason(connection) { return .foreign(reason) }
            return .unversioned
        }
        if names.isEmpty { return .empty }
        if ours.isEmpty {
            return .other("it has other tables: \(names.sorted().prefix(5).joined(separator: ", "))")
        }
        let missing = tables.filter { !names.contains($0) }
        return .other("it has only some of the six tables; \(missing.joined(separator: ", ")) are missing")
    }

    private static func pending(in state: State, url: DatabaseURL) throws -> [Migration] {
        switch state {
        case .empty, .unversioned: return Migration.all
        case .foreign(let reason), .other(let reason):
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
        if connection.dialect == .mariaDB {
            // Several servers with the same database may start at the same time.
            let lock = try connection.query("SELECT GET_LOCK(\(lockName), 60)")
            guard try lock.next(), lock.integer(at: 0) == 1 else {
                throw SchemaError("another process is migrating \(url) and did not finish within 60 s")
            }
            lock.close()
        }
        defer {
            if connection.dialect == .mariaDB {
                // A failure is ignored, because the server releases the lock when the connection ends.
                _ = try? connection.execute("DO RELEASE_LOCK(\(lockName))")
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

    /// Returns true if a table has the columns of the table with the same name in ``EmployeeTable``.
    private static func hasItsColumns(_ name: String, _ connection: Connection) throws -> Bool {
        guard let table = EmployeeTable(rawValue: name) else { return false }
        do {
            try connection.query("SELECT \(table.columns.map(\.name).joined(separator: ", ")) FROM \(name) LIMIT 0")
                .close()
            return true
        } catch let error as DatabaseError where error.code == .missingColumn {
            return false
        }
    }

    /// Returns a clause for an error message if the collation of a text column does not compare code points; `nil`
    /// otherwise. The service requires a comparison of code points. The script of the original database uses the
    /// default collation of the server, and most default collations treat `d005` and `D005` as equal.
    private static func collationReason(_ connection: Connection) throws -> String? {
        guard connection.dialect == .mariaDB else { return nil }
        let rows = try connection.query(
            """
            SELECT DISTINCT collation_name FROM information_schema.columns
            WHERE table_schema = DATABASE() AND table_name IN (:tables) AND collation_name IS NOT NULL
                AND column_name <> 'gender' AND collation_name NOT LIKE '%|_bin' ESCAPE '|'
            ORDER BY collation_name
            """, ["tables": .list(tables.map { .text($0) })])
        guard try rows.next() else { return nil }
        return
            "its text is compared by \(rows.text(at: 0)), a collation that treats different letters as equal; load the data again"
            + " with duet import, or after ALTER DATABASE … CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin"
    }

    /// The SQL expression for the name of the lock. The lock applies to the whole server, so its name contains the name
    /// of the database. The name of the database is hashed, because the name of a lock has at most 64 characters.
    private static let lockName = "CONCAT('duet_migrations.', MD5(DATABASE()))"

    private static func tableNames(_ connection: Connection) throws -> Set<String> {
        let sql =
            switch connection.dialect {
            case .sqlite:
                "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite~_%' ESCAPE '~'"
            case .mariaDB:
                "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()"
            }
        let rows = try connection.query(sql)
        var names: Set<String> = []
        while try rows.next() { names.insert(rows.text(at: 0)) }
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
