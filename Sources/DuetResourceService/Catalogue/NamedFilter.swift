/// A filter with a name of its own, such as `hiredAfter` or `current`: a short form of a ``Filter``.
public struct NamedFilter: Sendable, Hashable {
    /// The meaning of a value of the filter.
    public enum Meaning: Sendable, Hashable {
        /// One of the fields compares to the value.
        case compare([String], Comparison)
        /// A row of a relation has the value in a field, and fulfils another filter.
        case some(relation: String, field: String, and: Filter)
        /// The value is `true` or `false`; each has a filter of its own.
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
