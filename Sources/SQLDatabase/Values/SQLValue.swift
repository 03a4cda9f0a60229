/// A value on its way into a statement, or copied out of a result set.
public enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case double(Double)
    case text(String)
    case date(CalendarDate)
    case blob([UInt8])
}

extension SQLValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByFloatLiteral,
    ExpressibleByNilLiteral
{
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(stringLiteral value: String) { self = .text(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
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
