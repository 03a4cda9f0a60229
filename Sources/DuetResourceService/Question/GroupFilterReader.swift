import DuetJSON
import DuetSQLDatabase

/// Creates conditions on groups from JSON objects. The members are aggregates and the connectives of filters. In REST,
/// the aggregates are named `{"total.sum":{"gt":"1000"},"or":[…]}`, and in GraphQL `{total: {sum: {gt: "1000"}}}`.
struct GroupFilterReader {
    /// The aggregates that the condition can use, in the form of REST; nil for the form of GraphQL, in which the schema
    /// determines them.
    var aggregates: [Aggregate]?
    let resource: Resource
    let filters: FilterReader

    /// The maximum number of conditions.
    private static let maximumConditions = 50
    /// The maximum nesting depth of objects.
    private static let maximumDepth = 5

    /// Creates a condition. A group must satisfy all members of the object.
    /// - Parameter name: The name of the parameter or argument in errors.
    /// - Throws: ``ServiceError`` with the name of the invalid member and the valid names or values.
    func filter(_ object: JSONObject, _ name: String) throws -> GroupFilter {
        var conditions = 0
        return try filter(object, name, depth: 1, &conditions)
    }

    private func filter(
        _ object: JSONObject, _ name: String, depth: Int, _ conditions: inout Int
    ) throws -> GroupFilter {
        guard depth <= Self.maximumDepth else {
            throw ServiceError(
                .invalidParameter, "\(name) has more than \(Self.maximumDepth) nested objects", parameter: name)
        }
        guard !object.members.isEmpty else { throw empty(name) }
        var parts: [GroupFilter] = []
        for member in object.members {
            conditions += 1
            guard conditions <= Self.maximumConditions else {
                throw ServiceError(
                    .invalidParameter, "\(name) has more than \(Self.maximumConditions) conditions", parameter: name)
            }
            let place = "\(name).\(member.key)"
            switch member.key {
            case "and", "or":
                guard case .array(let elements) = member.value else {
                    throw mismatch(place, "a list of objects", member.value)
                }
                guard !elements.isEmpty else { throw empty(place) }
                let filters = try elements.map {
                    try filter(try self.object($0, place), place, depth: depth + 1, &conditions)
                }
                parts.append(member.key == "and" ? .all(filters) : .any(filters))
            case "not":
                parts.append(
                    .not(try filter(try self.object(member.value, place), place, depth: depth + 1, &conditions)))
            case _ where aggregates == nil:
                parts += try nested(member.key, try self.object(member.value, place), place, &conditions)
            default:
                let aggregates = aggregates ?? []
                guard let aggregate = aggregates.first(where: { $0.name == member.key }) else {
                    let allowed = aggregates.map(\.name) + Catalogue.connectives
                    throw ServiceError(
                        .invalidParameter,
                        "\(name) has no member \(member.key); valid members are the requested aggregates and connectives: \(allowed.joined(separator: ", "))",
                        parameter: name, allowed: allowed)
                }
                parts += try comparisons(of: aggregate, try self.object(member.value, place), place, &conditions)
            }
        }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    /// Creates the comparisons of the aggregates of a field, or of the number of rows, in the form of GraphQL.
    private func nested(
        _ member: String, _ object: JSONObject, _ name: String, _ conditions: inout Int
    ) throws -> [GroupFilter] {
        guard member != AggregateFunction.count.rawValue else {
            return try comparisons(of: Aggregate(.count), object, name, &conditions)
        }
        guard !object.members.isEmpty else { throw empty(name) }
        return try object.members.flatMap { function -> [GroupFilter] in
            guard let known = AggregateFunction(rawValue: function.key) else {
                throw CatalogueError("\(name) has no function \(function.key)")
            }
            let place = "\(name).\(function.key)"
            return try comparisons(
                of: Aggregate(known, member), try self.object(function.value, place), place, &conditions)
        }
    }

    /// Creates the comparisons of an aggregate from an object whose members are operators.
    func comparisons(
        of aggregate: Aggregate, _ object: JSONObject, _ name: String, _ conditions: inout Int
    ) throws -> [GroupFilter] {
        guard !object.members.isEmpty else { throw empty(name) }
        let field = try resource.field(of: aggregate)
        return try object.members.map { member in
            conditions += 1
            // The comparison is that of a field with the name and the type of the aggregate.
            switch try filters.comparison(field, member.key, member.value, name) {
            case .compare(_, let comparison, let operands):
                guard comparison != .like else {
                    throw ServiceError(
                        .invalidParameter, "\(name).like is not a condition on aggregates; use filter for the rows",
                        parameter: name)
                }
                let values = operands.compactMap(\.value)
                guard values.count == operands.count else {
                    throw ServiceError(
                        .invalidParameter, "\(name).\(member.key) must be a value; an aggregate has no claims",
                        parameter: name)
                }
                return .compare(aggregate, comparison, values)
            case .isNull(_, let isNull): return .isNull(aggregate, isNull)
            case .any(let filters) where filters.isEmpty: return .any([])
            default: throw CatalogueError("a comparison is not a single condition")
            }
        }
    }

    private func object(_ value: JSONValue, _ name: String) throws -> JSONObject {
        guard case .object(let object) = value else { throw mismatch(name, "an object", value) }
        return object
    }

    private func mismatch(_ name: String, _ expected: String, _ value: JSONValue) -> ServiceError {
        ServiceError(.invalidParameter, "\(name) must be \(expected), not \(value.typeName)", parameter: name)
    }

    private func empty(_ name: String) -> ServiceError {
        ServiceError(.emptyFilter, "\(name) is empty; add a condition, or omit it", parameter: name)
    }
}
