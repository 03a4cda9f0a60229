/// The schema of a service: its types, its directives and its root operation types (specification, section 3.3).
///
/// A schema is immutable and complete: each type reference resolves to a type of the schema.
public final class Schema: Sendable {
    /// The description, in Markdown.
    public let description: String?
    /// All types: the given types, then the built-in scalars that are used, then the introspection types.
    public let types: NamedList<NamedType>
    /// All directives: the given directives, then the built-in directives that were not given.
    public let directives: NamedList<SchemaDirective>
    /// The `schema` definition and extensions that the schema was created from.
    public let definitions: [SourceNode<SchemaDefinition>]
    /// `__typename`.
    public let typeNameField: SchemaField
    /// `__schema`.
    public let schemaField: SchemaField
    /// `__type`.
    public let typeField: SchemaField

    let rootTypes: [OperationType: TypeName]
    private let places: [String: Int]
    /// The implementations of each interface, by the index of the interface.
    private let implementations: [Int32: Implementations]
    /// The indices of the possible object types of each interface and union, by the index of the interface or union.
    private let possible: [Int32: Set<Int32>]

    /// The types that implement an interface.
    public struct Implementations: Sendable {
        /// The object types, in the schema's order.
        public var objects: [ObjectType] = []
        /// The interface types, in the schema's order.
        public var interfaces: [InterfaceType] = []
    }

    /// Creates a schema from parts. Resolves the references, without further validation.
    /// - Throws: Errors for references to unknown types, and for repeated type names.
    init(resolving parts: SchemaParts) throws(GraphQLErrors) {
        let resolver = try SchemaResolver(parts)
        description = parts.description
        types = NamedList(resolver.types)
        directives = NamedList(resolver.directives)
        definitions = parts.definitions
        places = resolver.places
        rootTypes = resolver.rootTypes
        typeNameField = resolver.resolve(IntrospectionTypes.typeNameField)
        schemaField = resolver.resolve(IntrospectionTypes.schemaField)
        typeField = resolver.resolve(IntrospectionTypes.typeField)
        (implementations, possible) = resolver.implementations()
        DefaultValueCoercion(schema: self).run(resolver.inputValues())
    }

    /// Creates a schema from types that are defined in code. The built-in scalars and directives are added
    /// automatically. A field can contain its resolver:
    ///
    ///     let query = ObjectType(
    ///         "Query",
    ///         fields: [
    ///             SchemaField("hello", "String!", resolver: FieldResolver<Void, Void>.property { _ in "Hello!" })
    ///         ])
    ///     let schema = try ExecutableSchema(Schema(types: [.object(query)]), userContext: Void.self)
    /// - Throws: All validation errors; see ``validate()``.
    public convenience init(
        types: [NamedType], directives: [SchemaDirective] = [], query: TypeName = "Query", mutation: TypeName? = nil,
        subscription: TypeName? = nil, description: String? = nil
    ) throws(GraphQLErrors) {
        var parts = SchemaParts(description: description, types: types, directives: directives)
        parts.rootTypes[.query] = query
        parts.rootTypes[.mutation] = mutation
        parts.rootTypes[.subscription] = subscription
        parts.checksNames = true
        try self.init(resolving: parts)
        let errors = validate()
        if !errors.isEmpty { throw GraphQLErrors(errors) }
    }

    /// A schema without types, with the built-in directives. It is used to validate a type-system document that does
    /// not extend a schema.
    static let empty = Schema()

    private init() {
        description = nil
        types = []
        directives = SchemaDirective.specified
        definitions = []
        places = [:]
        rootTypes = [:]
        typeNameField = IntrospectionTypes.typeNameField
        schemaField = IntrospectionTypes.schemaField
        typeField = IntrospectionTypes.typeField
        implementations = [:]
        possible = [:]
    }
}

// MARK: - Looking up

extension Schema {
    /// Returns the type with the name, if it exists.
    public func type(named name: String) -> NamedType? { places[name].map { types[$0] } }

    /// The type to which a reference resolves. A reference from another schema is resolved by name.
    public subscript(name: TypeName) -> NamedType? {
        let place = Int(name.index)
        if place >= 0, place < types.count, types[place].name == name.name { return types[place] }
        return type(named: name.name)
    }

    /// The named type inside all lists and non-null types.
    public subscript(type: GraphQLType) -> NamedType? { self[type.typeName] }

