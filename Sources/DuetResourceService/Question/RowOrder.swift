/// A value by which the rows of a list are ordered: a field, or an aggregate of the related rows of each row.
public struct RowOrder: Sendable, Hashable {
    /// The value that is compared.
    public enum Value: Sendable, Hashable {
        /// The field of the rows with this name.
        case field(String)
        /// An aggregate of the rows of the to-many relation with the given name.
        case aggregate(Aggregate, of: String)
    }

    /// The value that is compared.
    public var value: Value
    /// True for descending order. NULL is the smallest value.
    public var descending: Bool

    /// The maximum number of aggregates in an order. A statement reads the related rows once for each aggregate.
    static let maximumAggregates = 4

    /// Creates an order.
    public init(_ value: Value, descending: Bool = false) {
        self.value = value
        self.descending = descending
    }

    /// Creates the order by a field.
    public init(_ sort: SortField) {
        self.init(.field(sort.field), descending: sort.descending)
    }

    /// The name of the field; nil for an aggregate.
    var field: String? { if case .field(let name) = value { name } else { nil } }
}

extension [RowOrder] {
    /// Adds a term. A repeated value does not change the order.
    mutating func add(_ term: RowOrder) {
        if !contains(where: { $0.value == term.value }) { append(term) }
    }

    /// Checks the number of aggregates.
    /// - Parameter name: The name of the parameter or argument in errors.
    /// - Throws: ``ServiceError`` for more than ``RowOrder/maximumAggregates``.
    func checkAggregates(_ name: String) throws(ServiceError) {
        guard count(where: { $0.field == nil }) <= RowOrder.maximumAggregates else {
            throw ServiceError(
                .invalidParameter,
                "\(name) has more than \(RowOrder.maximumAggregates) aggregates of relations", parameter: name)
        }
    }
}
