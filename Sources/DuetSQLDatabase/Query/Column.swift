/// A column of a result set.
public struct Column: Sendable, Hashable {
    /// What the values are, where the backend says it; a SQLite expression is `any`.
    public enum Kind: Sendable, Hashable {
        case any, integer, double, text, date, blob
    }

    /// The column's label: the `AS` name where there is one.
    public let name: String
    /// What its values are.
    public let kind: Kind
}

/// Which SQL the other side speaks, for the few places where texts differ.
public enum Dialect: String, Sendable, CaseIterable {
    case sqlite
    case mariaDB = "mariadb"
}
