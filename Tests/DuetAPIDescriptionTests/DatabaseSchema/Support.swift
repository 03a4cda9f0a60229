import DuetAPIDescription
import DuetSQLDatabase
import Foundation
import TestSupport

extension TestBackend {
    static var hasMariaDB: Bool { available.contains(.mariaDB) }

    /// The URL of a MariaDB server. Its account may create databases with names that begin with `duet_`.
    /// - Parameter administrator: True for the account of the administrator.
    static func url(administrator: Bool) -> String? {
        ProcessInfo.processInfo.environment[administrator ? "DUET_TEST_MARIADB_ADMIN" : "DUET_TEST_MARIADB"]
    }
}

extension DatabaseSchema {
    /// Creates a schema with the collations of SQLite, or with two collations of MariaDB.
    init(_ dialect: Dialect, _ tables: [SchemaTable]) {
        self.init(
            dialect: dialect, tables: tables,
            collations: dialect == .sqlite
                ? ["binary": [], "nocase": [], "rtrim": []]
                : ["utf8mb4_general_ci": ["utf8mb4"], "utf8mb4_bin": ["utf8mb4"]])
    }
}

/// Calls a closure with a new database that has the schema of a script, and then removes the database.
/// - Parameter administrator: True for a connection with the account of MariaDB's administrator.
func withDatabase<Value>(
    _ backend: TestBackend, administrator: Bool = false, _ script: String = "", _ body: (Database) async throws -> Value
) async throws -> Value {
    let name = "duet_" + UUID().uuidString.replacing("-", with: "").lowercased()
    switch backend {
    case .sqlite:
        let folder = FileManager.default.temporaryDirectory.appending(path: name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "test.sqlite").path
        return try await withDatabase(DatabaseURL(location: .sqlite(path: path)), script, body)
    case .mariaDB:
        guard let text = TestBackend.url(administrator: administrator),
            case .mariaDB(var location) = try DatabaseURL(text).location
        else {
            throw DatabaseError(.url, "DUET_TEST_MARIADB names no MariaDB server")
        }
        let server = Database(
            DatabaseURL(location: .mariaDB(location)), configuration: DatabaseConfiguration(poolSize: 1))
        try await server.write { try $0.executeScript("CREATE DATABASE \(name)") }
        location.database = name
        let result: Result<Value, any Error>
        do {
            result = .success(try await withDatabase(DatabaseURL(location: .mariaDB(location)), script, body))
        } catch {
            result = .failure(error)
        }
        try await server.write { try $0.executeScript("DROP DATABASE \(name)") }
        await server.close()
        return try result.get()
    }
}

private func withDatabase<Value>(
    _ url: DatabaseURL, _ script: String, _ body: (Database) async throws -> Value
) async throws -> Value {
    var configuration = DatabaseConfiguration(poolSize: 1)
    configuration.createsMissingFile = true
    configuration.acquireTimeout = .seconds(300)
    configuration.connectTimeout = .seconds(300)
    configuration.statementTimeout = .seconds(300)
    let database = Database(url, configuration: configuration)
    do {
        try await database.write { try $0.executeScript(script) }
        let value = try await body(database)
        await database.close()
        return value
    } catch {
        await database.close()
        throw error
    }
}

/// Returns the schema of a new database that a script creates.
func schema(_ backend: TestBackend, administrator: Bool = false, _ script: String) async throws -> DatabaseSchema {
    try await withDatabase(backend, administrator: administrator, script) { database in
        try await database.read { try DatabaseSchema.read($0) }
    }
}

extension DatabaseSchema {
    /// The table with a name, or a table without columns if no table has the name.
    subscript(name: String) -> SchemaTable { table(named: name) ?? SchemaTable(name: "missing: \(name)") }

    var names: [String] { tables.map(\.name) }
}

extension SchemaTable {
    /// The column with a name, or a column with a different name if no column has the name.
    subscript(name: String) -> TableColumn {
        column(named: name) ?? TableColumn(name: "missing: \(name)", declaredType: "", type: .other("missing"))
    }

    var names: [String] { columns.map(\.name) }

    /// The names of the columns that cannot be NULL.
    var notNull: [String] { columns.filter { !$0.isNullable }.map(\.name) }
}
