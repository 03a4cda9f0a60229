/// What a service offers: its types, its directives and the types that operations start from (specification, section 3.3).
///
/// A schema is immutable and complete: every reference in it leads to one of its types.
public final class Schema: Sendable {
    /// What it is, in Markdown.
    public let description: String?
    /// All types: those given, then the specified scalars that are used, then the introspection types.
    public let types: NamedList<NamedType>
    /// All directives: those given, then the specified ones that were not among them.
    public let directives: NamedList<SchemaDirective>
    /// The `schema` definition and extensions it was made from.
    public let definitions: [SourceNode<SchemaDefinition>]
    /// `__typename`.
    public let typeNameField: SchemaField
    /// `__schema`.
    public let schemaField: SchemaField
    /// `__type`.
    public let typeField: SchemaField

    let rootTypes: [OperationType: TypeName]
    private let places: [String: Int]
    /// For each interface, by place: what implements it.
    private let implementations: [Int32: Implementations]
    /// For each interface and union, by place: the places of the objects it can be.
    private let possible: [Int32: Set<Int32>]

    /// The types that implement an interface.
    public struct Implementations: Sendable {
        /// The object types, in the schema's order.
        public var objects: [ObjectType] = []
        /// The interface types, in the schema's order.
        public var interfaces: [InterfaceType] = []
    }

    /// Resolves the parts' references; checks nothing else.
    /// - Throws: errors for references to types that are not there, and for names that two types have.
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

    /// A schema of types made in code. The specified scalars and directives need not be given.
    /// - Throws: all that makes it invalid; see ``validate()``.
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

    /// No types, and the specified directives: what a type-system document is checked against that extends no schema.
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
    /// The type of that name, if there is one.
    public func type(named name: String) -> NamedType? { places[name].map { types[$0] } }

    /// The type that a reference of this schema leads to; a reference from elsewhere is looked up by name.
    public subscript(name: TypeName) -> NamedType? {
        let place = Int(name.index)
        if place >= 0, place < types.count, types[place].name == name.name { return types[place] }
        return type(named: name.name)
    }

    /// The named type inside all lists and non-null types.
    public subscript(type: GraphQLType) -> NamedType? { self[type.typeName] }

    /// The directive of that name, without the sign, if there is one.
    public func directive(named name: String) -> SchemaDirective? { directives[name] }

    /// The name of the type that operations of that kind start from, whatever type that is.
    public func rootTypeName(for operation: OperationType) -> TypeName? { rootTypes[operation] }

    /// The type that operations of that kind start from, if the schema has such operations.
    public func rootType(for operation: OperationType) -> ObjectType? {
        guard let name = rootTypes[operation], case .object(let type)? = self[name] else { return nil }
        return type
    }

    /// The field of that name on a type, the meta-fields `__typename`, `__schema` and `__type` included.
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

    /// The type that is written so, if the named type in it is there.
    public func type(_ reference: TypeReference) -> GraphQLType? {
        switch reference {
        case .named(let name): return places[name.value].map { .named(TypeName(name.value, index: $0)) }
        case .list(let inner, _): return type(inner).map(GraphQLType.list)
        case .nonNull(let inner, _): return type(inner).map(GraphQLType.nonNull)
        }
    }

    /// Whether arguments and variables can have that type.
    public func isInput(_ type: GraphQLType) -> Bool { self[type]?.isInput ?? false }

    /// Whether fields can have that type.
    public func isOutput(_ type: GraphQLType) -> Bool { self[type]?.isOutput ?? false }
}

// MARK: - Subtypes

extension Schema {
    /// What implements an interface.
    public func implementations(of interface: InterfaceType) -> Implementations {
        places[interface.name].flatMap { implementations[Int32($0)] } ?? Implementations()
    }

    /// The object types that a value of that type can have (GetPossibleTypes).
    public func possibleTypes(of type: NamedType) -> [ObjectType] {
        switch type {
        case .object(let object): return [object]
        case .interface(let interface): return implementations(of: interface).objects
        case .union(let union):
            return union.memberTypes.compactMap { if case .object(let type)? = self[$0] { type } else { nil } }
        default: return []
        }
    }

    /// Whether an object or interface type is one of the interface's implementations or of the union's members.
    public func isSubtype(_ type: NamedType, of abstract: NamedType) -> Bool {
        guard let abstractPlace = places[abstract.name], let place = places[type.name] else { return false }
        if case .interface(let interface) = type { return interface.interfaces.contains(TypeName(abstract.name)) }
        return possible[Int32(abstractPlace)]?.contains(Int32(place)) ?? false
    }

    /// Whether a value can be of both types.
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

    /// Whether a field of the first type may stand where an interface says the second: IsValidImplementationFieldType.
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
