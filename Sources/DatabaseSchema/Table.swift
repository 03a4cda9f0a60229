/// One table or view.
public struct Table: Sendable, Hashable {
    /// The difference between stored and computed rows.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The table stores its rows. Virtual tables of SQLite and system-versioned tables of MariaDB are of this kind.
        case table
        /// A query computes the rows.
        case view
    }

    /// The name as the database writes it.
    public var name: String
    /// Table or view.
    public var kind: Kind
    /// The comment of a MariaDB table; `nil` for none.
    public var comment: String?
    /// The columns in the order of the table; empty after a ``failure``.
    ///
    /// Invisible columns of MariaDB are here, because a key may consist of them. Hidden columns of SQLite's virtual
    /// tables are not.
    public var columns: [TableColumn]
    /// The columns of the primary key in its order; `nil` for none. A view has none.
    ///
    /// In an ordinary table of SQLite these columns can hold NULL unless ``TableColumn/isNullable`` is false.
    public var primaryKey: [String]?
    /// The columns of the other unique constraints and unique indexes, each once, sorted by the columns' positions.
    ///
    /// Partial indexes and indexes over expressions are left out. So are SQLite indexes with a finer collation than
    /// their column's: two of their values can be equal in a comparison. An index over the prefix of a column makes the
    /// whole column unique.
    public var uniqueKeys: [[String]]
    /// The references to other tables, sorted by the columns' positions.
    public var foreignKeys: [ForeignKey]
    /// The database's message if the table cannot be read, as that of a view over a table that was dropped; `nil`
    /// otherwise.
    public var failure: String?

    /// A table from its parts.
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

/// A reference to the rows of a table, often the same one.
public struct ForeignKey: Sendable, Hashable {
    /// The columns that refer, in the order of the constraint.
    public var columns: [String]
    /// The name of the referenced table, in the same database. The table may be missing.
    public var table: String
    /// The referenced columns, as many as ``columns``. Columns that SQLite implies are the primary key of the
    /// referenced table; they are empty if that table is missing or has another number of key columns.
    public var referencedColumns: [String]

    /// A foreign key from its parts.
    public init(columns: [String], table: String, referencedColumns: [String]) {
        self.columns = columns
        self.table = table
        self.referencedColumns = referencedColumns
    }
}
