import DuetSQLDatabase

/// A reference to a column of a result set. A string literal is the label of the column, and an integer literal is its
/// index.
///
/// The label of a column is the name after `AS` in the query. Without `AS`, the label is usually the name of the
/// selected column. The letter case of this name and the label of an expression depend on the database. Therefore, give
/// each expression a label with `AS`.
public enum ColumnReference: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    /// The column with this label, in the same letter case.
    ///
    /// If several columns have the label, an error is thrown before the first row is written. In attached rows, the
    /// columns of the key are considered only if no other column has the label.
    case label(String)
    /// The column with this zero-based index in `ResultSet.columns`. In attached rows, the columns of the key are
    /// counted, too.
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
    /// - Parameters:
    ///   - keyCount: The number of columns at the beginning that are the key of the parent row.
    ///   - member: The name of the member with the reference, for errors.
    /// - Throws: `DatabaseError` if the column does not exist, or if several columns have the label.
    func index(in resultSet: ResultSet, keyCount: Int, member: String) throws -> Int {
        let columns = resultSet.columns
        switch self {
        case .index(let index):
            if columns.indices.contains(index) { return index }
            resultSet.discardStatement()
            throw DatabaseError(
                .failed,
                "the member \(member) refers to column \(index), but the result set has \(columns.count) columns, "
                    + "numbered from 0",
                statement: resultSet.sql)
        case .label(let label):
            for columns in [columns.dropFirst(keyCount), columns.prefix(keyCount)] {
                guard let index = columns.firstIndex(where: { $0.name == label }) else { continue }
                guard !columns[(index + 1)...].contains(where: { $0.name == label }) else {
                    throw Self.repeated(label, in: resultSet)
                }
                return index
            }
            resultSet.discardStatement()
            let labels = columns.map(\.name).joined(separator: ", ")
            throw DatabaseError(
                .failed,
                "the member \(member) refers to the column \(label), but the columns of the result set are \(labels)",
                statement: resultSet.sql)
        }
    }

    /// Returns the error for a label that several columns have.
    static func repeated(_ label: String, in resultSet: ResultSet) -> DatabaseError {
        DatabaseError(
            .failed, "two columns of the result set have the label \(label); give one a different label with AS",
            statement: resultSet.sql)
    }
}
