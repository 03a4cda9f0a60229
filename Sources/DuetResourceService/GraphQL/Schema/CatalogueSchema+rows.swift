import DuetGraphQL

/// The types of rows and pages, and the arguments of lists.
extension CatalogueSchema {
    mutating func addRow(of resource: Resource) throws {
        var fields: [SchemaField] = []
        if resource.hasIdentifier {
            fields.append(
                SchemaField(
                    "id", .nonNull(.id), description: "The key as a text, unique among \(resource.name).",
                    binding: RowField.identifier))
        }
        for field in resource.fields {
            let type = GraphQLType(named: field.type.graphQLName)
            // A JSON value can be `null` even in a column that is not nullable.
            fields.append(
                SchemaField(
                    field.name, field.isNullable || field.type == .json ? type : .nonNull(type),
                    description: field.description, binding: RowField.field(field.name)))
        }
        for relation in resource.relations { fields.append(try self.field(of: relation)) }
        for relation in catalogue.aggregatedRelations(of: resource) {
            fields.append(aggregateField(of: relation, try self.resource(relation.target)))
        }
        if resource.hasEntityTag {
            fields.append(
                SchemaField(
                    Resource.entityTagName, .nonNull(.string),
                    description:
                        "The entity tag of the row, for `ifMatch` of mutations and `If-Match` of REST. It changes with each change of the row that the caller can see.",
                    binding: RowField.entityTag))
        }
        types.append(
            .object(
                ObjectType(
                    resource.type, fields: fields, description: resource.description,
                    cacheHint: CacheHint(maxAge: resource.maxAge))))
    }

    private func field(of relation: Relation) throws -> SchemaField {
        let target = try resource(relation.target)
        let type = GraphQLType(named: target.resource.type)
        switch relation.size {
        case .one(let isOptional):
            return SchemaField(
                relation.name, isOptional ? type : .nonNull(type), description: relation.description,
                binding: RowField.item(relation: relation.name))
        case .few(let typical):
            return SchemaField(
                relation.name, .nonNull(.list(.nonNull(type))),
                arguments: Self.listArguments(of: target, size: nil, isRelation: true),
                description: relation.description, listSize: Self.listSize(typical),
                binding: RowField.list(relation: relation.name, target))
        case .many(let size):
            return SchemaField(
                relation.name, .nonNull(GraphQLType(named: "\(target.resource.type)Connection")),
                arguments: Self.listArguments(of: target, size: size, isRelation: true),
                description: relation.description, listSize: Self.pageSize(target.resource),
                binding: RowField.page(relation: relation.name, target, size: size))
        }
    }

    // MARK: Lists

    /// Returns the arguments of a field whose value is a list.
    /// - Parameter size: The default size of a page; nil for a list without pages.
    static func listArguments(
        of bound: BoundResource, size: Int?, isRelation: Bool = false
    ) -> [SchemaInputValue] {
        let resource = bound.resource
        let maximum = ResourceService.maximumPageSize
        var arguments: [SchemaInputValue] = []
        if isRelation {
            arguments += bound.flags.map { SchemaInputValue($0.name, .boolean, description: $0.description) }
        }
        if let size {
            arguments.append(
                SchemaInputValue(
                    ListArgument.first, .nonNull(.int), default: .int(Int64(size)),
                    description: "The maximum number of rows on the page, 1 to \(maximum)."))
            if resource.hasKey {
                arguments.append(
                    SchemaInputValue(
                        ListArgument.after, .string,
                        description:
                            "The `endCursor` of the previous page of the same list, with the same filter and order."))
            }
        } else {
            arguments.append(
                SchemaInputValue(
                    ListArgument.first, .int,
                    description: "The maximum number of rows, 1 to \(maximum); by default, all rows."))
        }
        arguments.append(
            SchemaInputValue(
                ListArgument.filter, GraphQLType(named: "\(resource.type)Filter"),
                description: "A condition that the rows must satisfy. The default is all rows."))
        guard resource.isSortedInGraphQL else { return arguments }
        let sort = GraphQLType(named: "\(resource.type)Sort")
        if size != nil, !isRelation {
            arguments.append(
                SchemaInputValue(
                    ListArgument.sort, sort,
                    description: "The sort order by one value. For several values, use `orderBy`."))
        }
        let ties = resource.hasKey ? "sorted by the key" : "in an arbitrary order"
        arguments.append(
            SchemaInputValue(
                ListArgument.orderBy, .list(.nonNull(sort)),
                description: "The sort order. Rows with equal values are \(ties). NULL is the smallest value."))
        return arguments
    }

    /// Returns the length of a list without pages.
    static func listSize(_ typical: Int) -> CostModel.ListSize {
        CostModel.ListSize(
            assumedSize: typical, slicingArguments: [ListArgument.first], requiresOneSlicingArgument: false)
    }

