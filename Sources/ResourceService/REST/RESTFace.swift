public import ResultSetJSON
public import SQLDatabase

/// The REST style of a service: plans for paths and query parameters. It knows names and values, nothing of HTTP.
public struct RESTFace: Sendable {
    private let catalogue: Catalogue
    private let planner: Planner
    private let reader: RESTReader
    private let itemPlans = PlanCache(capacity: 1_024)

    /// How often the plan for a query of one row was cached, how often it had to be made, and how many are cached.
    public var planStatistics: (hits: Int, misses: Int, count: Int) { itemPlans.statistics }

    /// Creates the style of a service.
    public init(_ service: ResourceService) {
        catalogue = service.catalogue
        planner = service.planner
        reader = RESTReader(service.catalogue, dates: service.encoding.dates)
    }

    /// The key of a row, of the texts that stand for its fields in a path.
    /// - Throws: ``ServiceError`` for a text that is no value of its field; so do all others.
    public func key(_ texts: [String], of resource: Resource) throws -> [SQLValue] {
        try reader.key(texts, of: resource)
    }

    /// The values of fields of a related row, of the texts that stand for them in a path.
    public func relatedKey(_ texts: [String], _ fields: [String], of relation: Relation) throws -> [SQLValue] {
        try reader.relatedKey(texts, fields, of: relation)
    }

    /// The plan of `/employees/{employeeNumber}`. The same query is read and planned once; then only the key differs.
    /// - Parameters:
    ///   - rawQuery: The query as it was sent; nil if there was none.
    ///   - query: The parameters of `rawQuery`, read only if they are new.
    public func item(
        _ resource: Resource, _ key: [SQLValue], _ rawQuery: String?, _ query: () throws -> RESTReader.Query
    ) throws -> Plan {
        try itemPlans.plan("\(resource.name)?\(rawQuery ?? "")") {
            try planner.plan(try reader.item(resource, key, try query()))
        }.about(Subject(resource, key))
    }

    /// The question about a row of a resource, for the answer to a write.
    public func itemQuestion(_ resource: Resource, _ key: [SQLValue], _ query: RESTReader.Query) throws -> Question {
        try reader.item(resource, key, query)
    }

    /// The plan of `/employees`.
    public func list(_ resource: Resource, _ query: RESTReader.Query, _ format: RowFormat) throws -> Plan {
        try planner.plan(try reader.list(resource, query, format))
    }

    /// The question of `/employees/{employeeNumber}/titles`.
    public func related(
        _ relation: Relation, to resource: Resource, _ key: [SQLValue], _ query: RESTReader.Query, _ format: RowFormat
    ) throws -> Question {
        try reader.related(relation, to: resource, key, query, format)
    }

    /// The question of `/employees/{employeeNumber}/departments/{departmentNumber}`.
    /// - Parameters:
    ///   - fields: The fields of the related row that the rest of the path has the values of.
    ///   - values: Their values.
    public func relatedItem(
        _ relation: Relation, to resource: Resource, _ key: [SQLValue], _ fields: [String], _ values: [SQLValue],
        _ query: RESTReader.Query
    ) throws -> Question {
        let filters = zip(fields, values).map { Filter.compare($0, .equal, [$1]) }
        return try reader.relatedItem(relation, to: resource, key, .all(filters), query)
    }
}
