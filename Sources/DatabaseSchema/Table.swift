/// A table or view.
public struct Table: Sendable, Hashable {
    /// The kind of a table: stored or computed rows.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The table stores its rows. Virtual tables of SQLite and system-versioned tables of MariaDB are of this kind.
        case table
        /// A query computes the rows.
        case view
    }

    /// The name in the spelling of the database.
    public var name: String
    /// The kind: a table or a view.
    public var kind: Kind
    /// The comment of a MariaDB table; `nil` for none.
    public var comment: String?
    /// The columns in the order of the table; empty after a ``failure``.
    ///
    /// Invisible columns of MariaDB are included, because they can be key columns. Hidden columns of SQLite's virtual
    /// tables are omitted.
    public var columns: [TableColumn]
    /// The columns of the primary key in key order; `nil` if there is none. A view has none.
    ///
    /// In an ordinary table of SQLite these columns can be NULL unless ``TableColumn/isNullable`` is false.
    public var primaryKey: [String]?
    /// The columns of the other unique constraints and unique indexes, without duplicates, sorted by the columns'
    /// positions.
    ///
    /// Partial indexes and indexes over expressions are omitted. A SQLite index is also omitted if its collation
    /// distinguishes values that are equal in the collation of the column. A unique index over a prefix of a column is
    /// included, because it makes the whole column unique.
    public var uniqueKeys: [[String]]
    /// The references to other tables, sorted by the columns' positions.
    public var foreignKeys: [ForeignKey]
    /// The database's message if the table cannot be read, for example a view over a dropped table; `nil` otherwise.
    public var failure: String?

    /// Creates a table.
    public init(
        name: String, kind: Kind = .table, comment: String? = nil, columns: [TableColumn] = [],
        primaryKey: [String]? = nil, uniqueKeys: [[String]] = [], foreignKeys: [ForeignKey] = [],
        failure: String? = nil
    ) {
        self.name = name
        self.kind = kind
        self.comment = comment
        self.columns = columns
        self.primaryKey = primaryKey
        self.uniqueKeys = uniqueKeys
        self.foreignKeys = foreignKeys
        self.failure = failure
    }

    /// Returns the column with that name, compared byte by byte.
    public func column(named name: String) -> TableColumn? {
        let identifier = Identifier(name)
        return columns.first { Identifier($0.name) == identifier }
    }
}

/// A reference to the rows of a table, which can be the same table.
public struct ForeignKey: Sendable, Hashable {
    /// The referring columns, in the order of the constraint.
    public var columns: [String]
    /// The name of the referenced table in the same database. It is possible that this table does not exist.
    public var table: String
    /// The referenced columns, one for each element of ``columns``. If a constraint of SQLite omits them, they are the
    /// primary key of the referenced table. They are empty if that table does not exist or has another number of key
    /// columns.
    public var referencedColumns: [String]

    /// Creates a foreign key.
    public init(columns: [String], table: String, referencedColumns: [String]) {
        self.columns = columns
        self.table = table
        self.referencedColumns = referencedColumns
    }
}
