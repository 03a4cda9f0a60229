import DuetGraphQL
import DuetSQLDatabase

/// The types of aggregates and groups.
extension CatalogueSchema {
    /// Adds the fields of `Query` that return aggregates and groups of a resource.
    mutating func addAggregates(
        of bound: BoundResource, to fields: inout [SchemaField],
        _ resolver: FieldResolver<any Sendable, any Sendable>?
    ) {
        let resource = bound.resource
        guard catalogue.hasAggregates(of: resource) else { return }
        let filter = SchemaInputValue(
            ListArgument.filter, GraphQLType(named: "\(resource.type)Filter"),
            description: "A condition that the rows must satisfy. The default is all rows.")
        fields.append(
            SchemaField(
                resource.aggregateName, GraphQLType(named: "\(resource.type)Aggregate"), arguments: [filter],
                description: "The aggregates of all \(resource.name) that match a filter.", weight: 4000,
                binding: QueryField.aggregate(bound), resolver: resolver))
        guard catalogue.hasGroups(of: resource) else { return }
        fields.append(
            SchemaField(
                resource.groupsName, GraphQLType(named: "\(resource.type)AggregateConnection"),
                arguments: Self.groupArguments(of: resource, filter),
                description: "The \(resource.name) that match a filter, in groups with equal keys.",
                weight: 4000,
                listSize: CostModel.ListSize(slicingArguments: [ListArgument.first], sizedFields: ["nodes"]),
                binding: QueryField.groups(bound), resolver: resolver))
    }

    /// Returns the field of a row's type that contains the aggregates of a to-many relation.
    func aggregateField(of relation: Relation, _ target: BoundResource) -> SchemaField {
        let type = target.resource.type
        let flags = target.flags.map { SchemaInputValue($0.name, .boolean, description: $0.description) }
        let filter = SchemaInputValue(
            ListArgument.filter, GraphQLType(named: "\(type)Filter"),
            description: "A condition that the rows must satisfy. The default is all rows.")
        return SchemaField(
            relation.aggregateName, .nonNull(GraphQLType(named: "\(type)Aggregate")), arguments: flags + [filter],
            description: "The aggregates of \(relation.name).",
            binding: RowField.aggregate(relation: relation.name, target))
    }

    private static func groupArguments(of resource: Resource, _ filter: SchemaInputValue) -> [SchemaInputValue] {
        let type = resource.type
        return [
            SchemaInputValue(
                GroupArgument.groupBy, .nonNull(.list(.nonNull(GraphQLType(named: "\(type)AggregateKeyInput")))),
                description: "The keys, 1 to \(Aggregation.maximumKeys)."), filter,
            SchemaInputValue(
                GroupArgument.having, GraphQLType(named: "\(type)AggregateFilter"),
                description: "A condition that the groups must satisfy. The default is all groups."),
            SchemaInputValue(
                GroupArgument.timeZone, .string,
                description:
                    "The IANA name of the time zone of the parts of points in time: `Europe/Paris`. The default is UTC."
            ),
            SchemaInputValue(
                ListArgument.orderBy, .list(.nonNull(GraphQLType(named: "\(type)AggregateOrder"))),
                description:
                    "The order of the groups. Keys that are not in it follow in ascending order. NULL is the smallest value."
            ),
            SchemaInputValue(
                ListArgument.first, .nonNull(.int), default: .int(Int64(ResourceService.defaultPageSize)),
                description: "The maximum number of groups on the page, 1 to \(ResourceService.maximumPageSize)."),
            SchemaInputValue(
                ListArgument.after, .string,
                description:
                    "The `endCursor` of the previous page of the same groups, with the same filter, condition and order."
            ),
        ]
    }

