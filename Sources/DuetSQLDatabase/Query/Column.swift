/// A column of a result set.
public struct Column: Sendable, Hashable {
    /// The type of the values, as far as the backend reports it.
    public enum Kind: Sendable, Hashable {
        /// Of values of any type, such as those of an expression of SQLite.
        case any
        case integer, double, text, date, blob
        /// Declared as `BOOLEAN` or `BOOL`; on MariaDB these are names of `TINYINT(1)`. The values are integers: 0 and 1,
        /// and others where a program has written them.
        case boolean
    }

    /// The column's label: the `AS` name where there is one.
    public let name: String
    /// The kind of its values.
    public let kind: Kind
}

/// Which SQL the other side speaks, for the few places where texts differ.
public enum Dialect: String, Sendable, CaseIterable {
    case sqlite
    case mariaDB = "mariadb"
}
