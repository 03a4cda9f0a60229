import DuetSQLDatabase

/// The parts of a question that determine how many rows its statements examine: the order and the filter. An error for
/// too many examined rows names them, with the index or the filter that would help.
///
/// The advice contains only names that the caller sees and that the request or the default order uses. It contains no
/// number of rows, because such a number could depend on rows that the caller does not see.
struct ScanAdvice: Sendable {
    private let planner: Planner
    private let resource: String
    private let order: [OrderColumn]
    private let filter: Filter

    init(_ planner: Planner, _ resource: Resource, order: [OrderColumn], filter: Filter) {
        self.planner = planner
        self.resource = resource.name
        self.order = order
        self.filter = filter
    }

    /// Returns what the client and the operator can do.
    /// - Parameter scan: The way in which the database reads the rows; nil if it is unknown.
    func text(_ scan: ScanExplanation?) -> String {
        guard let resource = planner.catalogue[resource] else { return Self.general }
        let related = order.compactMap(\.related)
        if let first = related.first, scan?.sorts ?? filter.fields.isEmpty {
            return
                "an order by aggregates such as \(first.relation).\(first.aggregate.name) reads the related rows of all rows; request another order, add a condition on a field with an index, or ask the operator for an index on the columns of the relation \(first.relation)"
        }
        // The rule of a role can aggregate a relation that the caller does not see.
        let aggregated = filter.relationsOfAggregates.filter { resource.relation($0) != nil }
        if let first = aggregated.first, aggregated.count == filter.fields.count {
            return
                "a filter by aggregates of \(first) reads the related rows of all rows; add a condition on a field with an index, or ask the operator for an index on the columns of the relation \(first)"
        }
        let terms = order.filter { $0.related == nil && resource.field($0.field.name) != nil }
        // An index can be read in both directions.
        let isReversed = terms.allSatisfy(\.descending)
        let order = terms.map { $0.field.name + ($0.descending && !isReversed ? " desc" : "") }
        let fields = filter.fields.filter { resource.field($0) != nil || resource.relation($0) != nil }.uniqued
        if !order.isEmpty, scan?.sorts ?? fields.isEmpty {
            return
                "no index serves the order; request another order, add a condition on a field with an index, or ask the operator for an index on \(order.joined(separator: ", "))"
        }
        guard let first = fields.first else { return Self.general }
        let index = fields.count == 1 ? first : "one or more of \(fields.joined(separator: ", "))"
        return scan?.scansTables ?? true
            ? "no index serves the filter; add a condition on a field with an index, or ask the operator for an index on \(index)"
            : "too many rows match the conditions that an index serves; add a condition, or ask the operator for an index on \(index)"
    }

    /// The advice for statements without an order or a filter of the request.
    static let general =
        "add a condition on a field with an index, or ask the operator for an index on the fields of the request"
}

extension Filter {
    /// The names of the fields and relations that the filter compares, without those of related rows.
    fileprivate var fields: [String] {
        switch self {
        case .compare(let field, _, _), .isNull(let field, _): [field]
        case .all(let filters), .any(let filters): filters.flatMap(\.fields)
        case .not(let filter): filter.fields
        case .related(let name, _, _), .aggregate(let name, _, _): [name]
        }
    }
}

extension Filter {
    /// The relations whose aggregates the filter compares, without those of related rows.
    fileprivate var relationsOfAggregates: [String] {
        switch self {
        case .compare, .isNull, .related: []
        case .all(let filters), .any(let filters): filters.flatMap(\.relationsOfAggregates)
        case .not(let filter): filter.relationsOfAggregates
        case .aggregate(let name, _, _): [name]
        }
    }
}

extension [String] {
    fileprivate var uniqued: [String] {
        var known: Set<String> = []
        return filter { known.insert($0).inserted }
    }
}

extension ServiceError {
    /// Creates the error for a request that examines too many rows.
    /// - Parameters:
    ///   - source: The name of the resource whose rows the statement reads.
    ///   - limit: The maximum number of rows.
    init(scanOf source: String, limit: Int, advice: String) {
        self.init(
            .scanTooLarge, "the request examines more than \(limit) rows to answer with rows of \(source); \(advice)")
    }
}
