/// A filter with its own name, such as `hiredAfter` or `current`. It is a short form of a ``Filter``.
public struct NamedFilter: Sendable, Hashable {
    /// The meaning of a value of the filter.
    public enum Meaning: Sendable, Hashable {
        /// One of the fields compares with the value.
        case compare([String], Comparison)
        /// A row of a relation has the value in a field and satisfies another filter.
        case some(relation: String, field: String, and: Filter)
        /// The value is `true` or `false`. Each one selects a filter.
        case flag(whenTrue: Filter, whenFalse: Filter)
    }

    /// The name.
    public var name: String
    /// The meaning of a value.
    public var meaning: Meaning
    /// A sentence for the documentation.
    public var description: String

    /// Creates a filter.
    public init(_ name: String, _ meaning: Meaning, description: String) {
        self.name = name
        self.meaning = meaning
        self.description = description
    }
}
