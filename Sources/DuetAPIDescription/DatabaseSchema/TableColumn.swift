/// A column of a table or view.
public struct TableColumn: Sendable, Hashable {
    /// The name in the spelling of the database.
    public var name: String
    /// The type in the spelling of the database, such as `tinyint(1)`; empty for a SQLite column without a type.
    public var declaredType: String
    /// The meaning of the declared type.
    public var type: ColumnType
    /// True if the database allows NULL in the column. SQLite reports every column of a view as nullable.
    public var isNullable: Bool
    /// The comment of a MariaDB column; `nil` if it has none.
    public var comment: String?
    /// The collation. On MariaDB, it is `nil` for a column that is not a text column. On SQLite, it is the declared
    /// collation, in upper case, and `nil` means `BINARY`.
    public var collation: String?
    /// True if the database computes the value from other columns, so that the column cannot be written.
    public var isGenerated: Bool
    /// True if an insert may omit the column and the database then stores a value other than NULL: a default, an
    /// automatic number, or SQLite's row ID.
    public var hasDefault: Bool
    /// True if the default is a zero date of MariaDB, such as `0000-00-00`, which is not a valid date.
    public var hasZeroDate: Bool

    /// Creates a column.
    public init(
        name: String, declaredType: String, type: ColumnType, isNullable: Bool = true, comment: String? = nil,
        collation: String? = nil, isGenerated: Bool = false, hasDefault: Bool = false,
        hasZeroDate: Bool = false
    ) {
        self.name = name
        self.declaredType = declaredType
        self.type = type
        self.isNullable = isNullable
        self.comment = comment
        self.collation = collation
        self.isGenerated = isGenerated
        self.hasDefault = hasDefault
        self.hasZeroDate = hasZeroDate
    }
}
