import DuetJSON
import DuetSQLDatabase

/// The query parameters that request groups and aggregates instead of rows: `group`, `aggregate`, `having` and `sort`.
struct GroupParameters {
    /// The names of the parameters that only groups have.
    static let names = ["group", "aggregate", "having", "timeZone"]

    /// The maximum number of aggregates in a request.
    private static let maximumAggregates = 50

    /// The values of the parameters, by their names without the names of relations.
    private(set) var texts: [String: String] = [:]
    /// The names of the relations that lead to the rows, each followed by a dot.
    let prefix: String

    /// True if the request contains a parameter that only groups have.
    var isRequested: Bool { texts["group"] != nil || texts["aggregate"] != nil }

    init(prefix: String) { self.prefix = prefix }

    mutating func set(_ parameter: String, _ text: String) { texts[parameter] = text }

    /// Returns the requested groups, and the members of their objects: first the keys, then the aggregates.
    /// - Throws: ``ServiceError`` for an unknown key or aggregate, a repeated name or an invalid condition.
    func aggregation(
        of resource: Resource, _ filters: FilterReader
    ) throws -> (aggregation: Aggregation, members: [GroupMember]) {
        let catalogue = filters.catalogue
        let valid = catalogue.groupKeys(of: resource).map(\.key)
        let keys = try list("group").map { name in
            guard let key = valid.first(where: { $0.name == name }) else {
                throw unknown(name, "group", "key", valid.map(\.name))
            }
            return key
        }
        guard keys.count <= Aggregation.maximumKeys else {
            throw ServiceError(
                .invalidParameter,
                "\(prefix)group has \(keys.count) keys; groups have at most \(Aggregation.maximumKeys) keys",
                parameter: prefix + "group")
        }
        let aggregates = try list("aggregate").map { name in
            try aggregate(name, of: resource, "aggregate")
        }
        guard aggregates.count <= Self.maximumAggregates else {
            throw ServiceError(
                .invalidParameter, "\(prefix)aggregate has more than \(Self.maximumAggregates) values",
                parameter: prefix + "aggregate")
        }
        guard !keys.isEmpty || !aggregates.isEmpty else {
            let name = prefix + (texts["group"] == nil ? "aggregate" : "group")
            throw ServiceError(
                .invalidParameter, "\(name) has an empty value; name the values to compute, as in aggregate=count",
                parameter: name)
        }
        let names = keys.map(\.name) + aggregates.map(\.name)
        if let repeated = names.indices.first(where: { names[..<$0].contains(names[$0]) }) {
            throw ServiceError(
                .invalidParameter, "the name \(names[repeated]) would occur twice in a group; request it once",
                parameter: prefix + (repeated < keys.count ? "group" : "aggregate"))
        }
        var aggregation = Aggregation(by: keys)
        if let text = texts["having"] {
            guard !keys.isEmpty else {
                throw ServiceError(
                    .invalidParameter, "\(prefix)having requires \(prefix)group, because it is a condition on groups",
                    parameter: prefix + "having")
            }
            aggregation.having = try having(text, aggregates, of: resource, filters)
        }
        aggregation.order = try order(keys, aggregates)
        if let name = texts["timeZone"] {
            aggregation.timeZone = try TimeZoneTable.named(name, parameter: prefix + "timeZone")
        }
        return (
            aggregation,
            keys.map { .key(name: $0.name, $0) } + aggregates.map { .aggregate(name: $0.name, $0) }
        )
    }

    /// Returns the elements of a comma-separated list; empty if the request does not contain the parameter.
    private func list(_ parameter: String) -> [String] {
        guard let text = texts[parameter], !text.isEmpty else { return [] }
        return text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    private func unknown(_ name: String, _ parameter: String, _ kind: String, _ allowed: [String]) -> ServiceError {
        let valid = allowed.isEmpty ? "none is valid here" : "valid values are \(allowed.joined(separator: ", "))"
        return ServiceError(
            .invalidParameter, "\(prefix)\(parameter) has no \(kind) \(name); \(valid)", parameter: prefix + parameter,
            allowed: allowed)
    }

    /// Returns the aggregate with a name.
    private func aggregate(_ name: String, of resource: Resource, _ parameter: String) throws -> Aggregate {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if parts == ["count"] { return Aggregate(.count) }
        guard parts.count == 2, let field = resource.field(parts[0]) else {
            throw unknown(name, parameter, "aggregate", resource.aggregates.map(\.name))
        }
        guard let function = AggregateFunction(rawValue: parts[1]), field.aggregateFunctions.contains(function)
        else {
            throw unknown(
                name, parameter, "aggregate",
                field.aggregateFunctions.map { Aggregate($0, field.name).name })
        }
        return Aggregate(function, field.name)
    }

    // MARK: Order

    private func order(_ keys: [GroupKey], _ aggregates: [Aggregate]) throws -> [GroupOrder] {
        guard texts["sort"] != nil else { return [] }
        let values = keys.map { ($0.name, GroupOrder.Value.key($0)) } + aggregates.map { ($0.name, .aggregate($0)) }
        var order: [GroupOrder] = []
        for part in list("sort") {
            let descending = part.hasPrefix("-")
            let name = String(descending ? part.dropFirst() : part[...])
            guard let value = values.first(where: { $0.0 == name })?.1 else {
                let names = values.map(\.0)
                throw ServiceError(
                    .invalidParameter,
                    "\(prefix)sort has no value \(name) of a group; valid values are \(names.joined(separator: ", ")), with a leading - for descending order",
                    parameter: prefix + "sort", allowed: names.flatMap { [$0, "-\($0)"] })
            }
            if !order.contains(where: { $0.value == value }) { order.append(GroupOrder(value, descending: descending)) }
        }
        return order
    }

    // MARK: Condition

    private func having(
        _ text: String, _ aggregates: [Aggregate], of resource: Resource, _ filters: FilterReader
    ) throws -> GroupFilter {
        let name = prefix + "having"
        let value: JSONValue
        do {
            value = try JSONValue(parsing: text.utf8)
        } catch {
            throw ServiceError(
                .invalidParameter, "\(name) must be a JSON object, as in {\"count\":{\"gt\":10}}: \(error)",
                parameter: name)
        }
        guard case .object(let object) = value else {
            throw ServiceError(
                .invalidParameter, "\(name) must be a JSON object, not \(value.typeName)", parameter: name)
        }
        return try GroupFilterReader(aggregates: aggregates, resource: resource, filters: filters).filter(object, name)
    }
}
