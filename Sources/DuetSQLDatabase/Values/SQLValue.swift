/// A value of a statement's argument, or a copy of a value in a result set.
public enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case double(Double)
    case text(String)
    case date(CalendarDate)
    case blob([UInt8])
    /// An integer above `Int64.max`, of a MariaDB column that is `BIGINT UNSIGNED` or `BIT(64)`. Every smaller integer
    /// is an ``integer(_:)``, so that equal integers are equal values; see ``init(_:)``.
    ///
    /// SQLite has no such integer and gets the digits as a text. A column of numeric affinity compares them as the
    /// nearest double, and a column of text affinity compares them as text. Any other integer of SQLite is less than
    /// this text.
    case unsigned(UInt64)
    /// An exact decimal number as an argument: an optional sign, digits, and an optional point with digits, such as
    /// `-12.50`. Result columns of type `DECIMAL` are ``text(_:)`` with the same digits.
    ///
    /// MariaDB compares it exactly, whereas it compares a text with a number as two doubles. On MariaDB a decimal has
    /// at most 65 digits, 38 of them after the point. SQLite gets the digits as a text, which a column of numeric
    /// affinity converts. An expression without affinity needs `CAST(:name AS NUMERIC)`.
    case decimal(String)
}

extension SQLValue {
    /// An ``integer(_:)``, or an ``unsigned(_:)`` if the integer is above `Int64.max`.
    public init(_ integer: UInt64) {
        self = Int64(exactly: integer).map { .integer($0) } ?? .unsigned(integer)
    }

    /// Returns true if the values are equal. Texts are equal if their bytes are equal: a database treats `é` as one
    /// scalar and as two scalars as different keys, but `String` treats them as equal.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
        case (.date(let left), .date(let right)): left == right
        case (.blob(let left), .blob(let right)): left == right
        case (.unsigned(let left), .unsigned(let right)): left == right
        case (.decimal(let left), .decimal(let right)): left.utf8.elementsEqual(right.utf8)
        default: false
        }
    }

    /// Hashes the value consistently with `==`.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .integer(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value)
        case .text(var value): value.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        case .date(let value): hasher.combine(value)
        case .blob(let value): hasher.combine(value)
        case .unsigned(let value): hasher.combine(value)
        case .decimal(var value): value.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }
}

extension SQLValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByFloatLiteral,
    ExpressibleByNilLiteral
{
    /// An integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// A double.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// NULL.
    public init(nilLiteral: ()) { self = .null }
}

/// A column of the current row, borrowed from the C library. The pointers are valid until the result set moves to the
/// next row.
@frozen
public enum ColumnValue {
    case null
    case integer(Int64)
    case double(Double)
    /// UTF-8 as stored in the database; not validated.
    case text(UnsafeRawBufferPointer)
    case date(CalendarDate)
    case blob(UnsafeRawBufferPointer)
    /// An integer above `Int64.max`, of MariaDB; every smaller integer is an ``integer(_:)``.
    case unsigned(UInt64)

    /// Returns a copy that is valid after the row. Invalid UTF-8 is replaced by U+FFFD.
    public func copied() -> SQLValue {
        switch self {
        case .null: .null
        case .integer(let value): .integer(value)
        case .double(let value): .double(value)
        case .text(let bytes): .text(String(decoding: bytes, as: UTF8.self))
        case .date(let value): .date(value)
        case .blob(let bytes): .blob(Array(bytes))
        case .unsigned(let value): .unsigned(value)
        }
    }
}
