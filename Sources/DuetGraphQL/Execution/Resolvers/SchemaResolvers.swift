/// The resolvers of a schema's fields, and the functions that determine the object types for interfaces and unions. The
/// *source* of an object is its Swift value, which the resolvers of its fields receive.
///
/// `UserContext` is the type of the value that each execution passes to its resolvers, such as a database or a user. It
/// is `Void` if the resolvers need no such value.
///
///     var resolvers = SchemaResolvers(userContext: Library.self)
///     resolvers.query { query in
///         query["books"] = .async { _, context in try await context.userContext.books() }
///     }
///     resolvers.bind(Book.self, to: "Book") { book in
///         book["title"] = .property(\.title)
///     }
///
/// A field that was created in code can also contain its resolver (``SchemaField``). ``ExecutableSchema`` rejects a
/// schema if a field has no resolver. Fields that are reachable only below a subtree resolver, and fields of
/// unreachable types, need no resolver.
public struct SchemaResolvers<UserContext: Sendable>: Sendable {
    /// A function that returns the name of a source's object type; nil if the object type is unknown.
    public typealias TypeResolver = @Sendable (_ source: any Sendable, _ context: OperationContext) throws -> String?
    /// A function that returns true if a source is of an object type.
    public typealias TypeTest = @Sendable (_ source: any Sendable) -> Bool

    private(set) var table = ResolverTable()

    /// Creates an empty set of resolvers.
    /// - Parameter userContext: The type of the user context.
    public init(userContext: UserContext.Type) {}

    // MARK: - Fields

    /// The resolver of a field, for sources of any type.
    public subscript(type: String, field: String) -> FieldResolver<any Sendable, UserContext>? {
        get { self[type, field, on: (any Sendable).self] }
        set { self[type, field, on: (any Sendable).self] = newValue }
    }

    /// The resolver of a field, for sources of a Swift type.
    public subscript<Source: Sendable>(
        type: String, field: String, on source: Source.Type
    ) -> FieldResolver<Source, UserContext>? {
        get { table.fields[type]?[field].map(FieldResolver.init(erased:)) }
        set { table.fields[type, default: [:]][field] = newValue?.erased }
    }

    /// Adds resolvers to the fields of the query type. Their source is the root value. A resolver with the source type
    /// `Void` accepts and ignores any root value.
    public mutating func query(_ fields: (inout ObjectResolvers<Void, UserContext>) -> Void) {
        root(.query, fields)
    }

    /// Adds resolvers to the fields of the mutation type. Their source is the root value. A resolver with the source
    /// type `Void` accepts and ignores any root value.
    public mutating func mutation(_ fields: (inout ObjectResolvers<Void, UserContext>) -> Void) {
        root(.mutation, fields)
    }

    /// Adds resolvers to the fields of the subscription type, such as ``FieldResolver/events(_:)``.
    public mutating func subscription(_ fields: (inout ObjectResolvers<Void, UserContext>) -> Void) {
        root(.subscription, fields)
    }

    private mutating func root(
        _ operation: OperationType, _ fields: (inout ObjectResolvers<Void, UserContext>) -> Void
    ) {
        var added = ObjectResolvers<Void, UserContext>()
        fields(&added)
        table.rootFields[operation, default: [:]].merge(added.erased) { $1 }
    }

    // MARK: - Types

    /// Maps a Swift type of sources to an object type, and adds resolvers to the fields of the object type.
    ///
    /// If the type of a field is an interface or a union, a source of this Swift type resolves to this object type. A
    /// later resolver of a field replaces an earlier resolver.
    public mutating func bind<Source: Sendable>(
        _ source: Source.Type, to objectType: String,
        _ fields: (inout ObjectResolvers<Source, UserContext>) -> Void = { _ in }
    ) {
        var added = ObjectResolvers<Source, UserContext>()
        fields(&added)
        table.bind(source, to: objectType, fields: added.erased)
    }