    /// Returns the length of a list with pages.
    static func pageSize(_ resource: Resource) -> CostModel.ListSize {
        CostModel.ListSize(
            slicingArguments: [ListArgument.first], sizedFields: resource.hasKey ? ["edges", "nodes"] : ["nodes"])
    }

    // MARK: Pages

    mutating func addConnection(of resource: Resource) {
        let row = GraphQLType.nonNull(GraphQLType(named: resource.type))
        var fields: [SchemaField] = []
        if resource.hasKey {
            fields.append(
                SchemaField(
                    "edges", .nonNull(.list(.nonNull(GraphQLType(named: "\(resource.type)Edge")))),
                    description: "The rows with their cursors.", binding: PageField.edges))
        }
        fields += [
            SchemaField(
                "nodes", .nonNull(.list(row)), description: "The rows without cursors.", binding: PageField.nodes),
            SchemaField(
                "pageInfo", .nonNull(GraphQLType(named: "PageInfo")),
                description: "The position of the page in its list.", binding: PageField.pageInfo),
            SchemaField(
                "totalCount", .nonNull(.int),
                description: "The number of rows on all pages. The rows are counted only if this field is selected.",
                weight: 4000, binding: PageField.totalCount),
        ]
        types.append(
            .object(
                ObjectType(
                    "\(resource.type)Connection", fields: fields,
                    description: resource.hasKey
                        ? "A page of \(resource.name) (Relay cursor connections specification)."
                        : "The first rows of \(resource.name), which has no key and therefore no cursors.",
                    cacheHint: CacheHint(maxAge: resource.maxAge))))
        guard resource.hasKey else { return }
        types.append(
            .object(
                ObjectType(
                    "\(resource.type)Edge",
                    fields: [
                        SchemaField(
                            "cursor", .nonNull(.string),
                            description: "The row's position in the list, for the argument `after`.",
                            binding: EdgeField.cursor),
                        SchemaField("node", row, description: "The row.", binding: EdgeField.node),
                    ], description: "A row of a page of \(resource.name).",
                    cacheHint: CacheHint(inheritsMaxAge: true))))
    }

    mutating func addPageInfo() {
        types.append(
            .object(
                ObjectType(
                    "PageInfo",
                    fields: [
                        SchemaField(
                            "hasNextPage", .nonNull(.boolean), description: "True if there are rows after this page.",
                            binding: PageInfoField.hasNextPage),
                        SchemaField(
                            "hasPreviousPage", .nonNull(.boolean),
                            description: "True if `after` was given, so that there may be rows before this page.",
                            binding: PageInfoField.hasPreviousPage),
                        SchemaField(
                            "startCursor", .string, description: "The cursor of the first row; null on an empty page.",
                            binding: PageInfoField.startCursor),
                        SchemaField(
                            "endCursor", .string, description: "The cursor of the last row; null on an empty page.",
                            binding: PageInfoField.endCursor),
                    ], description: "The position of a page in its list.", cacheHint: CacheHint(inheritsMaxAge: true),
                    weight: 0)))
    }

    // MARK: Enumerations

    mutating func addChoices() {
        var seen: Set<String> = []
        for field in catalogue.resources.flatMap(\.fields) {
            guard case .choice(let choice) = field.type, seen.insert(choice.name).inserted else { continue }
            types.append(
                .enum(
                    EnumType(
                        choice.name,
                        values: choice.values.map { SchemaEnumValue($0.name, description: $0.description) },
                        description: choice.description)))
        }
    }
}

extension Resource {
    /// The arguments of the root field that returns one row. If the key has one field, and no other field is named
    /// `id`, the only argument is `id`. Otherwise, each field of the key has an argument.
    package var itemArguments: [(name: String, field: Field)] {
        let fields = keyFields
        let isIdentifier = fields.count == 1 && (fields[0].name == "id" || field("id") == nil)
        return isIdentifier ? [("id", fields[0])] : fields.map { ($0.name, $0) }
    }
}

extension FieldType {
    /// The name of the GraphQL type.
    package var graphQLName: String {
        switch self {
        case .integer(let range):
            Self.wholeNumbers.contains(range.lowerBound) && Self.wholeNumbers.contains(range.upperBound)
                ? "Int" : "SafeInt"
        case .bigInteger: "BigInt"
        case .number: "Float"
        case .decimal: "Decimal"
        case .boolean: "Boolean"
        case .text: "String"
        case .date: "Date"
        case .dateTime(let isUTC, _): isUTC ? "DateTime" : "LocalDateTime"
        case .time: "Time"
        case .binary: "Base64"
        case .json: "JSON"
        case .uuid: "UUID"
        case .any: "Any"
        case .identifier: "ID"
        case .choice(let choice): choice.name
        }
    }
}
