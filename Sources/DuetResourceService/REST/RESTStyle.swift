public import DuetJSON
public import DuetResultSetJSON
public import DuetSQLDatabase

/// The REST API of a service. It converts paths and queries to questions and plans. The type is independent of HTTP.
public struct RESTStyle: Sendable {
    /// The decoded names and values of the query parameters, in the order of the query.
    public typealias Query = [(name: String, value: String)]

    /// The values in a path.
    public struct Path: Sendable, Hashable {
        /// The key of the row that the path identifies; empty if the path identifies no row.
        public var key: [SQLValue]
        /// The values of the fields that identify the related row; empty if the path identifies no related row.
        public var relatedKey: [SQLValue]
    }

    private let catalogue: Catalogue
    private let planner: Planner
    private let values: ValueReader
    private let changes: ChangeReader
    private let itemPlans = PlanCache(capacity: 1_024)

    /// The number of hits and misses of the cache for plans that read a single row, and the number of cached plans.
    public var planStatistics: (hits: Int, misses: Int, count: Int) { itemPlans.statistics }

    /// Creates the REST API of a service.
    public init(_ service: ResourceService) {
        catalogue = service.catalogue
        planner = service.planner
        values = ValueReader(dates: service.encoding.dates, dialect: service.database.dialect)
        changes = ChangeReader(service)
    }

    /// Parses the values in the path of an operation.
    /// - Parameters:
    ///   - operation: The operation.
    ///   - segment: A closure that returns the encoded path segment for comma-separated parameters such as
    ///     `orderId,productId`.
    /// - Throws: ``ServiceError`` for a text that is not a valid value of its field.
    public func path(_ operation: RESTOperation, _ segment: (_ parameters: String) -> String) throws -> Path {
        try path(operation, hasKey: true, segment)
    }

    /// Parses the values in the path of an operation.
    /// - Parameters:
    ///   - hasKey: False if the key of the row in the path becomes known later. The key is then empty.
    ///   - hasRelatedKey: False if the key of the related row becomes known later. The key is then empty.
    package func path(
        _ operation: RESTOperation, hasKey: Bool, hasRelatedKey: Bool = true,
        _ segment: (_ parameters: String) -> String
    ) throws -> Path {
        func read(_ key: RESTOperation.PathKey, of resource: Resource) throws -> [SQLValue] {
            guard !key.fields.isEmpty else { return [] }
            let parameters = key.parameters
            guard let parts = KeySegment.parts(of: segment(parameters), count: key.fields.count) else {
                throw ServiceError(
                    .invalidParameter,
                    "the path identifies one \(resource.singular) by \(parameters): \(key.fields.count) values, percent-encoded and separated by commas",
                    parameter: parameters)
            }
            return try zip(key.fields, parts).map { try values.value($1, of: $0, $0.name) }
        }
        return Path(
            key: hasKey ? try read(operation.key, of: operation.resource) : [],
            relatedKey: hasRelatedKey ? try read(operation.relatedKey, of: operation.shown) : [])
    }

    /// Returns the question of a read operation or, for a write of related rows, the question whose answer is the
    /// response body.
    /// - Parameters:
    ///   - operation: The operation.
    ///   - path: The values in the path.
    ///   - query: The parameters of the query.
    ///   - format: The format of the response. If the query does not contain `first`, a JSON list has the default page
    ///     size, and a list in any other format contains all rows.
    /// - Throws: ``ServiceError`` for an unknown parameter, a repeated parameter or an invalid value.
    public func question(
        _ operation: RESTOperation, _ path: Path, _ query: Query, _ format: RowFormat = .json
    ) throws -> Question {
        let resource = operation.resource.name
        let node = try node(operation, query)
        let size = format == .json ? operation.pageSize : nil
        var question: Question
        switch operation.rows {
        case .list:
            question = Question(
                .list(resource: resource, try node.window(defaultSize: size)),
                try node.groups(defaultSize: size) ?? .list(.array(try node.selection)))
        case .item: question = Question(.item(resource: resource, key: path.key), .item(try node.selection))
        case .related(let relation):
            question = Question(
                .related(
                    resource: resource, key: path.key, relation: relation.name, try node.window(defaultSize: size)),
                try node.groups(defaultSize: size) ?? .list(.array(try node.selection)))
        case .relatedItem(let relation, let fields):
            let filters = zip(fields, path.relatedKey).map { Filter.compare($0, .equal, values: [$1]) }
            question = Question(
                .relatedItem(resource: resource, key: path.key, relation: relation.name, .all(filters)),
                .item(try node.selection))
        }
        question.countsRows = node.isCounted
        return question
    }

