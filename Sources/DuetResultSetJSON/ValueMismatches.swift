public import DuetSQLDatabase

/// The values of one column that do not have the type of their field.
public struct ValueMismatches: Sendable {
    /// The first of them.
    public let first: ValueMismatch
    /// The key of its row; empty if the rows have no key.
    public let key: [SQLValue]
    /// The number of the values.
    public internal(set) var count = 0

    init(first: ValueMismatch, key: [SQLValue]) {
        self.first = first
        self.key = key
    }

    /// Reads all rows of a result set as responses do, one after the other.
    /// - Parameters:
    ///   - shape: The columns with their types.
    ///   - keyCount: The number of columns that are the key of a row: the first ones.
    /// - Throws: `DatabaseError`.
    public static func all(in resultSet: ResultSet, as shape: ObjectShape, keyCount: Int) throws -> [ValueMismatches] {
        try RowWriter(shapes: [shape], keyCount: keyCount).mismatches(in: resultSet, ValueEncoding(dates: .iso))
    }
}
