/// The meaning of a column's declared type.
///
/// MariaDB enforces the type. SQLite enforces only the types of `STRICT` tables, so in its other tables a column can
/// contain any value.
/// value.
public enum ColumnType: Sendable, Hashable {
    /// An integer. `TINYINT(1)` of MariaDB has 8 bits. Every integer of SQLite is signed and has 64 bits.
    case integer(bits: Int, isUnsigned: Bool)
    /// `BOOLEAN` or `BIT` of SQLite: 0 or 1. MariaDB has no such type.
    case boolean
    /// An exact number, with the declared precision and scale.
    case decimal(precision: Int?, scale: Int?)
    /// A floating-point number of 64 bits.
    case double
    /// A floating-point number of 32 bits, `FLOAT` of MariaDB.
    case float
    /// A text, with the declared maximum number of characters. Types with a limit in bytes, such as `TEXT`, have `nil`.
    case text(maximumLength: Int?)
    /// A `CHAR` with its number of characters.
    case character(length: Int)
    /// One of these texts, in the order of the declaration.
    case enumeration([String])
    /// A subset of these texts, in the order of the declaration.
    case set([String])
    /// A calendar date.
    case date
    /// A date and a time without a zone. The precision is the declared number of fractional-second digits, 0 if none is
    /// declared.
    case dateTime(precision: Int)
    /// A point in time, with the precision of ``dateTime(precision:)``.
    case timestamp(precision: Int)
    /// A time of day; on MariaDB also a signed duration. It has the precision of ``dateTime(precision:)``.
    case time(precision: Int)
    /// A year.
    case year
    /// Bytes, with the maximum number of bytes; `nil` if no maximum is declared.
    case binary(maximumLength: Int?)
    /// A JSON text. On MariaDB it is a text column with the check `json_valid`; a view's column is a text.
    case json
    /// A UUID.
    case uuid
    /// An IPv4 address.
    case inet4
    /// An IPv6 address.
    case inet6
    /// A `BIT` of MariaDB with its number of bits.
    case bits(Int)
    /// A SQLite column without a type, or with `ANY`.
    case any
    /// Another type, by its declared name, such as `geometry`.
    case other(String)
}
