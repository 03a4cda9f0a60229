import DuetGraphQL
import DuetResultSetJSON

/// Creates the GraphQL schema of a catalogue. Each field has a binding, from which the resolvers know the part of the
/// catalogue that the field returns.
struct CatalogueSchema {
    let catalogue: Catalogue
    private let dates: DateEncoding
    /// The resources by name.
    private let resources: [String: BoundResource]
    var types: [NamedType] = []

    /// Returns the schema of a catalogue.
    /// - Parameters:
    ///   - dates: The format of dates.
    ///   - query: The resolver of the fields of `Query`; nil if the schema is not executed.
    ///   - mutation: The resolver of the fields of `Mutation`; nil if the schema is not executed.
    ///   - subscription: The resolver of the fields of `Subscription`. If it is nil, a schema that is executed has no
    ///     subscriptions.
    /// - Throws: `GraphQLErrors` if the names in the catalogue do not result in a valid schema.
    static func schema(
        of catalogue: Catalogue, dates: DateEncoding = .iso, query: (any SubtreeResolver)? = nil,
        mutation: (any SubtreeResolver)? = nil, subscription: FieldResolver<any Sendable, any Sendable>? = nil
    ) throws -> Schema {
        var schema = CatalogueSchema(catalogue, dates: dates)
        let hasSubscriptions = query == nil || subscription != nil
        try schema.addTypes(query: query, mutation: mutation)
        if hasSubscriptions { try schema.addSubscription(subscription) }
        return try Schema(
            types: schema.types,
            directives: [deferDirective, streamDirective, CacheControl.directive]
                + (catalogue.hasDerivedWrites ? [transactionDirective] : []) + CostModel.directives,
            query: "Query", mutation: catalogue.writes.isEmpty ? nil : "Mutation",
            subscription: hasSubscriptions ? "Subscription" : nil,
            description: catalogue.description)
    }

    private init(_ catalogue: Catalogue, dates: DateEncoding) {
        self.catalogue = catalogue
        self.dates = dates
        resources = Dictionary(
            catalogue.resources.map { ($0.name, BoundResource($0)) }, uniquingKeysWith: { first, _ in first })
    }

    private mutating func addTypes(query: (any SubtreeResolver)?, mutation: (any SubtreeResolver)?) throws {
        types += CustomScalar.used(by: catalogue).map { .scalar($0.type(dates)) }
        types.append(
            .object(
                ObjectType(
                    "Query", fields: try rootFields(query.map { .subtree($0) }),
                    description: "The data that can be read.")))
        for resource in catalogue.resources {
            try addRow(of: resource)
            try addFilter(of: resource)
            if resource.isSortedInGraphQL { try addSort(of: resource) }
            addAggregateTypes(of: resource)
            addRelatedKeyTypes(of: resource)
        }
        addFieldAggregates()
        addChoices()
        let pages = catalogue.resources.filter { $0.isPaged || catalogue.hasPages(of: $0) }
        for resource in pages { addConnection(of: resource) }
        if !pages.isEmpty || catalogue.resources.contains(where: catalogue.hasAggregates) { addPageInfo() }
        addOperators()
        try addMutations(mutation.map { .subtree($0) })
        types.append(.enum(CacheControl.scopeType))
    }

    private mutating func addSubscription(_ resolver: FieldResolver<any Sendable, any Sendable>?) throws {
        types.append(
            .object(
                ObjectType(
                    "Subscription", fields: try rootFields(resolver),
                    description:
                        "The data that can be watched. A response contains the value of the field; another response follows each time the value has changed."
                )))
    }

    /// Returns the resource with the name.
    func resource(_ name: String) throws(CatalogueError) -> BoundResource {
        guard let resource = resources[name] else { throw CatalogueError("there is no resource \(name)") }
        return resource
    }

    // MARK: Query

    /// Returns the fields of `Query` or `Subscription`.
    private mutating func rootFields(
        _ resolver: FieldResolver<any Sendable, any Sendable>?
    ) throws -> [SchemaField] {
        var fields: [SchemaField] = []
        for resource in catalogue.resources {
            let bound = try self.resource(resource.name)
            let type = GraphQLType(named: resource.type)
            if resource.hasItems {
                fields.append(
                    SchemaField(
                        resource.singular, type, arguments: Self.keyArguments(of: resource),
                        description: "One \(resource.singular), by its key; null if it does not exist.",
                        binding: QueryField.item(bound), resolver: resolver))
            }
            switch resource.collection {
            case .none: break
            case .few(let typical):
                fields.append(
                    SchemaField(
                        resource.name, .list(.nonNull(type)), arguments: Self.listArguments(of: bound, size: nil),
                        description: "All \(resource.name), by default ordered by their keys.",
                        listSize: Self.listSize(typical), binding: QueryField.list(bound), resolver: resolver))
            case .pages(let size):
                fields.append(
                    SchemaField(
                        resource.name, GraphQLType(named: "\(resource.type)Connection"),
                        arguments: Self.listArguments(of: bound, size: size),
                        description: "The \(resource.name) in pages.", listSize: Self.pageSize(resource),
                        binding: QueryField.page(bound, size: size), resolver: resolver))
            }
            addAggregates(of: bound, to: &fields, resolver)
        }
        return fields
    }

    /// Returns the arguments that identify a row.
    static func keyArguments(of resource: Resource) -> [SchemaInputValue] {
        resource.itemArguments.map { name, field in
            SchemaInputValue(
                name, .nonNull(name == "id" ? .id : GraphQLType(named: field.type.graphQLName)),
                description: field.description)
        }
    }

    // MARK: Directives

    private static let deferDirective = SchemaDirective(
        "defer", on: [.fragmentSpread, .inlineFragment],
        arguments: [
            SchemaInputValue(
                "if", .nonNull(.boolean), default: .bool(true), description: "True to deliver the fields later."),
            SchemaInputValue("label", .string, description: "The name of the part."),
        ],
        description:
            "Delivers the fields of a fragment later, in a separate part of the response, if the client accepts parts.")

    private static let streamDirective = SchemaDirective(
        "stream", on: [.field],
        arguments: [
            SchemaInputValue(
                "if", .nonNull(.boolean), default: .bool(true), description: "True to deliver the items later."),
            SchemaInputValue("label", .string, description: "The name of the parts."),
            SchemaInputValue(
                "initialCount", .nonNull(.int), default: .int(0), description: "The number of items in the first part."),
        ],
        description:
            "Delivers the items of a list later, in separate parts of the response. The server reads lists as a whole, so it delivers all items at once."
    )
}

extension GraphQLType {
    static let int = GraphQLType(named: "Int")
    static let string = GraphQLType(named: "String")
    static let boolean = GraphQLType(named: "Boolean")
    static let id = GraphQLType(named: "ID")

    /// Creates a type from the name of a type.
    init(named name: String) { self = .named(TypeName(name)) }
}