    /// Returns the directive with the name (without the `@` sign), if it exists.
    public func directive(named name: String) -> SchemaDirective? { directives[name] }

    /// Returns the name of the root type for an operation. In an invalid schema, the type may be another kind of type
    /// than an object type.
    public func rootTypeName(for operation: OperationType) -> TypeName? { rootTypes[operation] }

    /// Returns the root type for an operation, if the schema supports the operation.
    public func rootType(for operation: OperationType) -> ObjectType? {
        guard let name = rootTypes[operation], case .object(let type)? = self[name] else { return nil }
        return type
    }

    /// Returns the field with the name on a type, including the meta-fields `__typename`, `__schema` and `__type`.
    public func field(named name: String, on type: NamedType) -> SchemaField? {
        if name.utf8.first == UInt8(ascii: "_"), name.hasPrefix("__") {
            if name == typeNameField.name { return type.isComposite ? typeNameField : nil }
            if type.name == rootTypes[.query]?.name {
                if name == schemaField.name { return schemaField }
                if name == typeField.name { return typeField }
            }
        }
        switch type {
        case .object(let object): return object.fields[name]
        case .interface(let interface): return interface.fields[name]
        default: return nil
        }
    }

    /// Returns the type for a reference in a document, if the named type exists.
    public func type(_ reference: TypeReference) -> GraphQLType? {
        switch reference {
        case .named(let name): return places[name.value].map { .named(TypeName(name.value, index: $0)) }
        case .list(let inner, _): return type(inner).map(GraphQLType.list)
        case .nonNull(let inner, _): return type(inner).map(GraphQLType.nonNull)
        }
    }

    /// Returns true if arguments and variables can have the type.
    public func isInput(_ type: GraphQLType) -> Bool { self[type]?.isInput ?? false }

    /// Returns true if fields can have the type.
    public func isOutput(_ type: GraphQLType) -> Bool { self[type]?.isOutput ?? false }
}

// MARK: - Subtypes

extension Schema {
    /// Returns the types that implement an interface.
    public func implementations(of interface: InterfaceType) -> Implementations {
        places[interface.name].flatMap { implementations[Int32($0)] } ?? Implementations()
    }

    /// Returns the object types that a value of the type can have (GetPossibleTypes).
    public func possibleTypes(of type: NamedType) -> [ObjectType] {
        switch type {
        case .object(let object): return [object]
        case .interface(let interface): return implementations(of: interface).objects
        case .union(let union):
            return union.memberTypes.compactMap { if case .object(let type)? = self[$0] { type } else { nil } }
        default: return []
        }
    }

    /// Returns true if the object or interface type implements the interface or is a member of the union.
    public func isSubtype(_ type: NamedType, of abstract: NamedType) -> Bool {
        guard let abstractPlace = places[abstract.name], let place = places[type.name] else { return false }
        if case .interface(let interface) = type { return interface.interfaces.contains(TypeName(abstract.name)) }
        return possible[Int32(abstractPlace)]?.contains(Int32(place)) ?? false
    }

    /// Returns true if a value can belong to both types.
    public func overlap(_ left: NamedType, _ right: NamedType) -> Bool {
        if left.name == right.name { return true }
        guard let leftPlace = places[left.name], let rightPlace = places[right.name] else { return false }
        switch (left.isAbstract, right.isAbstract) {
        case (true, true):
            let leftTypes = possible[Int32(leftPlace)] ?? []
            return !leftTypes.isDisjoint(with: possible[Int32(rightPlace)] ?? [])
        case (true, false): return isSubtype(right, of: left)
        case (false, true): return isSubtype(left, of: right)
        case (false, false): return false
        }
    }

    /// Returns true if a field of type `type` can implement an interface field of type `superType`:
    /// IsValidImplementationFieldType.
    public func isSubtype(_ type: GraphQLType, of superType: GraphQLType) -> Bool {
        switch (type, superType) {
        case (.nonNull(let inner), .nonNull(let superInner)): return isSubtype(inner, of: superInner)
        case (.nonNull(let inner), _): return isSubtype(inner, of: superType)
        case (.list(let inner), .list(let superInner)): return isSubtype(inner, of: superInner)
        case (.named(let name), .named(let superName)):
            if name == superName { return true }
            guard let type = self[name], let superType = self[superName], superType.isAbstract else { return false }
            return isSubtype(type, of: superType)
        default: return false
        }
    }
}
