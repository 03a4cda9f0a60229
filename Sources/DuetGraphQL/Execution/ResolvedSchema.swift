/// A schema with its resolvers and options. Plans and executions refer to it.
///
/// The cached operations refer to this object. Unlike ``ExecutableSchema``, it therefore does not contain the cache of
/// operations.
final class ResolvedSchema: Sendable {
    let schema: Schema
    let options: ExecutionOptions
    let costModel: CostModel
    let cacheControl: CacheControl
    private let resolvers: ResolverTable

    /// - Throws: Errors for missing resolvers, for resolvers of undefined types and fields, and for invalid weights,
    ///   lengths of lists and cache hints.
    init<UserContext>(
        _ schema: Schema, resolvers given: SchemaResolvers<UserContext>, options: ExecutionOptions
    ) throws(GraphQLErrors) {
        self.schema = schema
        self.options = options
        costModel = if let given = options.costModel { given } else { try CostModel(schema) }
        cacheControl = try CacheControl(schema, defaultMaxAge: options.defaultMaxAge)
        var resolvers = given.table
        try resolvers.resolveRootTypes(of: schema)
        resolvers.addResolvers(of: schema, userContext: UserContext.self)
        let errors = ResolverCheck(resolvers, schema).errors
        if !errors.isEmpty { throw GraphQLErrors(errors) }
        self.resolvers = resolvers
    }

    // MARK: - Fields

    /// Returns the resolver of a field. If the field has no resolver, returns the resolver of this field in an
    /// interface, or the default resolver.
    /// - Parameter rootOperation: The type of the operation if `type` is its root type; otherwise nil.
    func resolver(
        of field: SchemaField, on type: ObjectType, rootOperation: OperationType?, source: Source, node: Field
    ) throws(GraphQLError) -> ErasedResolver {
        if field.name.hasPrefix("__") || type.name.hasPrefix("__") {
            if rootOperation != nil, field.name != schema.typeNameField.name, !options.isIntrospectionEnabled {
                throw GraphQLError(
                    "GraphQL introspection has been disabled, but the requested query contained the field \"\(field.name)\".",
                    locations: [source.location(of: node.range)])
            }
            if let resolve = IntrospectionResolvers.resolver(of: field.name, on: type.name) { return .sync(resolve) }
        }
        // A field without a resolver is always below a field with a subtree resolver, so it is not executed.
        return resolvers.resolver(of: field.name, on: type) ?? .sync { _, _ in .null }
    }

    // MARK: - Types

    /// The function of ``SchemaResolvers/isTypeOf(_:_:)`` for an object type.
    func typeTest(of type: ObjectType) -> (@Sendable (any Sendable) -> Bool)? {
        resolvers.typeTests.isEmpty ? nil : resolvers.typeTests[type.name]
    }

    /// Returns the object type of a source for an interface or a union (ResolveAbstractType).
    /// - Throws: An error if the type is unknown, or is not a possible type.
    func objectType(
        of source: any Sendable, as abstract: NamedType, field: PlannedField, _ operation: OperationContext
    ) throws -> ObjectType {
        guard let name = try typeName(of: source, as: abstract, operation) else {
            throw CompletionError(
                "Abstract type \"\(abstract.name)\" must resolve to an Object type at runtime for field \"\(field.coordinate)\". Bind the Swift type of the source to an object type with \"bind\", or return the name of the object type from \"resolveType\".",
                source: Swift.type(of: source))
        }
        guard let type = schema.type(named: name) else {
            throw CompletionError(
                "Abstract type \"\(abstract.name)\" was resolved to a type \"\(name)\" that does not exist inside the schema."
            )
        }
        guard case .object(let object) = type else {
            throw CompletionError("Abstract type \"\(abstract.name)\" was resolved to a non-object type \"\(name)\".")
        }
        guard schema.isSubtype(type, of: abstract) else {
            throw CompletionError("Runtime Object type \"\(name)\" is not a possible type for \"\(abstract.name)\".")
        }
        return object
    }

    /// Returns true if all sources of a Swift type are of the object type. In this case, the object type is not
    /// determined for each source.
    func isBound(_ sourceType: ObjectIdentifier, to type: ObjectType, as abstract: NamedType) -> Bool {
        boundType(of: sourceType, as: abstract) == type.name && resolvers.typeResolvers[abstract.name] == nil
            && resolvers.typeTests[type.name] == nil
    }

    /// Returns the object type that is bound to a Swift type; nil if there is none, or if several types are possible.
    private func boundType(of sourceType: ObjectIdentifier, as abstract: NamedType) -> String? {
        guard let names = resolvers.objectTypes[sourceType] else { return nil }
        if names.count == 1 { return names[0] }
        let possible = schema.possibleTypes(of: abstract).map(\.name).filter(names.contains)
        return possible.count == 1 ? possible[0] : nil
    }

    private func typeName(
        of source: any Sendable, as abstract: NamedType, _ operation: OperationContext
    ) throws -> String? {
        if let resolve = resolvers.typeResolvers[abstract.name], let name = try resolve(source, operation) {
            return name
        }
        if let name = boundType(of: ObjectIdentifier(type(of: source)), as: abstract) { return name }
        if let fields = source as? ObjectValue, case .string(let name)? = fields["__typename"] { return name }
        guard !resolvers.typeTests.isEmpty else { return nil }
        return schema.possibleTypes(of: abstract).first { resolvers.typeTests[$0.name]?(source) ?? false }?.name
    }
}