    /// Adds the types of a resource's aggregates.
    mutating func addAggregateTypes(of resource: Resource) {
        guard catalogue.hasAggregateType(resource) else { return }
        let (type, hint) = (resource.type, CacheHint(maxAge: resource.maxAge))
        let count = SchemaField(
            AggregateFunction.count.rawValue, .nonNull(.int), description: "The number of rows.",
            binding: GroupField.count)
        let aggregates =
            [count]
            + resource.aggregatedFields.map { field in
                SchemaField(
                    field.name, .nonNull(GraphQLType(named: field.type.aggregateTypeName)),
                    description: field.description, binding: GroupField.aggregates(of: field.name))
            }
        types.append(
            .object(
                ObjectType(
                    "\(type)Aggregate", fields: aggregates, description: "The aggregates of \(resource.name).",
                    cacheHint: hint)))
        if catalogue.hasGroups(of: resource) || catalogue.hasLists(of: resource) { addAggregateInput(of: resource) }
        guard catalogue.hasGroups(of: resource) else { return }
        let key = SchemaField(
            GroupField.keyName, .nonNull(GraphQLType(named: "\(type)AggregateKey")),
            description: "The keys of the group.", binding: GroupField.key)
        types.append(
            .object(
                ObjectType(
                    "\(type)AggregateGroup", fields: [key] + aggregates,
                    description: "A group of \(resource.name) with equal keys, and its aggregates.", cacheHint: hint)))
        let node = GraphQLType.nonNull(GraphQLType(named: "\(type)AggregateGroup"))
        types.append(
            .object(
                ObjectType(
                    "\(type)AggregateConnection",
                    fields: [
                        SchemaField(
                            "nodes", .nonNull(.list(node)), description: "The groups.", binding: PageField.nodes),
                        SchemaField(
                            "pageInfo", .nonNull(GraphQLType(named: "PageInfo")),
                            description: "The position of the page in its list.", binding: PageField.pageInfo),
                        SchemaField(
                            "totalCount", .nonNull(.int), description: "The number of groups on all pages.",
                            weight: 4000, binding: PageField.totalCount),
                    ], description: "A page of groups of \(resource.name).", cacheHint: hint)))
        addKeyTypes(of: resource, hint)
        addConditionType(of: resource)
        addOrderType(of: resource)
    }

    // MARK: Keys

    private mutating func addKeyTypes(of resource: Resource, _ hint: CacheHint) {
        let relations = catalogue.groupRelations(of: resource)
        let own = resource.fields.filter { $0.canBeGroupKey || !$0.keyParts.isEmpty }
        var fields = own.map(Self.key)
        var inputs = own.map { field in
            SchemaInputValue(
                field.name,
                GraphQLType(
                    named: field.keyParts.isEmpty ? "AggregateKeyPart" : "\(field.type.graphQLName)AggregateKeyPart"),
                description: field.description)
        }
        for relation in relations {
            let target = relation.target
            fields.append(
                SchemaField(
                    relation.relation.name, GraphQLType(named: "\(target.type)AggregateKeyFields"),
                    description: "\(relation.relation.description) Null if it is not a key of the groups.",
                    binding: GroupKeyField.relation(relation.relation.name)))
            inputs.append(
                SchemaInputValue(
                    relation.relation.name, GraphQLType(named: "\(target.type)AggregateKeyField"),
                    description: "A field of \(target.singular)."))
        }
        types.append(
            .object(
                ObjectType(
                    "\(resource.type)AggregateKey", fields: fields,
                    description: "The keys of a group of \(resource.name).", cacheHint: hint)))
        types.append(
            .inputObject(
                InputObjectType(
                    "\(resource.type)AggregateKeyInput", fields: inputs, isOneOf: true,
                    description: "A key of groups of \(resource.name): one of its fields, or a field of a related row.")
            ))
    }

    /// Returns the field of a key's value. A date is an object with its value and its parts.
    private static func key(_ field: Field) -> SchemaField {
        SchemaField(
            field.name,
            GraphQLType(
                named: field.keyParts.isEmpty ? field.type.graphQLName : "\(field.type.graphQLName)AggregateKey"),
            description: "\(field.description) Null if it is not a key of the groups.",
            binding: field.keyParts.isEmpty ? GroupKeyField.field(field.name) : .date(field.name))
    }

    /// Adds the types of the fields of a resource that are keys of groups of other resources.
    mutating func addRelatedKeyTypes(of resource: Resource) {
        guard catalogue.isGroupTarget(resource) else { return }
        let fields = resource.relatedKeyFields
        types.append(
            .object(
                ObjectType(
                    "\(resource.type)AggregateKeyFields",
                    fields: fields.map(Self.key),
                    description: "The fields of a related \(resource.singular) that are keys of a group.",
                    cacheHint: CacheHint(maxAge: resource.maxAge))))
        types.append(
            .enum(
                EnumType(
                    "\(resource.type)AggregateKeyField",
                    values: resource.relatedKeyConstants.map { constant, field, part in
                        SchemaEnumValue(constant, description: part?.description ?? field.description)
                    },
                    description:
                        "A field of a related \(resource.singular), or a part of a date, that can be a key of groups."))
        )
    }

    // MARK: Conditions and orders

