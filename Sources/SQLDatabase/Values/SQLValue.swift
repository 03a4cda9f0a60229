/// A value on its way into a statement, or copied out of a result set.
public enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case double(Double)
    case text(String)
    case date(CalendarDate)
    case blob([UInt8])
}

extension SQLValue {
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

    /// A copy that outlives the row. Text that is not valid UTF-8 is repaired with U+FFFD.
    public func copied() -> SQLValue {
        switch self {
        case .null: .null
        case .integer(let value): .integer(value)
        case .double(let value): .double(value)
        case .text(let bytes): .text(String(decoding: bytes, as: UTF8.self))
        case .date(let value): .date(value)
        case .blob(let bytes): .blob(Array(bytes))
        }
    }
}