    /// Maps a Swift enumeration to an enum of the schema. The raw values of the cases are the names of the enum values.
    /// ``ExecutableSchema`` rejects the schema if the names differ.
    public mutating func bind<Enumeration: CaseIterable & RawRepresentable<String>>(
        _ enumeration: Enumeration.Type, toEnum name: String
    ) {
        table.enumValues[name] = Enumeration.allCases.map(\.rawValue)
    }

    /// Sets the function that returns the name of a source's object type if the type of a field is an interface or a
    /// union. It takes precedence over ``bind(_:to:_:)``, and replaces the functions that were set before for the
    /// interface or union.
    public mutating func resolveType(of abstractType: String, _ resolve: @escaping TypeResolver) {
        table.typeResolvers[abstractType] = resolve
    }

    /// Sets the function that returns the name of the object type for sources of one Swift type, if the type of a field
    /// is an interface or a union. The function returns nil if the object type is unknown. It takes precedence over
    /// ``bind(_:to:_:)``.
    ///
    ///     resolvers.resolveType(of: "SearchResult", from: Item.self) { item, userContext in
    ///         item.isFilm ? "Film" : "Book"
    ///     }
    ///
    /// The function is not called for a source of another Swift type. The object type of such a source is determined
    /// by the functions that were set before, or by ``bind(_:to:_:)``.
    public mutating func resolveType<Source: Sendable>(
        of abstractType: String, from source: Source.Type,
        _ resolve: @escaping @Sendable (_ source: Source, _ userContext: UserContext) throws -> String?
    ) {
        let previous = table.typeResolvers[abstractType]
        table.typeResolvers[abstractType] = { source, operation in
            guard let source = SourceCast.exactly(source, as: Source.self) ?? (source as? Source) else {
                return try previous?(source, operation)
            }
            return try resolve(source, operation.userContext(as: UserContext.self))
        }
    }

    /// Sets the function that returns true if a source is of an object type. If the type of an object is this object
    /// type but the function returns false, the field has an error. For an interface or a union, the function also
    /// determines the object type of a source if no other function or binding determines it.
    public mutating func isTypeOf(_ objectType: String, _ test: @escaping TypeTest) {
        table.typeTests[objectType] = test
    }

    // MARK: - The default resolver

    /// The resolver of all fields that have no other resolver; nil if each executable field must have a resolver.
    public var defaultResolver: FieldResolver<any Sendable, UserContext>? {
        get { table.defaultResolver.map(FieldResolver.init(erased:)) }
        set { table.defaultResolver = newValue?.erased }
    }

    /// Sets the resolver of all fields of the given types that have no other resolver. The default is
    /// ``FieldResolver/byName``, for sources that are an `ObjectValue` or a ``FieldSource``.
    public mutating func setDefaultResolver(
        _ resolver: FieldResolver<any Sendable, UserContext> = .byName, for types: String...
    ) {
        for type in types { table.defaultResolvers[type] = resolver.erased }
    }
}

extension SchemaResolvers where UserContext == Void {
    /// Creates an empty set of resolvers without a user context.
    public init() { self.init(userContext: Void.self) }
}

/// The resolvers of an object type's fields, for sources of a Swift type.
public struct ObjectResolvers<Source: Sendable, UserContext: Sendable> {
    private(set) var erased: [String: ErasedResolver] = [:]

    init() {}

    /// The resolver of a field.
    public subscript(field: String) -> FieldResolver<Source, UserContext>? {
        get { erased[field].map(FieldResolver.init(erased:)) }
        set { erased[field] = newValue?.erased }
    }
}

