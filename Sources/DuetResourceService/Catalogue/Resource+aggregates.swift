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

    /// The functions whose values can be sort keys of rows. A cursor contains the value, so it must not be a long text.
    var sortFunctions: [AggregateFunction] {
        let isLong = if case .text(let maximumLength) = type { (maximumLength ?? .max) > 255 } else { false }
        return aggregateFunctions.filter { !isLong || !$0.isExtreme }
    }

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
        // The name of a field of a related row begins with the name of the relation.
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

    /// The aggregates of the rows that can be sort keys of rows to which these rows are related.
    var sortAggregates: [Aggregate] {
        [Aggregate(.count)] + fields.flatMap { field in field.sortFunctions.map { Aggregate($0, field.name) } }
    }

    /// The number of rows as a field.
    static let countField = Field(
        Aggregate(.count).name, .integer(), column: "", description: "The number of rows.")

    /// Returns an aggregate as a field with the type of its values.
    /// - Throws: ``CatalogueError`` if the resource has no such aggregate.
    package func field(of aggregate: Aggregate) throws(CatalogueError) -> Field {
        guard let name = aggregate.field else { return Self.countField }
        let field = try requiredField(name)
        guard field.aggregateFunctions.contains(aggregate.function) else {
            throw CatalogueError("\(self.name) has no aggregate \(aggregate.name)")
        }
        return field.aggregated(by: aggregate.function)
    }

    /// The fields that can be keys of the groups of a resource with a to-one relation to this resource, as a whole or
    /// in parts.
    var relatedKeyFields: [Field] {
        fields.filter { $0.relation == nil && ($0.canBeGroupKey || !$0.keyParts.isEmpty) }
    }
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
        func keys(_ field: Field, _ source: Field, of relation: Relation?) -> [(key: GroupKey, field: Field)] {
            let parts: [DatePart?] = (source.canBeGroupKey ? [nil] : []) + source.keyParts.map(Optional.init)
            return parts.map { part in
                (GroupKey(source.name, of: relation?.name, part: part), part.map(field.key) ?? field)
            }
        }
        let own = resource.fields.flatMap { keys($0, $0, of: nil) }
        let related = groupRelations(of: resource).flatMap { relation, target in
            target.relatedKeyFields.flatMap { keys($0.key(of: relation), $0, of: relation) }
        }
        return own + related
    }

    /// The to-one relations whose fields can be keys of groups, with their targets.
    func groupRelations(of resource: Resource) -> [(relation: Relation, target: Resource)] {
        resource.relations.compactMap { relation in
            guard !relation.isToMany, let target = self[relation.target], !target.relatedKeyFields.isEmpty,
                relation.joins.isEmpty || relation.leadsToKey(of: target)
            else { return nil }
            return (relation, target)
        }
    }
}

extension Relation {
    /// True if the columns of the target in the relation contain the key of the target, so that they identify one row.
    fileprivate func leadsToKey(of target: Resource) -> Bool {
        target.hasKey && Set(columns.map(\.to)).isSuperset(of: target.keyFields.map(\.column))
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
