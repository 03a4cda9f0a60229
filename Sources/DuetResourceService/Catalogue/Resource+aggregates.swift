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

extension Field {
    /// Returns an aggregate of the field as a field with the type of its values.
    func aggregated(by function: AggregateFunction) -> Field {
        var result = self
        result.name = Aggregate(function, name).name
        result.isNullable = true
        switch (function, type) {
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

    /// Returns a part of the field as a key of groups, with the type of its values.
    fileprivate func key(_ part: DatePart) -> Field {
        var result = self
        result.name = GroupKey(name, part: part).name
        result.type = part.isNumber ? .integer() : .text()
        return result
    }

    /// Returns the field as a key of the groups of a resource with a to-one relation to the resource of the field.
    fileprivate func key(of relation: Relation) -> Field {
        var result = self
        result.relation = relation.name
        result.name = GroupKey(name, of: relation.name).name
        result.isNullable = isNullable || relation.size == .one(isOptional: true)
        return result
    }
}

extension Resource {
    /// All aggregates of the rows.
    var aggregates: [Aggregate] {
        [Aggregate(.count)]
            + fields.flatMap { field in field.aggregateFunctions.map { Aggregate($0, field.name) } }
    }

    /// The number of rows as a field.
    static let countField = Field(
        Aggregate(.count).name, .integer(), column: "", description: "The number of rows.")

    /// Returns an aggregate as a field with the type of its values.
    /// - Throws: ``CatalogueError`` if the resource has no such aggregate.
    func field(of aggregate: Aggregate) throws -> Field {
        guard let name = aggregate.field else { return Self.countField }
        let field = try requiredField(name)
        guard field.aggregateFunctions.contains(aggregate.function) else {
            throw CatalogueError("\(self.name) has no aggregate \(aggregate.name)")
        }
        return field.aggregated(by: aggregate.function)
    }

    /// The fields that can be keys of the groups of a resource with a to-one relation to this resource.
    var relatedKeyFields: [Field] { fields.filter { $0.relation == nil && $0.canBeGroupKey } }
}

extension Catalogue {
    /// Returns a key of groups as a field with the type of its values.
    /// - Throws: ``CatalogueError`` if the resource has no such key.
    func field(of key: GroupKey, in resource: Resource) throws -> Field {
        let field = try source(of: key, in: resource)
        return key.part.map(field.key) ?? field
    }

    /// Returns the field whose values, or parts of them, are a key of groups. Its relation is the relation of the key.
    func source(of key: GroupKey, in resource: Resource) throws -> Field {
        guard let name = key.relation else { return try resource.requiredField(key.field) }
        let relation = try resource.requiredRelation(name)
        return try target(of: relation).requiredField(key.field).key(of: relation)
    }

    /// All keys of groups of a resource, each as a field with the type of its values.
    func groupKeys(of resource: Resource) -> [(key: GroupKey, field: Field)] {
        let own = resource.fields.flatMap { field in
            (field.canBeGroupKey ? [(GroupKey(field.name), field)] : [])
                + field.keyParts.map { (GroupKey(field.name, part: $0), field.key($0)) }
        }
        let related = groupRelations(of: resource).flatMap { relation, target in
            target.relatedKeyFields.map { (GroupKey($0.name, of: relation.name), $0.key(of: relation)) }
        }
        return own + related
    }

    /// The to-one relations whose fields can be keys of groups, with their targets.
    func groupRelations(of resource: Resource) -> [(relation: Relation, target: Resource)] {
        resource.relations.compactMap { relation in
            guard !relation.isToMany, relation.joins.isEmpty, let target = self[relation.target],
                !target.relatedKeyFields.isEmpty
            else { return nil }
            return (relation, target)
        }
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
