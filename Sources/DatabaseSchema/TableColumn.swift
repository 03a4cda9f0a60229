/// One column of a table or view.
public struct TableColumn: Sendable, Hashable {
    /// The name as the database writes it.
    public var name: String
    /// The type as the database writes it, such as `tinyint(1)`; empty for a SQLite column without one.
    public var declaredType: String
    /// The meaning of the declared type.
    public var type: ColumnType
    /// Returns true if the database allows NULL in the column. SQLite reports every column of a view as nullable.
    public var isNullable: Bool
    /// The comment of a MariaDB column; `nil` for none.
    public var comment: String?
    /// The collation of a text column of MariaDB, or the collation that a SQLite table declares, in upper case. `nil`
    /// means `BINARY` on SQLite, and no text on MariaDB.
    public var collation: String?
    /// Returns true if the database computes the value from other columns, so that it cannot be written.
    public var isGenerated: Bool
    /// Returns true if an insert may omit the column and the database supplies a value other than NULL: a default, an
    /// automatic number, or SQLite's row number.
    public var hasDefault: Bool
    /// Returns true if the default is a zero date of MariaDB, such as `0000-00-00`, which is no day of the calendar.
    public var hasZeroDate: Bool

    /// A column from its parts.
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