/// The content of ``SchemaResolvers``, with type-erased resolvers.
struct ResolverTable: Sendable {
    var fields: [String: [String: ErasedResolver]] = [:]
    var rootFields: [OperationType: [String: ErasedResolver]] = [:]
    var typeResolvers: [String: @Sendable (any Sendable, OperationContext) throws -> String?] = [:]
    var typeTests: [String: @Sendable (any Sendable) -> Bool] = [:]
    var defaultResolver: ErasedResolver?
    var defaultResolvers: [String: ErasedResolver] = [:]
    /// The object types that are bound to each Swift type of sources.
    private(set) var objectTypes: [ObjectIdentifier: [String]] = [:]
    /// The Swift types that are bound to each object type.
    private(set) var boundTypes: [String: [any Any.Type]] = [:]
    /// For each object type, true if all Swift types that are bound to the object type resolve their fields by name.
    private(set) var namedSources: [String: Bool] = [:]
    /// The Swift types of the resolvers that ``bind(_:to:fields:)`` set, by object type and field.
    private var boundFields: [String: [String: ObjectIdentifier]] = [:]
    /// The errors about fields with resolvers for two Swift types, and about resolvers for another user context.
    private(set) var conflicts: [String] = []
    /// The raw values of the bound Swift enumerations, by the name of the enum.
    var enumValues: [String: [String]] = [:]

    mutating func bind<Source: Sendable>(
        _ source: Source.Type, to objectType: String, fields added: [String: ErasedResolver]
    ) {
        for (field, resolver) in added {
            if let other = boundFields[objectType]?[field], other != ObjectIdentifier(source) {
                conflicts.append(
                    "The field \"\(field)\" of \"\(objectType)\" has resolvers for \(source) and for another Swift type. A field can have only one resolver. Create it for a common type of both Swift types, as in resolvers[\"\(objectType)\", \"\(field)\"] = …."
                )
            }
            boundFields[objectType, default: [:]][field] = ObjectIdentifier(source)
            fields[objectType, default: [:]][field] = resolver
        }
        if objectTypes[ObjectIdentifier(source)]?.contains(objectType) != true {
            objectTypes[ObjectIdentifier(source), default: []].append(objectType)
            boundTypes[objectType, default: []].append(source)
        }
        let isNamed = source is any FieldSource.Type || source == ObjectValue.self
        namedSources[objectType] = isNamed && namedSources[objectType] ?? true
    }

    /// Moves the resolvers of root fields to ``fields``, under the names of the schema's root types.
    /// - Throws: An error if the schema does not support an operation type that has resolvers.
    mutating func resolveRootTypes(of schema: Schema) throws(GraphQLErrors) {
        for (operation, added) in rootFields where !added.isEmpty {
            guard let type = schema.rootType(for: operation) else {
                throw GraphQLErrors([
                    GraphQLError(
                        "There are resolvers of \(operation.rawValue) fields, but the schema has no \(operation.rawValue) type."
                    )
                ])
            }
            fields[type.name, default: [:]].merge(added) { $1 }
        }
        rootFields = [:]
    }

    /// Adds the resolvers that the fields of a schema were created with. A resolver of the same field in ``fields``
    /// takes precedence.
    /// - Parameter userContext: The type of the user context of the executions.
    mutating func addResolvers(of schema: Schema, userContext: any Any.Type) {
        for type in schema.types {
            for field in type.fields ?? [] {
                guard let bound = field.resolver, fields[type.name]?[field.name] == nil else { continue }
                if bound.userContext != userContext, bound.userContext != (any Sendable).self {
                    conflicts.append(
                        "The resolver of \"\(type.name).\(field.name)\" requires a user context of type \(bound.userContext), but the user context of the schema is of type \(userContext)."
                    )
                }
                fields[type.name, default: [:]][field.name] = bound.erased
            }
        }
    }

    /// Returns the resolver of a field. If the field has no resolver, returns the resolver of this field in an
    /// interface, or a default resolver.
    func resolver(of field: String, on type: ObjectType) -> ErasedResolver? {
        if let own = fields[type.name]?[field] { return own }
        for interface in type.interfaces {
            if let inherited = fields[interface.name]?[field] { return inherited }
        }
        if let resolver = defaultResolvers[type.name] ?? defaultResolver { return resolver }
        return namedSources[type.name] == true ? FieldResolver<any Sendable, any Sendable>.byName.erased : nil
    }
}
