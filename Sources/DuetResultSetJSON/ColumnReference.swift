import DuetSQLDatabase

/// A reference to a column of a result set. A string literal is the label of the column, and an integer literal is its
/// index.
public enum ColumnReference: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    /// The column with this label: its alias, or the name of the selected column. The label is case-sensitive. In
    /// attached rows, the columns of the key are searched last.
    case label(String)
    /// The column with this zero-based index in `ResultSet.columns`.
    case index(Int)

    /// A reference to the column with this label.
    public init(stringLiteral value: String) {
        self = .label(value)
    }

    /// A reference to the column with this zero-based index.
    public init(integerLiteral value: Int) {
        self = .index(value)
    }

    /// Returns the zero-based index of the column in a result set.
    /// - Parameter keyCount: The number of columns at the beginning that are the key of the parent row.
    /// - Throws: `DatabaseError` if the column does not exist, or if several columns have the label.
    func index(in resultSet: ResultSet, keyCount: Int) throws -> Int {
        let columns = resultSet.columns
        switch self {
        case .index(let index):
            if columns.indices.contains(index) { return index }
            throw DatabaseError(
                .failed,
                "the shape has a member of column \(index), and the result set has \(columns.count) columns, numbered "
                    + "from 0",
                statement: resultSet.sql)
        case .label(let label):
            let values = columns.dropFirst(keyCount)
            guard let index = values.firstIndex(where: { $0.name == label }) else {
                if let index = columns.firstIndex(where: { $0.name == label }) { return index }
                let labels = columns.map(\.name).joined(separator: ", ")
                throw DatabaseError(
                    .failed,
                    "the shape has a member of column \(label), and the result set has no such column; its columns are "
                        + labels,
                    statement: resultSet.sql)
            }
            guard !values[(index + 1)...].contains(where: { $0.name == label }) else {
                throw Self.repeated(label, in: resultSet)
            }
            return index
        }
    }

    /// Returns the error for a label that several columns have.
    static func repeated(_ label: String, in resultSet: ResultSet) -> DatabaseError {
        DatabaseError(
            .failed, "two columns of the result set have the label \(label); give one a different label with AS",
            statement: resultSet.sql)
    }
}
