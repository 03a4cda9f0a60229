import DuetAPIDescription
import DuetSQLDatabase
import TestSupport

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
    try await TestDatabase.with(
        backend, schema: false, administrator: administrator, configuration: DatabaseConfiguration(poolSize: 1)
    ) { database in
        try await database.write { try $0.executeScript(script) }
        return try await body(database)
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
