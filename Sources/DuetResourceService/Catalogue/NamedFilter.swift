/// A filter with a name, such as `hiredAfter` or `current`. It is an abbreviation of a ``Filter``.
public struct NamedFilter: Sendable, Hashable {
    /// Defines the rows that a filter selects for the value in a request.
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
    /// Defines the rows that the filter selects for the value in a request.
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
