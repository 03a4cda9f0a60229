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

/// The meaning of a column's declared type.
///
/// MariaDB enforces the type. SQLite enforces only the types of `STRICT` tables. In any other table of SQLite, a column
/// can contain values of any type.
public enum ColumnType: Sendable, Hashable {
    /// An integer. In MariaDB, `TINYINT(1)` is an integer of 8 bits. In SQLite, every integer is signed and has 64
    /// bits.
    case integer(bits: Int, isUnsigned: Bool)
    /// `BOOLEAN` or `BIT` of SQLite, with the values 0 and 1. MariaDB has no Boolean type.
    case boolean
    /// An exact number, with the declared precision and scale.
    case decimal(precision: Int?, scale: Int?)
    /// A floating-point number of 64 bits.
    case double
    /// A floating-point number of 32 bits, `FLOAT` of MariaDB.
    case float
    /// A text, with the declared maximum number of characters; `nil` for types without a limit, or with a limit in
    /// bytes, such as `TEXT`.
    case text(maximumLength: Int?)
    /// A `CHAR`, with the declared number of characters.
    case character(length: Int)
    /// One of several texts. The texts are in the order of the declaration.
    case enumeration([String])
    /// A subset of several texts. The texts are in the order of the declaration.
    case set([String])
    /// A calendar date.
    case date
    /// A date and a time without a time zone. The precision is the declared number of fractional-second digits; 0 if no
    /// precision is declared.
    case dateTime(precision: Int)
    /// A point in time. For the precision, see ``dateTime(precision:)``.
    case timestamp(precision: Int)
    /// A time of day or, on MariaDB, a signed duration. For the precision, see ``dateTime(precision:)``.
    case time(precision: Int)
    /// A year.
    case year
    /// Bytes, with the maximum number of bytes; `nil` if no maximum is declared.
    case binary(maximumLength: Int?)
    /// A JSON text. On MariaDB, a JSON column is a text column with the check `json_valid`. A view has no checks, so
    /// the type of a JSON column in a view is ``text(maximumLength:)``.
    case json
    /// A UUID.
    case uuid
    /// An IPv4 address.
    case inet4
    /// An IPv6 address.
    case inet6
    /// A `BIT` of MariaDB, or a `BIT` of SQLite with more than one bit. The value is the number of bits.
    case bits(Int)
    /// A SQLite column without a type or with the type `ANY`.
    case any
    /// Any other type, with its declared name, such as `geometry`.
    case other(String)
}
