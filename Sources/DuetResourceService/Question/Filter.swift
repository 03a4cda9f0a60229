public import DuetSQLDatabase

/// A condition on the rows of a resource, with the names of its fields and relations.
///
/// As in SQL, a comparison with NULL is neither true nor false, and neither is its negation: such a row is left out. ``isNull(_:_:)``
/// finds it.
public indirect enum Filter: Sendable, Hashable {
    /// A field compares to the values: to one value, or to a list for ``Comparison/in``.
    case compare(String, Comparison, [SQLValue])
    /// A field is NULL or, with `false`, is not.
    case isNull(String, Bool)
    /// All filters hold; without any, every row passes.
    case all([Filter])
    /// At least one filter holds; without any, no row passes.
    case any([Filter])
    /// The filter does not hold.
    case not(Filter)
    /// At least one row of a relation fulfils the filter or, with `exists: false`, none does.
    case related(String, exists: Bool, Filter)

    /// The filter that every row passes.
    public static let everything = Filter.all([])

    /// Both filters.
    public func and(_ other: Filter) -> Filter {
        switch (self, other) {
        case (.all(let filters), .all(let others)): .all(filters + others)
        case (.all(let filters), _): .all(filters + [other])
        case (_, .all(let others)): .all([self] + others)
        default: .all([self, other])
        }
    }
}

/// A comparison of a field with a value; the raw value is the operator's name in both styles.
public enum Comparison: String, Sendable, Hashable, CaseIterable {
    /// Equal.
    case equal = "eq"
    /// Not equal.
    case notEqual = "ne"
    /// Less.
    case less = "lt"
    /// Less or equal.
    case lessOrEqual = "lte"
    /// Greater.
    case greater = "gt"
    /// Greater or equal.
    case greaterOrEqual = "gte"
    /// The text matches a pattern: `*` matches any characters, and `\*` an asterisk. Characters are compared by their code
    /// points, so case matters.
    case like
    /// Equal to one of several values.
    case `in`
}
