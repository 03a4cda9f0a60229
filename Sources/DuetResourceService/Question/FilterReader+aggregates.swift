import DuetJSON

/// The conditions on the aggregates of the rows of a to-many relation:
/// `{"count":{"gte":3},"total":{"sum":{"gt":"100"}}}`.
extension FilterReader {
    /// The member that selects the rows whose aggregates are compared.
    static let filterMember = "filter"
    /// The members of a to-many relation that are not aggregates of a field. A field with one of these names has no
    /// aggregates in filters.
    static let relationMembers = ["some", "none", filterMember, AggregateFunction.count.rawValue]

    /// The maximum number of relations whose aggregates a filter compares. For each of them, a statement reads the
    /// related rows of each row.
    static let maximumAggregatedRelations = 10

    /// Creates the condition on the aggregates of related rows. All aggregates are those of the same rows.
    /// - Parameters:
    ///   - members: The members of the relation's object, without `some` and `none`.
    ///   - target: The target of the relation.
    func aggregates(
        _ members: [JSONObject.Member], of relation: Relation, _ target: Resource, _ name: String, depth: Int,
        _ conditions: inout Int
    ) throws -> Filter {
        let reader = GroupFilterReader(resource: target, filters: self)
        var rows = Filter.everything
        var parts: [GroupFilter] = []
        for member in members {
            let place = "\(name).\(member.key)"
            guard target.isAggregated else { throw unknown(member.key, name, target) }
            conditions += 1
            guard conditions <= Self.maximumConditions else { throw tooMany(name) }
            switch member.key {
            case Self.filterMember:
                let object = try object(member.value, place)
                guard !object.members.isEmpty else { throw empty(place) }
                rows = try filter(object, of: target, place, depth: depth + 1, &conditions)
            case AggregateFunction.count.rawValue:
                parts += try reader.comparisons(
                    of: Aggregate(.count), try object(member.value, place), place, &conditions)
            default:
                guard let field = target.comparedFields.first(where: { $0.name == member.key }) else {
                    throw unknown(member.key, name, target)
                }
                parts += try functions(of: field, try object(member.value, place), place, reader, &conditions)
            }
        }
        guard !parts.isEmpty else {
            throw ServiceError(
                .emptyFilter,
                "\(name).\(Self.filterMember) selects the rows whose aggregates are compared; add an aggregate, such as count, or use some",
                parameter: name)
        }
        return .aggregate(of: relation.name, parts.count == 1 ? parts[0] : .all(parts), rows)
    }

    /// Creates the comparisons of the aggregates of a field from an object whose members are functions.
    private func functions(
        of field: Field, _ object: JSONObject, _ name: String, _ reader: GroupFilterReader, _ conditions: inout Int
    ) throws -> [GroupFilter] {
        guard !object.members.isEmpty else { throw empty(name, remedy: "add a function") }
        return try object.members.flatMap { member in
            let functions = field.aggregateFunctions
            guard let function = functions.first(where: { $0.rawValue == member.key }) else {
                let names = functions.map(\.rawValue)
                throw ServiceError(
                    .invalidParameter,
                    "\(name) has no function \(member.key); valid functions are \(names.joined(separator: ", "))",
                    parameter: name, allowed: names)
            }
            conditions += 1
            let place = "\(name).\(member.key)"
            return try reader.comparisons(
                of: Aggregate(function, field.name), try self.object(member.value, place), place, &conditions)
        }
    }

    private func unknown(_ member: String, _ name: String, _ target: Resource) -> ServiceError {
        let names =
            target.isAggregated ? Self.relationMembers + target.comparedFields.map(\.name) : ["some", "none"]
        return ServiceError(
            .invalidParameter, "\(name) has no member \(member); valid members are \(names.joined(separator: ", "))",
            parameter: name, allowed: names)
    }
}

extension Resource {
    /// The fields whose aggregates the filters of a to-many relation to this resource can compare.
    var comparedFields: [Field] {
        aggregatedFields.filter { !FilterReader.relationMembers.contains($0.name) }
    }
}
