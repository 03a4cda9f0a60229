/// A filter with a name, such as `hiredAfter` or `current`. It is an abbreviation of a ``Filter``.
public struct NamedFilter: Sendable, Hashable {
    /// The way in which a value selects rows.
    public enum Meaning: Sendable, Hashable {
        /// At least one of the fields satisfies the comparison with the value.
        case compare([String], Comparison)
        /// At least one related row has the value in the given field and satisfies the given filter.
        case some(relation: String, field: String, and: Filter)
        /// The value is `true` or `false`, and a row must satisfy the filter for this value.
        case flag(whenTrue: Filter, whenFalse: Filter)
    }

    /// The name.
    public var name: String
    /// The way in which a value selects rows.
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
