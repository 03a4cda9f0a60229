public import DuetResourceService
public import DuetSQLDatabase

/// The schema of one database: its tables and views, as the database reports them.
///
/// Tables are sorted by the bytes of their names, so that equal schemas have equal values.
public struct DatabaseSchema: Sendable, Hashable {
    /// The SQL dialect of the database.
    public var dialect: Dialect
    /// The tables and views, sorted by the bytes of their names.
    public var tables: [SchemaTable]

    /// The foreign keys of tables in other databases of the server that refer to tables of this database. The list is
    /// empty unless ``read(_:withOtherDatabases:)`` has read them.
    public var outerReferences: [TableConstraints.Reference] = []

    /// The character sets of each collation. The keys are the names of the collations in lower case. On SQLite the sets
    /// are empty, because SQLite has no character sets.
    public var collations: [String: Set<String>]

    /// Creates a schema.
    /// - Parameters:
    ///   - dialect: The SQL dialect of the database.
    ///   - tables: The tables and views, in any order.
    ///   - collations: The character sets of each collation; see ``collations``.
    public init(dialect: Dialect, tables: [SchemaTable], collations: [String: Set<String>]) {
        self.dialect = dialect
        self.tables = tables.sorted { Identifier($0.name) < Identifier($1.name) }
        self.collations = collations
    }

    /// Returns true if a column has a collation that the database does not have, because another program has defined
    /// it. SQLite permits this. Only programs that define the collation can compare values by it.
    public func hasUnknownCollation(_ column: TableColumn) -> Bool {
        guard let collation = column.collation else { return false }
        return collations[collation.lowercased()] == nil
    }

    /// Returns the table with a name. Names are compared byte by byte.
    public func table(named name: String) -> SchemaTable? {
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
    /// - Parameters:
    ///   - connection: A connection in a transaction of any kind.
    ///   - withOtherDatabases: True to read ``outerReferences``, too. The server then reads the definitions of all
    ///     tables for which the account of the connection has a privilege.
    /// - Throws: ``DatabaseError`` if the schema as a whole cannot be read. If a single table or view cannot be read,
    ///   no error is thrown, and ``SchemaTable/failure`` contains the message.
    public static func read(
        _ connection: Connection, withOtherDatabases: Bool = false
    ) throws -> DatabaseSchema {
        var schema = try read(connection, readers)
        if withOtherDatabases, let reader = readers[connection.dialect] {
            schema.outerReferences = try reader.init(connection: connection).outerReferences()
        }
        return schema
    }
}

/// The bytes of a name. Two equal `String` values can have different bytes, for example the composed and the decomposed
/// form of `é`, but a database treats such names as different.
struct Identifier: Hashable, Comparable {
    private let bytes: [UInt8]

    init(_ name: String) {
        bytes = Array(name.utf8)
    }

    /// Creates the identifier of the name with ASCII letters in lower case. SQLite compares names in this form.
    init(folding name: String) {
        bytes = name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }

    static func < (left: Self, right: Self) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
}
