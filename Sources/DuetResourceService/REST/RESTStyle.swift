public import DuetResultSetJSON
public import DuetSQLDatabase

/// The REST style of a service: reads questions from paths and queries, and makes their plans. It knows names and values, nothing of
/// HTTP.
public struct RESTStyle: Sendable {
    /// Names and values in the order they were sent, decoded.
    public typealias Query = [(name: String, value: String)]

    /// The values in a path.
    public struct Path: Sendable, Hashable {
        /// The key of the row that the path begins with; empty without one.
        public var key: [SQLValue]
        /// The values of the related row's fields; empty without one.
        public var relatedKey: [SQLValue]
    }

    private let catalogue: Catalogue
    private let planner: Planner
    private let values: ValueReader
    private let itemPlans = PlanCache(capacity: 1_024)

    /// How often the plan for a query of one row was cached, how often it had to be made, and how many are cached.
    public var planStatistics: (hits: Int, misses: Int, count: Int) { itemPlans.statistics }

    /// Creates the style of a service.
    public init(_ service: ResourceService) {
        catalogue = service.catalogue
        planner = service.planner
        values = ValueReader(dates: service.encoding.dates)
    }

    /// The values in the path of an operation.
    /// - Parameter segment: Returns the segment of the path with parameters such as `orderId,productId`, as it was sent.
    /// - Throws: ``ServiceError`` for a text that is no value of its field.
    public func path(_ operation: RESTOperation, _ segment: (_ parameters: String) -> String) throws -> Path {
        func read(_ key: RESTOperation.PathKey, of resource: Resource) throws -> [SQLValue] {
            guard !key.fields.isEmpty else { return [] }
            let parameters = key.parameters
            guard let parts = KeySegment.parts(of: segment(parameters), count: key.fields.count) else {
                throw ServiceError(
                    .invalidParameter,
                    "the path names one \(resource.singular) by \(parameters): \(key.fields.count) values, with commas between them and percent-encoded",
                    parameter: parameters)
            }
            return try zip(key.fields, parts).map { try values.value($1, of: $0, $0.name) }
        }
        return Path(
            key: try read(operation.key, of: operation.resource),
            relatedKey: try read(operation.relatedKey, of: operation.shown))
    }

    /// The question of a read, or the question that the response to a write answers.
    /// - Parameter format: In JSON, a list without `first` has the default size; in the others it is whole.
    /// - Throws: ``ServiceError`` that names an unknown or repeated parameter, or a value that it cannot have.
    public func question(
        _ operation: RESTOperation, _ path: Path, _ query: Query, _ format: RowFormat = .json
    ) throws -> Question {
        let resource = operation.resource.name
        let node = try ParameterNode(
            operation.shown, by: operation.relation, isItem: !operation.isList,
            FilterReader(catalogue: catalogue, values: values), query)
        let size = format == .json ? operation.pageSize : nil
        let subject: Question.Subject
        switch operation.rows {
        case .list where operation.isList:
            subject = .list(resource: resource, try node.window(defaultSize: size))
        case .list, .item: subject = .item(resource: resource, key: path.key)
        case .related(let relation):
            subject = .related(
                resource: resource, key: path.key, relation: relation.name, try node.window(defaultSize: size))
        case .relatedItem(let relation, let fields):
            let filters = zip(fields, path.relatedKey).map { Filter.compare($0, .equal, [$1]) }
            subject = .relatedItem(resource: resource, key: path.key, relation: relation.name, .all(filters))
        }
        var question = Question(subject, .array(try node.selection))
        question.countsRows = node.isCounted
        return question
    }

    /// The plan of a read. A query of one row is read and planned once; then only the key differs.
    /// - Parameters:
    ///   - rawQuery: The query as it was sent; nil if there was none.
    ///   - query: The parameters of `rawQuery`, read only if they are needed.
    /// - Throws: As ``question(_:_:_:_:)``, and for a cursor that is not of the list.
    public func plan(
        _ operation: RESTOperation, _ path: Path, _ rawQuery: String?, _ format: RowFormat = .json,
        query: () throws -> Query
    ) throws -> Plan {
        guard case .item = operation.rows else {
            return try planner.plan(try question(operation, path, try query(), format))
        }
        return try itemPlans.plan("\(operation.resource.name)?\(rawQuery ?? "")") {
            try planner.plan(try question(operation, path, try query()))
        }.about(Subject(operation.resource, path.key))
    }
}
