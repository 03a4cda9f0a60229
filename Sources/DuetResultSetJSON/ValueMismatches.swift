public import DuetSQLDatabase

/// The values of one column that do not have the declared type of their field.
public struct ValueMismatches: Sendable {
    /// The first of these values.
    public let first: ValueMismatch
    /// The key of the first value's row; empty if the rows have no key.
    public let key: [SQLValue]
    /// The number of these values.
    public internal(set) var count = 0

    init(first: ValueMismatch, key: [SQLValue]) {
        self.first = first
        self.key = key
    }

    /// Reads all rows of a result set, checks their values in the same way as for a response, and returns the
    /// mismatches of each column.
    /// - Parameters:
    ///   - resultSet: The rows.
    ///   - shape: The columns with their types.
    ///   - keyCount: The number of columns at the beginning that are the key of a row.
    /// - Throws: `DatabaseError`.
    public static func all(in resultSet: ResultSet, as shape: ObjectShape, keyCount: Int) throws -> [ValueMismatches] {
        try RowWriter(shapes: [shape], keyCount: keyCount, of: resultSet)
            .mismatches(in: resultSet, ValueEncoding(dates: .iso))
    }
}