    private func node(_ operation: RESTOperation, _ query: Query) throws -> ParameterNode {
        try ParameterNode(
            operation.shown, by: operation.showsNewRow ? nil : operation.relation,
            isItem: !operation.isList && !operation.isBulkWrite,
            isBulk: operation.isBulkWrite, FilterReader(catalogue: catalogue, values: values), query)
    }

    /// Returns the change of a write operation, with the representation that the query selects. ``read(_:for:into:)``
    /// adds the values of the body.
    /// - Throws: ``ServiceError`` for an unknown parameter, a repeated parameter or an invalid value.
    public func change(_ write: Write, _ operation: RESTOperation, _ path: Path, _ query: Query) throws -> Change {
        var change = try changes.change(write, key: path.key, relatedKey: path.relatedKey)
        if write.link != nil {
            if let name = query.first?.name {
                throw ServiceError(
                    .unknownParameter, "this write has no query parameters", parameter: name, allowed: [])
            }
            change.representations = [.question(try question(operation, path, []))]
            return change
        }
        if write.isMany {
            let parameters = try Filter.requiringMembers { try node(operation, query) }
            change.condition = try parameters.bulkFilter
            change.maximum = parameters.maximum
            return change
        }
        change.representations = [
            operation.relation == nil || operation.showsNewRow
                ? .row(try node(operation, query).selection) : .question(try question(operation, path, query))
        ]
        return change
    }

    /// Reads the body of a write into its change.
    /// - Throws: ``ServiceError`` with the code `malformed-body` or `validation-failed`.
    public func read(_ body: JSONValue, for write: Write, into change: inout Change) throws {
        try read(body, for: write, into: &change, after: EarlierSteps())
    }

    /// Reads the body of a write that follows other changes in the same transaction.
    package func read(
        _ body: JSONValue, for write: Write, into change: inout Change, after earlier: EarlierSteps
    ) throws {
        switch (write.kind, body) {
        case (.replace, _): try changes.readReplacement(body, for: write, into: &change)
        case (.insert, .array(let rows)) where write.acceptsList:
            try changes.readList(rows, for: write, into: &change, earlier: earlier)
        default: try changes.read(body, for: write, into: &change, earlier: earlier)
        }
    }

    /// Returns the plan of a read operation. If the operation reads a single row, the plan is cached, and the cached
    /// plan is used for all keys.
    /// - Parameters:
    ///   - operation: The operation.
    ///   - rawQuery: The encoded query; nil if the request has no query.
    ///   - format: The format of the response.
    ///   - segment: A closure that returns the encoded path segment for comma-separated parameters.
    ///   - query: A closure that returns the parameters of `rawQuery`. It is called only if the plan is not cached.
    /// - Throws: The errors of ``path(_:_:)`` and ``question(_:_:_:_:)``, and ``ServiceError`` for a cursor that does
    ///   not belong to the list.
    public func plan(
        _ operation: RESTOperation, _ rawQuery: String?, _ format: RowFormat = .json,
        segment: (_ parameters: String) -> String, query: () throws -> Query
    ) throws -> Plan {
        let path = try path(operation, segment)
        guard case .item = operation.rows else {
            let question = try question(operation, path, try query(), format)
            do {
                return try planner.plan(question)
            } catch let error as ServiceError where error.parameter == "after" {
                throw error.suggestingOperator(for: "after", of: operation.shown, "after")
            }
        }
        let subject = Subject(operation.resource, path.key)
        let key = catalogue.view.key("\(operation.resource.name)?\(rawQuery ?? "")")
        // A closure that creates a missing plan would copy this value for each request.
        if let known = itemPlans.plan(key) { return known.about(subject) }
        let plan = try planner.plan(try question(operation, path, try query()))
        itemPlans.insert(plan, for: key)
        return plan.about(subject)
    }
}
