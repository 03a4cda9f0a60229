/// How the fields of a schema get their values, and how objects tell their types.
public struct SchemaResolvers: Sendable {
    /// Gives the name of the object type that a source is of; nil if it does not know.
    public typealias TypeResolver = @Sendable (_ source: any Sendable, _ context: OperationContext) throws -> String?
    /// Says whether a source is of an object type.
    public typealias TypeTest = @Sendable (_ source: any Sendable) -> Bool

    /// For fields that have no resolver of their own; what it is given is the field's name in its context.
    public var defaultResolver: FieldResolver = .sync(SchemaResolvers.resolveByName)
    private(set) var fields: [String: [String: FieldResolver]] = [:]
    private(set) var typeResolvers: [String: TypeResolver] = [:]
    private(set) var typeTests: [String: TypeTest] = [:]
    private(set) var sourceTypes: [ObjectIdentifier: String] = [:]

    /// No resolvers but the default one.
    public init() {}

    /// The resolver of a type's field.
    public subscript(type: String, field: String) -> FieldResolver? {
        get { fields[type]?[field] }
        set { fields[type, default: [:]][field] = newValue }
    }

    /// Says how an interface's or union's objects tell their types.
    public mutating func resolveType(of abstractType: String, _ resolve: @escaping TypeResolver) {
        typeResolvers[abstractType] = resolve
    }

    /// Says which sources are of an object type; every object that a field of the type gives is tested.
    public mutating func isTypeOf(_ objectType: String, _ test: @escaping TypeTest) { typeTests[objectType] = test }

    /// Says that sources of a Swift type are of an object type.
    public mutating func bind<Source: Sendable>(_ type: Source.Type, to objectType: String) {
        sourceTypes[ObjectIdentifier(type)] = objectType
    }

    /// From a source that knows its fields: an ``ObjectValue`` or a ``FieldSource``.
    @Sendable
    private static func resolveByName(_ source: any Sendable, _ context: FieldContext) throws -> ResolvedValue {
        if let fields = source as? ObjectValue { return fields[context.field.name].map(ResolvedValue.init) ?? .null }
        if let source = source as? any FieldSource { return try source.resolve(context) }
        return .null
    }
}

/// An object that resolves its own fields.
public protocol FieldSource: Sendable {
    /// The value of a field that has no resolver in the schema.
    func resolve(_ context: FieldContext) throws -> ResolvedValue
}
