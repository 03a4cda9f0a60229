/// A value on its way into a statement, or copied out of a result set.
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
    /// SQLite has no such integer and gets the digits as a text: a column of numeric affinity compares them as the
    /// nearest double, a column of text affinity compares them as they are, and any other integer of SQLite is less
    /// than they are.
    case unsigned(UInt64)
    /// An exact decimal number as an argument: an optional sign, digits, and an optional point with digits, such as
    /// `-12.50`. Result columns of type `DECIMAL` are ``text(_:)`` with the same digits.
    ///
    /// MariaDB compares it exactly, where it would compare a text with a number as two doubles. It has at most 65
    /// digits there, 38 of them after the point. SQLite gets the digits as a text, which a column of numeric affinity
    /// converts; an expression without affinity needs `CAST(:name AS NUMERIC)`.
    case decimal(String)
}

extension SQLValue {
    /// An ``integer(_:)``, or an ``unsigned(_:)`` if the integer is above `Int64.max`.
    public init(_ integer: UInt64) {
        self = Int64(exactly: integer).map { .integer($0) } ?? .unsigned(integer)
    }

    /// Texts are the same when their bytes are: a database holds `é` in one and in two scalars as two keys, where
    /// `String` would see one.
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

    /// As `==` sees the value.
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

/// A column of the current row, borrowed from the C library: the pointers are valid until the result set moves on.
@frozen
public enum ColumnValue {
    case null
    case integer(Int64)
    case double(Double)
    /// UTF-8 as the database holds it; not validated.
    case text(UnsafeRawBufferPointer)
    case date(CalendarDate)
    case blob(UnsafeRawBufferPointer)
    /// An integer above `Int64.max`, of MariaDB; every smaller one is an ``integer(_:)``.
    case unsigned(UInt64)

    /// A copy that outlives the row. Text that is not valid UTF-8 is repaired with U+FFFD.
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
