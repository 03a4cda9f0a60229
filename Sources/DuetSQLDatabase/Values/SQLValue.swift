/// A value of a statement's argument, or a copy of a value in a result set.
public enum SQLValue: Sendable, Hashable {
    /// NULL: no value.
    case null
    /// An integer. A Boolean is 0 or 1.
    case integer(Int64)
    /// A floating-point number. SQLite stores NaN as NULL.
    case double(Double)
    /// A text. In a result set, invalid UTF-8 is replaced by U+FFFD.
    case text(String)
    /// A date without a time. SQLite stores it as a text of the form `YYYY-MM-DD`.
    case date(CalendarDate)
    /// Bytes without a character set, such as a `BLOB`.
    case blob([UInt8])
    /// An integer above `Int64.max`, for example from a MariaDB column of type `BIGINT UNSIGNED` or `BIT(64)`. Use
    /// ``integer(_:)`` for all other integers, so that equal integers are equal values; ``init(_:)`` selects the case.
    ///
    /// SQLite does not support such integers, so the value is bound as a text of its digits. In a comparison, a column
    /// of numeric affinity converts the text to the nearest double, and a column of text affinity compares it as text.
    /// In a comparison without affinity, every number is less than the text.
    case unsigned(UInt64)
    /// An exact decimal number as an argument: an optional sign, and digits with an optional decimal point, such as
    /// `-12.50`. Result sets return values of `DECIMAL` columns as ``text(_:)``.
    ///
    /// MariaDB compares decimals exactly. By contrast, to compare a text with a number, it converts both to doubles. On
    /// MariaDB a decimal has at most 65 digits, at most 38 of them after the decimal point. On SQLite the digits are
    /// bound as a text, which a column of numeric affinity converts to a number. For an expression without affinity,
    /// write `CAST(:name AS NUMERIC)`.
    case decimal(String)
}

extension SQLValue {
    /// An ``integer(_:)``, or an ``unsigned(_:)`` if the integer is above `Int64.max`.
    public init(_ integer: UInt64) {
        self = Int64(exactly: integer).map { .integer($0) } ?? .unsigned(integer)
    }

    /// Returns true if the values are equal. Texts are equal if their UTF-8 bytes are equal. `String` would treat the
    /// composed and the decomposed form of `é` as equal, but they are different keys in a database.
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

/// The value of a column in the current row, in the memory of the C library. The pointers are valid only until the
/// result set moves to the next row.
@frozen
public enum ColumnValue {
    /// NULL: no value.
    case null
    /// An integer. A Boolean is 0 or 1.
    case integer(Int64)
    /// A floating-point number.
    case double(Double)
    /// The UTF-8 bytes that are stored in the database. They are not validated.
    case text(UnsafeRawBufferPointer)
    /// A date without a time. A value of a `DATE` column that is not in the calendar is a ``text(_:)``.
    case date(CalendarDate)
    /// The bytes that are stored in the database, without a character set.
    case blob(UnsafeRawBufferPointer)
    /// An integer above `Int64.max`, from MariaDB. All other integers are an ``integer(_:)``.
    case unsigned(UInt64)

    /// Returns a copy of the value, which remains valid after the row. Invalid UTF-8 is replaced by U+FFFD.
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

extension SQLValue {
    /// The text whose UTF-8 bytes are this blob. Invalid UTF-8 is replaced by U+FFFD. Any other value is unchanged.
    package var textOfBytes: SQLValue {
        if case .blob(let bytes) = self { .text(String(decoding: bytes, as: UTF8.self)) } else { self }
    }
}
