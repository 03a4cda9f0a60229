public import DuetSQLDatabase

/// A condition on the rows of a resource, expressed with the names of its fields and relations.
///
/// Comparisons follow the three-valued logic of SQL: a comparison with NULL is unknown, and so is its negation. A row
/// for which the filter is unknown does not match. Use ``isNull(_:_:)`` to match NULL.
public indirect enum Filter: Sendable, Hashable {
    /// A comparison of a field with one operand or, for ``Comparison/in``, with a list of values or with one parameter
    /// whose value is a list.
    case compare(String, Comparison, [Operand])
    /// The field is NULL. If the second associated value is `false`, the field is not NULL.
    case isNull(String, Bool)
    /// All filters match. An empty list matches every row.
    case all([Filter])
    /// At least one filter matches. An empty list matches no row.
    case any([Filter])
    /// The filter does not match.
    case not(Filter)
    /// At least one related row matches the filter. If `exists` is `false`, no related row matches the filter.
    case related(String, exists: Bool, Filter)
    /// The aggregates of the related rows that match the filter satisfy the condition. Without such rows, counts are 0,
    /// and other aggregates are NULL.
    case aggregate(of: String, GroupFilter, Filter)

    /// The filter that matches every row.
    public static let everything = Filter.all([])

    /// True if the filter is a conjunction without conditions, which matches every row.
    var isEverything: Bool {
        if case .all(let filters) = self { filters.allSatisfy(\.isEverything) } else { false }
    }

    /// Creates a comparison of a field with known values.
    static func compare(_ field: String, _ comparison: Comparison, values: [SQLValue]) -> Filter {
        .compare(field, comparison, values.map { .value($0) })
    }

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
    /// The field is equal to the value.
    case equal = "eq"
    /// The field is not equal to the value.
    case notEqual = "ne"
    /// The field is less than the value.
    case less = "lt"
    /// The field is less than or equal to the value.
    case lessOrEqual = "lte"
    /// The field is greater than the value.
    case greater = "gt"
    /// The field is greater than or equal to the value.
    case greaterOrEqual = "gte"
    /// The text of the field matches a pattern. `*` matches any number of characters, and `\*` matches an asterisk. The
    /// comparison uses code points, so it is case-sensitive.
    case like
    /// The field is equal to one of several values.
    case `in`
}

/// A value with which a filter compares a field.
public enum Operand: Sendable, Hashable {
    /// A known value.
    case value(SQLValue)
    /// The value of a named parameter, such as the identifier of the user. It becomes known when a plan is executed;
    /// see ``ResourceService/parameters``. One plan therefore serves all values. Only the conditions of resources and
    /// questions can contain parameters.
    case parameter(String)

    /// The value; nil for a parameter.
    var value: SQLValue? { if case .value(let value) = self { value } else { nil } }
}

extension Operand: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    /// A text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// An integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    /// An integer.
    public static func integer(_ value: Int64) -> Self { .value(.integer(value)) }
    /// A text.
    public static func text(_ value: String) -> Self { .value(.text(value)) }
    /// A date.
    public static func date(_ value: CalendarDate) -> Self { .value(.date(value)) }
}

extension Filter {
    /// A text that identifies the filter. Its format must not change, because cursors depend on it.
    var signature: String {
        switch self {
        case .compare(let field, let comparison, let operands):
            "\(field) \(comparison.rawValue) [\(operands.map(\.signature).joined(separator: ","))]"
        case .isNull(let field, let isNull): "\(field) null \(isNull)"
        case .all(let filters): "and(\(filters.map(\.signature).joined(separator: ";")))"
        case .any(let filters): "or(\(filters.map(\.signature).joined(separator: ";")))"
        case .not(let filter): "not(\(filter.signature))"
        case .related(let name, let exists, let filter): "\(name) \(exists ? "some" : "none")(\(filter.signature))"
        case .aggregate(let name, let condition, let filter):
            "\(name) aggregate(\(condition.signature);\(filter.signature))"
        }
    }

    /// The number of relations whose aggregates the filter compares. A statement reads the related rows once for each
    /// of them.
    var aggregatedRelations: Int {
        switch self {
        case .compare, .isNull: 0
        case .all(let filters), .any(let filters): filters.reduce(0) { $0 + $1.aggregatedRelations }
        case .not(let filter), .related(_, _, let filter): filter.aggregatedRelations
        case .aggregate(_, _, let filter): 1 + filter.aggregatedRelations
        }
    }
}

extension Operand {
    /// A text that identifies the operand. The signatures of values begin with other letters than `p`.
    fileprivate var signature: String {
        switch self {
        case .value(let value): value.signature
        case .parameter(let name): "p\(name.utf8.count):\(name)"
        }
    }
}

extension SQLValue {
    /// A text that contains the type and the value. A text value is preceded by its length, so that signatures are
    /// unambiguous.
    var signature: String {
        switch self {
        case .text(let text): "t\(text.utf8.count):\(text)"
        case .integer, .unsigned: "i\(keyText)"
        case .decimal: "m\(keyText)"
        case .double: "n\(keyText)"
        case .date: "d\(keyText)"
        case .blob: "b\(keyText)"
        case .null: "0"
        }
    }
}
