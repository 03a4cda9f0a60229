public import DuetSQLDatabase

/// A condition on the rows of a resource, expressed with the names of its fields and relations.
///
/// As in SQL, a comparison with NULL is neither true nor false, and neither is its negation, so the row does not match.
/// ``isNull(_:_:)`` matches it.
public indirect enum Filter: Sendable, Hashable {
    /// A comparison of a field with one value, or with a list of values for ``Comparison/in``.
    case compare(String, Comparison, [SQLValue])
    /// The field is NULL, or not NULL if the value is `false`.
    case isNull(String, Bool)
    /// All filters match. An empty list matches every row.
    case all([Filter])
    /// At least one filter matches. An empty list matches no row.
    case any([Filter])
    /// The filter does not match.
    case not(Filter)
    /// At least one related row matches the filter, or none if `exists` is `false`.
    case related(String, exists: Bool, Filter)

    /// The filter that matches every row.
    public static let everything = Filter.all([])

    /// Returns the conjunction of two filters.
    public func and(_ other: Filter) -> Filter {
        switch (self, other) {
        case (.all(let filters), .all(let others)): .all(filters + others)
        case (.all(let filters), _): .all(filters + [other])
        case (_, .all(let others)): .all([self] + others)
        default: .all([self, other])
        }
    }
}

/// A comparison of a field with a value. The raw value is the name of the operator in both styles.
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
    /// The text matches a pattern. `*` matches any characters, and `\*` an asterisk. The comparison uses code points,
    /// so it is case-sensitive.
    case like
    /// Equal to one of several values.
    case `in`
}
