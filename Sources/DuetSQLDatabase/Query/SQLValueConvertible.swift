/// A type whose values can be arguments of a statement: `["id": id, "names": names]`.
///
/// Types of single values conform to ``SQLValueConvertible``. Arrays of such types are lists for `IN (:name)`, except
/// `[UInt8]`, which is a blob.
public protocol SQLArgumentConvertible {
    /// The value as an argument of a statement.
    var sqlArgument: Arguments.Argument { get }
}

/// A type whose values are stored in one column.
///
/// A custom type implements ``sqlValue``. A type with a raw value, such as an enumeration of strings, needs no
/// implementation:
///
///     extension Status: SQLValueConvertible {}
public protocol SQLValueConvertible: SQLArgumentConvertible {
    /// The value as the database stores it.
    var sqlValue: SQLValue { get }

    /// Returns the argument for an array of values of this type: a list by default.
    static func sqlArgument(of values: [Self]) -> Arguments.Argument
}

extension SQLValueConvertible {
    /// A single value.
    public var sqlArgument: Arguments.Argument { .value(sqlValue) }

    /// A list.
    public static func sqlArgument(of values: [Self]) -> Arguments.Argument { .list(values.map(\.sqlValue)) }
}

extension SQLValueConvertible where Self: RawRepresentable, RawValue: SQLValueConvertible {
    /// The raw value.
    public var sqlValue: SQLValue { rawValue.sqlValue }
}

extension Arguments.Argument: SQLArgumentConvertible {
    /// The argument itself.
    public var sqlArgument: Arguments.Argument { self }
}

extension SQLValue: SQLValueConvertible {
    /// The value itself.
    public var sqlValue: SQLValue { self }
}

extension Array: SQLArgumentConvertible where Element: SQLValueConvertible {
    /// A list for `IN (:name)`; a blob if the elements are bytes.
    public var sqlArgument: Arguments.Argument { Element.sqlArgument(of: self) }
}

extension Optional: SQLArgumentConvertible where Wrapped: SQLValueConvertible {}

extension Optional: SQLValueConvertible where Wrapped: SQLValueConvertible {
    /// The value; NULL for `nil`.
    public var sqlValue: SQLValue { self?.sqlValue ?? .null }
}

extension String: SQLValueConvertible {
    /// A text.
    public var sqlValue: SQLValue { .text(self) }
}

extension Substring: SQLValueConvertible {
    /// A text.
    public var sqlValue: SQLValue { .text(String(self)) }
}

extension Bool: SQLValueConvertible {
    /// The integer 1 for `true`, and 0 for `false`.
    public var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension Double: SQLValueConvertible {
    /// A floating-point number.
    public var sqlValue: SQLValue { .double(self) }
}

extension CalendarDate: SQLValueConvertible {
    /// A date.
    public var sqlValue: SQLValue { .date(self) }
}

extension SQLValueConvertible where Self: FixedWidthInteger {
    /// An integer.
    public var sqlValue: SQLValue { Int64(exactly: self).map { .integer($0) } ?? .unsigned(UInt64(self)) }
}

extension Int: SQLValueConvertible {}
extension Int8: SQLValueConvertible {}
extension Int16: SQLValueConvertible {}
extension Int32: SQLValueConvertible {}
extension Int64: SQLValueConvertible {}
extension UInt: SQLValueConvertible {}
extension UInt16: SQLValueConvertible {}
extension UInt32: SQLValueConvertible {}
extension UInt64: SQLValueConvertible {}

extension UInt8: SQLValueConvertible {
    /// A blob.
    public static func sqlArgument(of values: [UInt8]) -> Arguments.Argument { .value(.blob(values)) }
}

extension Arguments {
    /// Creates arguments from Swift values: `Arguments(["id": id, "names": names])`.
    ///
    /// The functions of ``Connection`` accept such values directly. Use this initializer for functions that take
    /// ``Arguments``, such as the attachments of `DuetResultSetJSON`.
    /// - Parameter values: A value for each parameter; `nil` is NULL. If a name occurs twice, the last value is used.
    public init(_ values: KeyValuePairs<String, (any SQLArgumentConvertible)?>) {
        self.init()
        for (name, value) in values { self[name] = value?.sqlArgument ?? .null }
    }
}

extension Connection {
    /// Creates a query whose arguments are Swift values: `["id": id, "names": names]`. No row is read yet.
    ///
    /// - Parameters:
    ///   - sql: One statement with named parameters; see ``Parameters``.
    ///   - arguments: A value for each parameter; `nil` is NULL.
    /// - Throws: ``DatabaseError`` with the code `parameter` or `syntax`, or with `read-only` if a read transaction
    ///   would write.
    @_disfavoredOverload
    public func query(
        _ sql: String, _ arguments: KeyValuePairs<String, (any SQLArgumentConvertible)?>
    ) throws -> ResultSet {
        try query(sql, Arguments(arguments))
    }

    /// Runs a statement whose arguments are Swift values: `["id": id, "name": name]`.
    ///
    /// - Parameters:
    ///   - sql: One statement with named parameters; see ``Parameters``.
    ///   - arguments: A value for each parameter; `nil` is NULL.
    /// - Returns: The number of changed rows; on MariaDB, the number of rows that matched the condition of the
    ///   statement.
    /// - Throws: ``DatabaseError``.
    @discardableResult
    @_disfavoredOverload
    public func execute(
        _ sql: String, _ arguments: KeyValuePairs<String, (any SQLArgumentConvertible)?>
    ) throws -> Int {
        try execute(sql, Arguments(arguments))
    }
}
