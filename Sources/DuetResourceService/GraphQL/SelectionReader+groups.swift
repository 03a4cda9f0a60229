import DuetGraphQL
import DuetJSON
import DuetSQLDatabase

/// The conversion of GraphQL fields that return aggregates and groups.
extension SelectionReader {
    /// Returns the form of a question for groups.
    /// - Throws: ``ServiceError`` for an argument with an invalid value.
    func groups(_ field: PlannedField, _ bound: BoundResource, _ arguments: ObjectValue) throws -> Question.Form {
        let keys = try keys(arguments, bound)
        var aggregation = Aggregation(by: keys)
        let resource = bound.resource
        if case .object(let object)? = arguments[GroupArgument.having],
            case .object(let json) = JSONValue(.object(object))
        {
            aggregation.having = try GroupFilterReader(resource: resource, filters: filters)
                .filter(json, GroupArgument.having)
        }
        aggregation.order = try groupOrder(arguments, bound, keys)
        if case .string(let name)? = arguments[GroupArgument.timeZone] {
            aggregation.timeZone = try TimeZoneTable.named(name, parameter: GroupArgument.timeZone)
        }
        aggregation.first = try pageSize(field, arguments) ?? ResourceService.defaultPageSize
        if case .string(let text)? = arguments[ListArgument.after] { aggregation.after = text }
        let members = try field.subfields.map { field in
            try Self.locating(field) { try groupPageMember(field, keys) }
        }
        return .groups(aggregation, .page(members))
    }

    private func groupPageMember(_ field: PlannedField, _ keys: [GroupKey]) throws -> GroupPageMember {
        let name = field.responseName
        if field.isTypeName { return .constant(name: name, json: Self.typeName(field)) }
        switch try field.binding(as: PageField.self) {
        case .nodes: return .nodes(name: name, try groupMembers(field.subfields, keys))
        case .pageInfo: return .pageInfo(name: name, try field.subfields.map(Self.pageInfoMember))
        case .totalCount: return .totalCount(name: name)
        case .edges: throw CatalogueError("groups have no edges")
        }
    }

    // MARK: Members

    /// Returns the selected members of a group, or of the aggregates of all rows.
    func groupMembers(_ fields: [PlannedField], _ keys: [GroupKey]) throws -> [GroupMember] {
        try fields.map { field in
            let name = field.responseName
            if field.isTypeName { return .constant(name: name, json: Self.typeName(field)) }
            switch try field.binding(as: GroupField.self) {
            case .key: return .object(name: name, try keyMembers(field.subfields, keys, of: nil))
            case .count: return .aggregate(name: name, Aggregate(.count))
            case .aggregates(let source):
                return .object(
                    name: name,
                    try field.subfields.map { field in
                        let name = field.responseName
                        if field.isTypeName { return .constant(name: name, json: Self.typeName(field)) }
                        return .aggregate(name: name, Aggregate(try field.binding(as: AggregateFunction.self), source))
                    })
            }
        }
    }

    private func keyMembers(
        _ fields: [PlannedField], _ keys: [GroupKey], of relation: String?
    ) throws -> [GroupMember] {
        try fields.map { field in
            let name = field.responseName
            if field.isTypeName { return .constant(name: name, json: Self.typeName(field)) }
            switch try field.binding(as: GroupKeyField.self) {
            case .field(let source):
                let key = GroupKey(source, of: relation)
                return keys.contains(key) ? .key(name: name, key) : .constant(name: name, json: "null")
            case .relation(let relation):
                guard keys.contains(where: { $0.relation == relation }) else {
                    return .constant(name: name, json: "null")
                }
                return .object(name: name, try keyMembers(field.subfields, keys, of: relation))
            case .date(let source):
                guard keys.contains(where: { $0.field == source && $0.relation == relation }) else {
                    return .constant(name: name, json: "null")
                }
                return .object(name: name, try dateMembers(field.subfields, keys, source, of: relation))
            case .part: throw CatalogueError("a key of groups is not a part of a date")
            }
        }
    }

