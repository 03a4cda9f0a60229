/// A Swift type that is created from the value of a column; see ``ResultSet/decode(_:at:)``.
///
/// A type with a raw value, such as an enumeration of strings, needs no code:
///
///     extension Status: SQLValueDecodable {}
public protocol SQLValueDecodable {
    /// Creates a Swift value. Nil if the value of the column does not have this type.
    init?(sqlValue: SQLValue)
}

extension ResultSet {
    /// Returns the value of a column in the current row: `try books.decode(Int?.self, at: 1)`.
    ///
    /// ``integer(at:)``, ``text(at:)`` and ``date(at:)`` are faster, and return a default for a value of another type.
    /// For such a value, this function throws an error.
    /// - Parameters:
    ///   - type: `Int` and other integers, `Double`, `String`, `Bool`, ``CalendarDate``, `[UInt8]`, ``SQLValue``, a
    ///     type that conforms to ``SQLValueDecodable``, or an optional of these, which is nil for NULL.
    ///   - index: The index of the column, from 0.
    /// - Throws: ``DatabaseError`` with the code `failed` if the value is of another type, or if the current row or the
    ///   column does not exist.
    public func decode<Value: SQLValueDecodable>(_ type: Value.Type = Value.self, at index: Int) throws -> Value {
        guard hasCurrentRow else {
            throw DatabaseError(
                .failed, "there is no current row; call next() before a value is read, and stop when it returns false",
                statement: sql)
        }
        guard columns.indices.contains(index) else {
            throw DatabaseError(
                .failed, "there is no column \(index); the rows have \(columns.count) columns, from 0", statement: sql)
        }
        let value = value(at: index)
        if let decoded = Value(sqlValue: value) { return decoded }
        let name = columns[index].name
        throw DatabaseError(
            .failed,
            value == .null
                ? "the column \(name) has NULL, which is not a value of \(type); decode \(type)?"
                : "the column \(name) has \(value.typeDescription), which cannot be decoded as \(type)",
            statement: sql)
    }

    /// Returns the value of a column in the current row: `try books.decode(Int?.self, "year")`.
    /// - Parameters:
    ///   - type: The type of the value; see ``decode(_:at:)``.
    ///   - column: The label of the column.
    /// - Throws: ``DatabaseError`` with the code `failed`, also if there is no column with this label.
    public func decode<Value: SQLValueDecodable>(_ type: Value.Type = Value.self, _ column: String) throws -> Value {
        try decode(type, at: index(of: column))
    }
}

extension SQLValue {
    /// The name of the value's type, for error messages. Error messages do not contain values.
    fileprivate var typeDescription: String {
        switch self {
        case .null: "NULL"
        case .integer, .unsigned: "an integer"
        case .double: "a floating-point number"
        case .decimal: "a decimal number"
        case .text: "a text"
        case .date: "a date"
        case .blob: "a blob"
        }
    }
}

extension SQLValue: SQLValueDecodable {
    /// The value itself.
    public init?(sqlValue: SQLValue) { self = sqlValue }
}

extension Optional: SQLValueDecodable where Wrapped: SQLValueDecodable {
    /// Nil for NULL.
    public init?(sqlValue: SQLValue) {
        if sqlValue == .null {
            self = Self.none
        } else if let wrapped = Wrapped(sqlValue: sqlValue) {
            self = wrapped
        } else {
            return nil
        }
    }
}

extension SQLValueDecodable where Self: RawRepresentable, RawValue: SQLValueDecodable {
    /// Creates the value whose raw value is the value of the column; nil if there is none.
    public init?(sqlValue: SQLValue) {
        guard let rawValue = RawValue(sqlValue: sqlValue) else { return nil }
        self.init(rawValue: rawValue)
    }
}

extension String: SQLValueDecodable {
    /// A text, or the digits of a decimal number.
    public init?(sqlValue: SQLValue) {
        switch sqlValue {
        case .text(let text), .decimal(let text): self = text
        default: return nil
        }
    }
}

extension Bool: SQLValueDecodable {
    /// The integers 0 and 1.
    public init?(sqlValue: SQLValue) {
        switch sqlValue {
        case .integer(0): self = false
        case .integer(1): self = true
        default: return nil
        }
    }
}

extension Double: SQLValueDecodable {
    /// A number. An integer or a decimal number that `Double` cannot represent exactly is rounded to the nearest
    /// `Double`.
    public init?(sqlValue: SQLValue) {
        switch sqlValue {
        case .double(let number): self = number
        case .integer(let number): self = Double(number)
        case .unsigned(let number): self = Double(number)
        case .decimal(let digits): self.init(digits)
        default: return nil
        }
    }
}

extension CalendarDate: SQLValueDecodable {
    /// A date. A text of the form `YYYY-MM-DD` is also accepted, because a SQLite expression has no declared type.
    public init?(sqlValue: SQLValue) {
        switch sqlValue {
        case .date(let date): self = date
        case .text(let text): self.init(iso: text)
        default: return nil
        }
    }
}

extension Array: SQLValueDecodable where Element == UInt8 {
    /// A blob.
    public init?(sqlValue: SQLValue) {
        guard case .blob(let bytes) = sqlValue else { return nil }
        self = bytes
    }
}

extension SQLValueDecodable where Self: FixedWidthInteger {
    /// An integer within the bounds of the type.
    public init?(sqlValue: SQLValue) {
        switch sqlValue {
        case .integer(let number): self.init(exactly: number)
        case .unsigned(let number): self.init(exactly: number)
        default: return nil
        }
    }
}

extension Int: SQLValueDecodable {}
extension Int8: SQLValueDecodable {}
extension Int16: SQLValueDecodable {}
extension Int32: SQLValueDecodable {}
extension Int64: SQLValueDecodable {}
extension UInt: SQLValueDecodable {}
extension UInt8: SQLValueDecodable {}
extension UInt16: SQLValueDecodable {}
extension UInt32: SQLValueDecodable {}
extension UInt64: SQLValueDecodable {}
