public import DuetSQLDatabase

/// The schema of one database: its tables and views, as the database reports them.
///
/// Tables are sorted by the bytes of their names, so that equal schemas have equal values.
public struct DatabaseSchema: Sendable, Hashable {
    /// The SQL dialect of the database.
    public var dialect: Dialect
    /// The tables and views, sorted by the bytes of their names.
    public var tables: [Table]

    /// The character sets of each collation. The keys are the names of the collations in lower case. On SQLite the sets
    /// are empty, because SQLite has no character sets.
    public var collations: [String: Set<String>]

    /// Creates a schema with these tables, in any order.
    public init(dialect: Dialect, tables: [Table], collations: [String: Set<String>] = [:]) {
        self.dialect = dialect
        self.tables = tables.sorted { Identifier($0.name) < Identifier($1.name) }
        self.collations = collations
    }

    /// Returns true if a column of SQLite has a collation that another program has defined. Only programs that define
    /// it can compare values by the collation.
    public func hasUnknownCollation(_ column: TableColumn) -> Bool {
        dialect == .sqlite && column.collation.map { !["BINARY", "NOCASE", "RTRIM"].contains($0) } ?? false
    }

    /// Returns the table with a name. Names are compared byte by byte.
    public func table(named name: String) -> Table? {
        let identifier = Identifier(name)
        return tables.first { Identifier($0.name) == identifier }
    }

    /// Reads the schema without writing to the database.
    ///
    /// A fixed number of statements reads the information about all tables. Additional statements check that the views
    /// can be read. On MariaDB, they also check tables without columns and tables with a storage engine other than
    /// InnoDB. One statement checks up to 100 views and tables. If it fails, a separate statement checks each of these
    /// views and tables. On SQLite, if the columns of a view cannot be read, a separate statement reads the columns of
    /// each table.
    ///
    /// System tables, temporary tables, sequences and the shadow tables of readable virtual tables are omitted. Columns
    /// that the account of the connection has no privilege to read are also omitted.
    /// - Parameter connection: A connection in a transaction of any kind.
    /// - Throws: ``DatabaseError`` if the schema as a whole cannot be read. If a single table or view cannot be read,
    ///   no error is thrown, and ``Table/failure`` contains the message.
    public static func read(_ connection: Connection) throws -> DatabaseSchema {
        let tables =
            connection.dialect == .sqlite
            ? try SQLiteSchemaReader(connection: connection).tables()
            : try MariaDBSchemaReader(connection: connection).tables()
        return DatabaseSchema(
            dialect: connection.dialect, tables: tables, collations: try readCollations(connection))
    }

    /// Reads the collations. Since version 10.10, MariaDB has collations for several character sets. Such a collation
    /// has a short name, `uca1400_ai_ci`, and a full name for each character set, such as `utf8mb4_uca1400_ai_ci`.
    private static func readCollations(_ connection: Connection) throws -> [String: Set<String>] {
        // The list of SQLite also contains the stand-ins of unknown collations.
        guard connection.dialect == .mariaDB else { return ["binary": [], "nocase": [], "rtrim": []] }
        let rows = try connection.query("SELECT * FROM information_schema.COLLATION_CHARACTER_SET_APPLICABILITY")
        defer { rows.close() }
        var collations: [String: Set<String>] = [:]
        while try rows.next() {
            for (index, column) in rows.columns.enumerated() {
                switch column.name.uppercased() {
                case "COLLATION_NAME", "FULL_COLLATION_NAME":
                    collations[rows.text(at: index).lowercased(), default: []].insert(rows.text(at: 1))
                default: continue
                }
            }
        }
        return collations
    }
}