    /// Returns the selected members of a date.
    private func dateMembers(
        _ fields: [PlannedField], _ keys: [GroupKey], _ source: String, of relation: String?
    ) throws -> [GroupMember] {
        try fields.map { field in
            let name = field.responseName
            if field.isTypeName { return .constant(name: name, json: Self.typeName(field)) }
            guard case .part(let part) = try field.binding(as: GroupKeyField.self) else {
                throw CatalogueError("a member of a date is not a part of it")
            }
            let key = GroupKey(source, of: relation, part: part)
            return keys.contains(key) ? .key(name: name, key) : .constant(name: name, json: "null")
        }
    }

    // MARK: Arguments

    private func keys(_ arguments: ObjectValue, _ bound: BoundResource) throws -> [GroupKey] {
        guard case .list(let elements)? = arguments[GroupArgument.groupBy] else { return [] }
        let keys = elements.compactMap { key($0, bound) }
        let name = GroupArgument.groupBy
        let valid = filters.catalogue.groupKeys(of: bound.resource).map(\.key)
        if let key = keys.first(where: { !valid.contains($0) }) {
            throw ServiceError(
                .invalidParameter,
                "\(key.name) is not a key of groups, because equal values can be stored in different ways, or are long; use a part of it, or another field",
                parameter: name)
        }
        guard (1...Aggregation.maximumKeys).contains(keys.count) else {
            throw ServiceError(
                .invalidParameter, "\(name) has \(keys.count) keys; groups have 1 to \(Aggregation.maximumKeys) keys",
                parameter: name)
        }
        if let repeated = keys.indices.first(where: { keys[..<$0].contains(keys[$0]) }) {
            throw ServiceError(
                .invalidParameter, "\(name) contains the key \(keys[repeated].name) twice; request it once",
                parameter: name)
        }
        return keys
    }

    /// Returns the key of an input object with one member.
    private func key(_ value: Value, _ bound: BoundResource) -> GroupKey? {
        for member in value.inputMembers ?? [] {
            guard case .enum(let constant) = member.value else { continue }
            if let field = bound.resource.field(member.name) {
                return GroupKey(
                    member.name, part: field.keyParts.first { $0.rawValue.screamingSnakeCase == constant })
            }
            let target = bound.resource.relation(member.name).flatMap { filters.catalogue[$0.target] }
            let key = target?.relatedKeyConstants.first { $0.constant == constant }
            return key.map { GroupKey($0.field.name, of: member.name, part: $0.part) }
        }
        return nil
    }

    private func groupOrder(
        _ arguments: ObjectValue, _ bound: BoundResource, _ keys: [GroupKey]
    ) throws -> [GroupOrder] {
        guard case .list(let elements)? = arguments[ListArgument.orderBy] else { return [] }
        var order: [GroupOrder] = []
        for case .object(let object) in elements {
            let descending = object[GroupArgument.direction] == .enum("DESCENDING")
            let key = object[GroupArgument.key].flatMap { self.key($0, bound) }
            let aggregate = object[GroupArgument.aggregate].flatMap(Aggregate.init)
            let value: GroupOrder.Value
            switch (key, aggregate) {
            case (let key?, nil):
                guard keys.contains(key) else {
                    throw ServiceError(
                        .invalidParameter,
                        "orderBy has the key \(key.name), which is not in groupBy; the keys are \(keys.map(\.name).joined(separator: ", "))",
                        parameter: ListArgument.orderBy, allowed: keys.map(\.name))
                }
                value = .key(key)
            case (nil, let aggregate?): value = .aggregate(aggregate)
            default:
                throw ServiceError(
                    .invalidParameter, "each element of orderBy needs either a key or an aggregate",
                    parameter: ListArgument.orderBy)
            }
            if !order.contains(where: { $0.value == value }) { order.append(GroupOrder(value, descending: descending)) }
        }
        return order
    }
}
