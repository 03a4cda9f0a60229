public import DuetResourceService

/// A table or view.
public struct SchemaTable: Sendable, Hashable {
    /// The kind of a table.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A table that stores rows. Virtual tables of SQLite and system-versioned tables of MariaDB have this kind,
        /// too.
        case table
        /// A view, whose rows a query computes.
        case view
    }

    /// The name in the spelling of the database.
    public var name: String
    /// The kind: a table or a view.
    public var kind: Kind
    /// The comment of a MariaDB table; `nil` if it has none.
    public var comment: String?
    /// The columns in the order of the table; empty after a ``failure``.
    ///
    /// Invisible columns of MariaDB are included, because they can be key columns. Hidden columns of SQLite's virtual
    /// tables are omitted.
    public var columns: [TableColumn]
    /// The columns of the primary key in the order of the key; `nil` for a view, and for a table without a primary key.
    ///
    /// In SQLite, a column of a primary key can contain NULL, unless ``TableColumn/isNullable`` is false.
    public var primaryKey: [String]?
    /// The columns of each unique constraint and unique index except the primary key. The list contains no duplicates
    /// and is sorted by the positions of the columns in the table.
    ///
    /// Partial indexes and indexes over expressions are omitted. A SQLite index is also omitted if its collation
    /// distinguishes values that are equal in the collation of the column, because such values are not unique in a
    /// comparison. An index over the prefix of a column is included, because it makes the whole column unique.
    public var uniqueKeys: [[String]]
    /// The foreign keys, sorted by the positions of their columns in the table.
    public var foreignKeys: [ForeignKey]
    /// The error message of the database if the table cannot be read, for example because a view uses a dropped table;
    /// `nil` otherwise.
    public var failure: String?
    /// The error messages of the generated columns that SQLite cannot compute, for example because a function is
    /// unknown, keyed by the names of the columns. ``columns`` does not contain these columns.
    public var unreadableColumns: [String: String] = [:]

    /// The constraints, triggers and default values. Unlike ``uniqueKeys`` and ``foreignKeys``, they include those of
    /// columns that the account of the connection cannot read.
    public var constraints = TableConstraints.Table()

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

    /// Returns the column with a name. Names are compared byte by byte.
    public func column(named name: String) -> TableColumn? {
        let identifier = Identifier(name)
        return columns.first { Identifier($0.name) == identifier }
    }
}

/// A foreign key: a reference to the rows of another table or of the same table.
public struct ForeignKey: Sendable, Hashable {
    /// The referring columns, in the order of the constraint.
    public var columns: [String]
    /// The name of the referenced table in the same database. The referenced table need not exist.
    public var table: String
    /// The referenced columns, one for each element of ``columns``. If a constraint of SQLite specifies no columns, the
    /// list contains the primary key of the referenced table. In this case the list is empty if the referenced table
    /// does not exist, or if the primary key has a different number of columns.
    public var referencedColumns: [String]

    /// Creates a foreign key.
    public init(columns: [String], table: String, referencedColumns: [String]) {
        self.columns = columns
        self.table = table
        self.referencedColumns = referencedColumns
    }
}
