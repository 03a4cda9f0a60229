/// A column of a result set.
public struct Column: Sendable, Hashable {
    /// The type of the values that the backend reports.
    public enum Kind: Sendable, Hashable {
        /// Unknown, or values of several types: for example a SQLite expression.
        case any
        case integer, double, text, date, blob
        /// A column that is declared as `BOOLEAN` or `BOOL`; on MariaDB these are aliases of `TINYINT(1)`. The values
        /// are the integers 0 and 1, or other integers if a program has written them.
        case boolean
    }

    /// The label of the column: the `AS` name if the statement has one.
    public let name: String
    /// The kind of the column's values.
    public let kind: Kind
}

/// The SQL dialect of a backend.
public enum Dialect: String, Sendable, CaseIterable {
    case sqlite
    case mariaDB = "mariadb"
}
