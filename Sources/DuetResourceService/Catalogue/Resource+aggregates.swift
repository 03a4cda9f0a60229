import DuetSQLDatabase

extension FieldType {
    /// The functions that compute a value from the values of a field, in addition to ``AggregateFunction/count``.
    var aggregateFunctions: [AggregateFunction] {
        switch self {
        case .integer, .bigInteger, .number, .decimal: AggregateFunction.allCases
        case .boolean: [.count, .countDistinct, .sum]
        case .text, .identifier, .choice, .date, .time: [.count, .countDistinct, .min, .max]
        // The texts with different offsets, and the Julian days, have no smallest stored value.
        case .dateTime: isComparedInUTC ? [.count, .countDistinct] : [.count, .countDistinct, .min, .max]
        case .uuid: [.count, .countDistinct]
        case .binary, .json, .any: [.count]
        }
    }

    /// True if the values of a field can be the keys of groups.
    var canBeGroupKey: Bool {
        switch self {
        case .binary, .json, .any, .number: false
        // A cursor contains the keys of a group.
        case .text(let maximumLength?): maximumLength <= 255
        default: !isComparedInUTC
        }
    }
}

extension Field {
    /// The functions that compute a value from the values of the field.
    var aggregateFunctions: [AggregateFunction] { isAggregated ? type.aggregateFunctions : [] }

    /// True if the values can be the keys of groups.
    var canBeGroupKey: Bool { isAggregated && type.canBeGroupKey }

    /// The parts of the values that can be the keys of groups.
    var keyParts: [DatePart] { isAggregated ? type.dateParts : [] }
}

extension Resource {
    /// All aggregates of the rows.
    var aggregates: [Aggregate] {
        [Aggregate(.count)]
            + fields.flatMap { field in field.aggregateFunctions.map { Aggregate($0, field.name) } }
    }

    /// Returns an aggregate as a field with the type of its values.
    /// - Throws: ``CatalogueError`` if the resource has no such aggregate.
    func field(of aggregate: Aggregate) throws -> Field {
        let name = aggregate.name
        guard let source = aggregate.field else {
            return Field(name, .integer(), column: "", description: "The number of rows.")
        }
        let field = try requiredField(source)
        guard field.aggregateFunctions.contains(aggregate.function) else {
            throw CatalogueError("\(self.name) has no aggregate \(name)")
        }
        var result = field
        result.name = name
        result.isNullable = true
        switch (aggregate.function, field.type) {
        case (.min, _), (.max, _): return result
        case (.count, _), (.countDistinct, _), (.sum, .boolean):
            result.type = .integer()
            result.isNullable = false
        case (.sum, .integer), (.avg, .integer): result.type = .decimal(scale: 0, .number)
        case (.sum, .bigInteger(_, let form)), (.avg, .bigInteger(_, let form)): result.type = .decimal(scale: 0, form)
        case (.sum, _), (.avg, _): break
        }
        result.isSingle = false
        result.isOrdinal = false
        result.isStoredAsBytes = false
        result.nullifiesMismatches = false
        return result
    }
}

extension Catalogue {
    /// Returns a key of groups as a field with the type of its values.
    /// - Throws: ``CatalogueError`` if the resource has no such key.
    func field(of key: GroupKey, in resource: Resource) throws -> Field {
        var field = try source(of: key, in: resource)
        guard let part = key.part else { return field }
        field.name = key.name
        field.type = part.isNumber ? .integer() : .text()
        return field
    }

    /// Returns the field whose values, or parts of them, are a key of groups. Its relation is the relation of the key.
    func source(of key: GroupKey, in resource: Resource) throws -> Field {
        guard let name = key.relation else { return try resource.requiredField(key.field) }
        let relation = try resource.requiredRelation(name)
        let target = try target(of: relation)
        var field = try target.requiredField(key.field)
        field.relation = name
        field.name = key.name
        field.isNullable = field.isNullable || relation.size == .one(isOptional: true)
        return field
    }

    /// Returns the names of all keys of groups in REST: `country`, `customer.country`.
    func groupKeys(of resource: Resource) -> [GroupKey] {
        let own = resource.fields.flatMap { field in
            (field.canBeGroupKey ? [GroupKey(field.name)] : [])
                + field.keyParts.map { GroupKey(field.name, part: $0) }
        }
        let related = resource.relations.filter { !$0.isToMany && $0.joins.isEmpty }.flatMap { relation in
            (self[relation.target]?.fields ?? []).filter { $0.relation == nil && $0.canBeGroupKey }
                .map { GroupKey($0.name, of: relation.name) }
        }
        return own + related
    }
}

extension Resource {
    /// True if a query parameter with this name requests groups. A named filter with the same name takes precedence.
    func isGroupParameter(_ name: String) -> Bool {
        isAggregated && GroupParameters.names.contains(name) && filter(name) == nil
    }

    /// True if a query parameter with this name belongs to the list. A filter by a field with this name needs an
    /// operator.
    func isListParameter(_ name: String) -> Bool {
        Catalogue.listParameters.contains(name) || isGroupParameter(name)
    }
}