    private mutating func addConditionType(of resource: Resource) {
        let type = GraphQLType(named: "\(resource.type)AggregateFilter")
        types.append(
            .inputObject(
                InputObjectType(
                    "\(resource.type)AggregateFilter",
                    fields: [
                        SchemaInputValue("and", .list(.nonNull(type)), description: "All of these hold."),
                        SchemaInputValue("or", .list(.nonNull(type)), description: "At least one of these holds."),
                        SchemaInputValue("not", type, description: "This condition must not hold."),
                        SchemaInputValue(
                            AggregateFunction.count.rawValue, GraphQLType(named: "IntFilter"),
                            description: "The number of rows."),
                    ]
                        + resource.aggregatedFields.map { field in
                            SchemaInputValue(
                                field.name, GraphQLType(named: "\(field.type.aggregateTypeName)Filter"),
                                description: field.description)
                        },
                    description: "A condition on groups of \(resource.name). All given members must hold.")))
    }

    /// Adds the type of an aggregate in the order of groups, or of rows to which the rows are related.
    private mutating func addAggregateInput(of resource: Resource) {
        types.append(
            .inputObject(
                InputObjectType(
                    "\(resource.type)AggregateInput",
                    fields: [
                        SchemaInputValue(
                            AggregateFunction.count.rawValue, GraphQLType(named: "AggregateKeyPart"),
                            description: "The number of rows.")
                    ]
                        + resource.aggregatedFields.map { field in
                            SchemaInputValue(
                                field.name, GraphQLType(named: AggregateKind(field.type).functionType),
                                description: field.description)
                        }, isOneOf: true, description: "An aggregate of \(resource.name).")))
    }

    private mutating func addOrderType(of resource: Resource) {
        types.append(
            .inputObject(
                InputObjectType(
                    "\(resource.type)AggregateOrder",
                    fields: [
                        SchemaInputValue(
                            GroupArgument.key, GraphQLType(named: "\(resource.type)AggregateKeyInput"),
                            description: "A key of the groups. Either a key or an aggregate is required."),
                        SchemaInputValue(
                            GroupArgument.aggregate, GraphQLType(named: "\(resource.type)AggregateInput"),
                            description: "An aggregate of the groups."),
                        SchemaInputValue(
                            GroupArgument.direction, .nonNull(GraphQLType(named: "SortDirection")),
                            default: .enum("ASCENDING"), description: "The direction."),
                    ], description: "An order of groups of \(resource.name).")))
    }

    // MARK: Common types

    /// Adds the types of dates as keys of groups.
    private mutating func addDateKeys() {
        var seen: Set<String> = []
        let resources = catalogue.resources.filter { catalogue.hasAggregates(of: $0) || catalogue.isGroupTarget($0) }
        for field in resources.flatMap(\.fields)
        where !field.keyParts.isEmpty && seen.insert(field.type.graphQLName).inserted {
            let name = field.type.graphQLName
            let value = SchemaField(
                "value", GraphQLType(named: name), description: "The value itself.", binding: GroupKeyField.part(nil))
            let parts = field.keyParts.map { part in
                SchemaField(
                    part.rawValue, part.isNumber ? .int : .string, description: part.description,
                    binding: GroupKeyField.part(part))
            }
            types.append(
                .object(
                    ObjectType(
                        "\(name)AggregateKey", fields: [value] + parts,
                        description: "A date that is a key of groups. Parts that are not keys are null.",
                        cacheHint: CacheHint(inheritsMaxAge: true))))
            let constants = field.keyParts.map {
                SchemaEnumValue($0.rawValue.screamingSnakeCase, description: $0.description)
            }
            // Fields of one type can differ in the format of their stored values.
            types.append(
                .enum(
                    EnumType(
                        "\(name)AggregateKeyPart",
                        values: [SchemaEnumValue("VALUE", description: "The value itself.")] + constants,
                        description: "The part of a date that is a key of groups.")))
        }
    }

