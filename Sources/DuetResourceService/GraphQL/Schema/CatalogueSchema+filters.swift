import DuetGraphQL

/// The input types of filters and orders.
extension CatalogueSchema {
    mutating func addFilter(of resource: Resource) throws {
        let type = GraphQLType(named: "\(resource.type)Filter")
        var members = [
            SchemaInputValue("and", .list(.nonNull(type)), description: "All of these hold."),
            SchemaInputValue("or", .list(.nonNull(type)), description: "At least one of these holds."),
            SchemaInputValue("not", type, description: "This condition must not hold."),
        ]
        for filter in resource.filters {
            let type = catalogue.field(of: filter, resource)?.type.graphQLName ?? "Boolean"
            members.append(
                SchemaInputValue(filter.name, GraphQLType(named: type), description: filter.description))
        }
        for field in resource.fields {
            members.append(
                SchemaInputValue(
                    field.name, GraphQLType(named: "\(field.type.graphQLName)Filter"), description: field.description))
        }
        for relation in resource.relations {
            let target = try self.resource(relation.target).resource.type
            members.append(
                SchemaInputValue(
                    relation.name, GraphQLType(named: "\(target)\(relation.isToMany ? "ListFilter" : "Filter")"),
                    description: relation.description))
        }
        types.append(
            .inputObject(
                InputObjectType(
                    "\(resource.type)Filter", fields: members,
                    description: "A condition on \(resource.name). All given members must hold.")))
        guard catalogue.hasLists(of: resource) else { return }
        types.append(
            .inputObject(
                InputObjectType(
                    "\(resource.type)ListFilter",
                    fields: [
                        SchemaInputValue("some", type, description: "At least one of the rows satisfies this."),
                        SchemaInputValue("none", type, description: "None of the rows satisfies this."),
                    ] + (resource.isAggregated ? Self.aggregateConditions(of: resource, type) : []),
                    description: "A condition on the \(resource.name) that belong to a row.")))
    }

    /// The cost of an aggregate of related rows in a filter or an order.
    private static let aggregateWeight = 1000.0

    /// Returns the members of the filter of a to-many relation that compare aggregates.
    private static func aggregateConditions(of target: Resource, _ filter: GraphQLType) -> [SchemaInputValue] {
        let rows = SchemaInputValue(
            FilterReader.filterMember, filter,
            description: "Selects the rows whose aggregates are compared. The default is all rows.")
        let count = SchemaInputValue(
            AggregateFunction.count.rawValue, GraphQLType(named: "IntFilter"), description: "The number of rows.",
            weight: aggregateWeight)
        return [rows, count]
            + target.comparedFields.map { field in
                SchemaInputValue(
                    field.name, GraphQLType(named: "\(field.type.aggregateTypeName)Filter"),
                    description: "The aggregates of `\(field.name)`: \(field.description)", weight: aggregateWeight)
            }
    }

    mutating func addSort(of resource: Resource) throws {
        let relations = resource.relationsInSort
        let aggregates = try relations.map { relation in
            SchemaInputValue(
                relation.name,
                GraphQLType(named: "\(try self.resource(relation.target).resource.type)AggregateInput"),
                description: "An aggregate of \(relation.name).", weight: Self.aggregateWeight)
        }
        let field = GraphQLType(named: "\(resource.type)SortField")
        let isOnlyChoice = relations.isEmpty
        let fields =
            resource.sortFields.isEmpty
            ? []
            : [
                SchemaInputValue(
                    SortArgument.field, isOnlyChoice ? .nonNull(field) : field,
                    description: isOnlyChoice ? "The field." : "The field. Either a field or an aggregate is required.")
            ]
        let direction = SchemaInputValue(
            SortArgument.direction, .nonNull(GraphQLType(named: "SortDirection")), default: .enum("ASCENDING"),
            description: "The direction.")
        types.append(
            .inputObject(
                InputObjectType(
                    "\(resource.type)Sort", fields: fields + aggregates + [direction],
                    description: "An order of \(resource.name).")))
        guard !resource.sortFields.isEmpty else { return }
        types.append(
            .enum(
                EnumType(
                    "\(resource.type)SortField",
                    values: resource.sortFields.map { name in
                        SchemaEnumValue(
                            name.screamingSnakeCase, description: resource.field(name)?.description ?? name)
                    }, description: "The fields that \(resource.name) can be sorted by.")))
    }

    mutating func addOperators() {
        let hasAggregates = catalogue.resources.contains(where: catalogue.hasAggregateType)
        if hasAggregates || catalogue.resources.contains(where: { !$0.sortFields.isEmpty }) {
            types.append(
                .enum(
                    EnumType(
                        "SortDirection",
                        values: [
                            SchemaEnumValue("ASCENDING", description: "The smallest value comes first."),
                            SchemaEnumValue("DESCENDING", description: "The greatest value comes first."),
                        ], description: "A direction of sorting.")))
        }
        var seen: Set<String> = []
        // Sums and averages have other types than their fields.
        let results: [FieldType] = hasAggregates ? [.integer(), .decimal(), .number] : []
        let aggregated = results.filter { catalogue.aggregateScalars.contains($0.graphQLName) }
        for fieldType in catalogue.resources.flatMap(\.fields).map(\.type) + aggregated
        where seen.insert(fieldType.graphQLName).inserted {
            let type = GraphQLType(named: fieldType.graphQLName)
            let comparisons = fieldType.comparisons.map { comparison in
                SchemaInputValue(
                    comparison.rawValue, comparison == .in ? .list(.nonNull(type)) : type,
                    description: comparison.description)
            }
            types.append(
                .inputObject(
                    InputObjectType(
                        "\(fieldType.graphQLName)Filter",
                        fields: comparisons + [
                            SchemaInputValue(
                                "null", .boolean, description: "True if the value is null, false if it is not null.")
                        ],
                        description:
                            "A condition on a field. All given members must hold. If the field is null, no comparison holds."
                    )))
        }
    }
}

extension Comparison {
    /// A sentence for the documentation.
    var description: String {
        switch self {
        case .equal: "Equal to this."
        case .notEqual: "Not equal to this."
        case .less: "Less than this."
        case .lessOrEqual: "Less than or equal to this."
        case .greater: "Greater than this."
        case .greaterOrEqual: "Greater than or equal to this."
        case .like: "Matches this pattern: `*` matches any characters, and `\\*` an asterisk. Case matters."
        case .in: "Equal to one of these."
        }
    }
}

extension String {
    /// The name in upper case with underscores: `HIRE_DATE` for `hireDate`.
    var screamingSnakeCase: String {
        var text = ""
        for character in self {
            if character.isUppercase, !text.isEmpty { text += "_" }
            text += character.uppercased()
        }
        return text
    }
}
