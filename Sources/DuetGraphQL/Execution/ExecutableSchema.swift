/// A schema with the resolvers and options to execute operations.
public final class ExecutableSchema: Sendable {
    /// The schema.
    public let schema: Schema
    /// The options of execution.
    public let options: ExecutionOptions
    /// The weights of fields and the sizes of lists.
    public let costModel: CostModel
    /// The maximum ages and scopes of fields in a cached response.
    public let cacheControl: CacheControl
    private let resolvers: SchemaResolvers

    /// Makes an executable schema.
    /// - Throws: errors for resolvers of undefined types and fields, and for invalid arguments of `@cost`, `@listSize` and
    ///   `@cacheControl`.
    public init(
        _ schema: Schema, resolvers: SchemaResolvers = SchemaResolvers(), options: ExecutionOptions = ExecutionOptions()
    ) throws(GraphQLErrors) {
        self.schema = schema
        self.resolvers = resolvers
        self.options = options
        costModel = if let given = options.costModel { given } else { try CostModel(schema) }
        cacheControl = try CacheControl(schema, defaultMaxAge: options.defaultMaxAge)
        let errors = Self.unknownNames(in: resolvers, schema)
        if !errors.isEmpty { throw GraphQLErrors(errors) }
    }

    private static func unknownNames(in resolvers: SchemaResolvers, _ schema: Schema) -> [GraphQLError] {
        var errors: [GraphQLError] = []
        for (typeName, fields) in resolvers.fields.sorted(by: { $0.key < $1.key }) {
            guard let type = schema.type(named: typeName), type.fields != nil else {
                errors.append(GraphQLError("There are resolvers for \"\(typeName)\", which is no type with fields."))
                continue
            }
            for name in fields.keys.sorted() where type.fields?[name] == nil {
                errors.append(GraphQLError("There is a resolver for \"\(typeName).\(name)\", which is no field."))
            }
        }
        for name in resolvers.typeResolvers.keys.sorted() where schema.type(named: name)?.isAbstract != true {
            errors.append(GraphQLError("There is a type resolver for \"\(name)\", which is no interface or union."))
        }
        for name in Set(resolvers.typeTests.keys).union(resolvers.sourceTypes.values).sorted() {
            if case .object? = schema.type(named: name) { continue }
            errors.append(GraphQLError("There are sources for \"\(name)\", which is no object type."))
        }
        return errors
    }

    // MARK: - Resolvers

    /// A field's resolver: its own, that of the field in an interface, or the default resolver.
    /// - Parameter rootOperation: the operation's kind if `type` is its root type.
    func resolver(
        of field: SchemaField, on type: ObjectType, rootOperation: OperationType?, source: Source, node: Field
    ) throws(GraphQLError) -> FieldResolver {
        if field.name.hasPrefix("__") || type.name.hasPrefix("__") {
            if rootOperation != nil, field.name != schema.typeNameField.name, !options.isIntrospectionEnabled {
                throw GraphQLError(
                    "GraphQL introspection has been disabled, but the requested query contained the field \"\(field.name)\".",
                    locations: [source.location(of: node.range)])
            }
            if let resolve = IntrospectionResolvers.resolver(of: field.name, on: type.name) { return .sync(resolve) }
        }
        if let own = resolvers[type.name, field.name] { return own }
        for interface in type.interfaces {
            if let inherited = resolvers[interface.name, field.name] { return inherited }
        }
        return resolvers.defaultResolver
    }

    /// The function of ``SchemaResolvers/isTypeOf(_:_:)`` for an object type.
    func typeTest(of type: ObjectType) -> SchemaResolvers.TypeTest? {
        resolvers.typeTests.isEmpty ? nil : resolvers.typeTests[type.name]
    }

    /// ResolveAbstractType: the object type of a source for an interface or a union.
    /// - Throws: an error if the type is unknown, or is not a possible type.
    func objectType(
        of source: any Sendable, as abstract: NamedType, field: PlannedField, _ operation: OperationContext
    ) throws -> ObjectType {
        guard let name = try typeName(of: source, as: abstract, operation) else {
            throw GraphQLError(
                "Abstract type \"\(abstract.name)\" must resolve to an Object type at runtime for field \"\(field.parentType.name).\(field.name)\". Either the \"\(abstract.name)\" type should provide a \"resolveType\" function or each possible type should provide an \"isTypeOf\" function."
            )
        }
        guard let type = schema.type(named: name) else {
            throw GraphQLError(
                "Abstract type \"\(abstract.name)\" was resolved to a type \"\(name)\" that does not exist inside the schema."
            )
        }
        guard case .object(let object) = type else {
            throw GraphQLError("Abstract type \"\(abstract.name)\" was resolved to a non-object type \"\(name)\".")
        }
        guard schema.isSubtype(type, of: abstract) else {
            throw GraphQLError("Runtime Object type \"\(name)\" is not a possible type for \"\(abstract.name)\".")
        }
        return object
    }

    /// Returns true if all sources of a Swift type are of the object type, so that no function must be called for each of them.
    func isBound(_ sourceType: ObjectIdentifier, to type: ObjectType, as abstract: NamedType) -> Bool {
        resolvers.sourceTypes[sourceType] == type.name && resolvers.typeResolvers[abstract.name] == nil
            && resolvers.typeTests[type.name] == nil
    }

    private func typeName(
        of source: any Sendable, as abstract: NamedType, _ operation: OperationContext
    ) throws -> String? {
        if let resolve = resolvers.typeResolvers[abstract.name], let name = try resolve(source, operation) {
            return name
        }
        if let name = resolvers.sourceTypes[ObjectIdentifier(type(of: source))] { return name }
        if let fields = source as? ObjectValue, case .string(let name)? = fields["__typename"] { return name }
        guard !resolvers.typeTests.isEmpty else { return nil }
        return schema.possibleTypes(of: abstract).first { resolvers.typeTests[$0.name]?(source) ?? false }?.name
    }
}