    /// Adds the types of the aggregates of fields, which all resources use.
    mutating func addFieldAggregates() {
        let resources = catalogue.resources.filter(catalogue.hasAggregateType)
        guard !resources.isEmpty else { return }
        types.append(
            .enum(
                EnumType(
                    "AggregateKeyPart",
                    values: [SchemaEnumValue("VALUE", description: "The value itself.")],
                    description: "The part of a value that is used.")))
        addDateKeys()
        var seen: Set<String> = []
        for field in resources.flatMap(\.aggregatedFields) {
            let name = field.type.aggregateTypeName
            guard seen.insert(name).inserted else { continue }
            let aggregates = field.aggregateFunctions.map { ($0, field.aggregated(by: $0)) }
            types.append(
                .object(
                    ObjectType(
                        name,
                        fields: aggregates.map { function, result in
                            let type = GraphQLType(named: result.type.graphQLName)
                            return SchemaField(
                                function.rawValue, result.isNullable ? type : .nonNull(type),
                                description: function.description, binding: function)
                        }, description: "The aggregates of a field.", cacheHint: CacheHint(inheritsMaxAge: true))))
            types.append(
                .inputObject(
                    InputObjectType(
                        "\(name)Filter",
                        fields: aggregates.map { function, result in
                            SchemaInputValue(
                                function.rawValue, GraphQLType(named: "\(result.type.graphQLName)Filter"),
                                description: function.description)
                        }, description: "A condition on the aggregates of a field. All given members must hold.")))
            let kind = AggregateKind(field.type)
            guard seen.insert(kind.functionType).inserted else { continue }
            types.append(
                .enum(
                    EnumType(
                        kind.functionType,
                        values: field.aggregateFunctions.map {
                            SchemaEnumValue($0.rawValue.screamingSnakeCase, description: $0.description)
                        }, description: "The functions of a field.")))
        }
    }
}

extension Catalogue {
    /// True if the schema has the type of a resource's aggregates.
    func hasAggregateType(_ resource: Resource) -> Bool {
        guard resource.isAggregated else { return false }
        return hasAggregates(of: resource)
            || resources.contains { $0.relations.contains { $0.isToMany && $0.target == resource.name } }
    }

    /// True if the schema has the aggregates of all rows of a resource. A resource whose name is that of the field
    /// takes precedence.
    func hasAggregates(of resource: Resource) -> Bool {
        guard resource.isAggregated, resource.collection != .none else { return false }
        let names = [resource.aggregateName, resource.groupsName]
        return !resources.contains { other in names.contains(other.name) || names.contains(other.singular) }
    }

    /// True if the schema has groups of the rows of a resource, which need a key.
    func hasGroups(of resource: Resource) -> Bool { hasAggregates(of: resource) && !groupKeys(of: resource).isEmpty }

    /// The to-many relations whose aggregates the schema has.
    func aggregatedRelations(of resource: Resource) -> [Relation] {
        resource.relations.filter { relation in
            relation.isToMany && resource.field(relation.aggregateName) == nil
                && resource.relation(relation.aggregateName) == nil
                && self[relation.target].map(hasAggregateType) == true
        }
    }

    /// True if fields of the resource can be keys of groups of another resource.
    func isGroupTarget(_ resource: Resource) -> Bool {
        resources.contains { other in
            hasGroups(of: other) && groupRelations(of: other).contains { $0.target.name == resource.name }
        }
    }

    /// The names of the GraphQL types of all aggregates.
    var aggregateScalars: Set<String> {
        let aggregated = resources.filter(hasAggregateType).flatMap(\.aggregatedFields)
        guard !aggregated.isEmpty || resources.contains(where: hasAggregateType) else { return [] }
        let results = aggregated.flatMap { field in field.aggregateFunctions.map { field.aggregated(by: $0) } }
        return Set((results + [Resource.countField]).map(\.type.graphQLName))
    }
}

extension Resource {
    /// The name of the field of `Query` that returns the aggregates of all rows.
    var aggregateName: String { name + "Aggregate" }

    /// The name of the field of `Query` that returns groups.
    var groupsName: String { name + "Groups" }

    /// A constant of a key of groups of other resources.
    typealias RelatedKey = (constant: String, field: Field, part: DatePart?)

    /// The constants of the keys of groups of other resources: `ORDERED_ON` for a field, `ORDERED_ON_MONTH` for a part
    /// of a date. If a field has the name of a part, the constant is that of the field.
    var relatedKeyConstants: [RelatedKey] {
        let fields = relatedKeyFields
        let whole: [RelatedKey] = fields.filter(\.canBeGroupKey).map { ($0.name.screamingSnakeCase, $0, nil) }
        let parts: [RelatedKey] = fields.flatMap { field in
            field.keyParts.map { part -> RelatedKey in
                ("\(field.name.screamingSnakeCase)_\(part.rawValue.screamingSnakeCase)", field, part)
            }
        }
        let names = Set(whole.map(\.constant))
        return whole + parts.filter { !names.contains($0.constant) }
    }

    /// The fields that have aggregates in GraphQL. The names `count` and `key` have another meaning there.
    var aggregatedFields: [Field] {
        fields.filter {
            $0.isAggregated && $0.name != AggregateFunction.count.rawValue && $0.name != GroupField.keyName
        }
    }
}

extension Relation {
    /// The name of the member with the aggregates of the rows.
    var aggregateName: String { name + "Aggregate" }
}
