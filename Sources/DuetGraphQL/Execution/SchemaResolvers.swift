/// The resolvers of a schema's fields and abstract types.
public struct SchemaResolvers: Sendable {
    /// Returns the name of a source's object type; nil if it is unknown.
    public typealias TypeResolver = @Sendable (_ source: any Sendable, _ context: OperationContext) throws -> String?
    /// Returns true if a source is of an object type.
    public typealias TypeTest = @Sendable (_ source: any Sendable) -> Bool

    /// The resolver of fields without a resolver of their own. By default it reads the field of an ``ObjectValue`` or a
    /// ``FieldSource``.
    public var defaultResolver: FieldResolver = .sync(SchemaResolvers.resolveByName)
    private(set) var fields: [String: [String: FieldResolver]] = [:]
    private(set) var typeResolvers: [String: TypeResolver] = [:]
    private(set) var typeTests: [String: TypeTest] = [:]
    private(set) var sourceTypes: [ObjectIdentifier: String] = [:]

    /// Makes resolvers with the default resolver only.
    public init() {}

    /// The resolver of a field.
    public subscript(type: String, field: String) -> FieldResolver? {
        get { fields[type]?[field] }
        set { fields[type, default: [:]][field] = newValue }
    }

    /// Sets the function that returns the object type of a source for an interface or a union.
    public mutating func resolveType(of abstractType: String, _ resolve: @escaping TypeResolver) {
        typeResolvers[abstractType] = resolve
    }

    /// Sets the function that tests sources for an object type. It is called for each object of the type.
    public mutating func isTypeOf(_ objectType: String, _ test: @escaping TypeTest) { typeTests[objectType] = test }

    /// Maps a Swift type of sources to an object type.
    public mutating func bind<Source: Sendable>(_ type: Source.Type, to objectType: String) {
        sourceTypes[ObjectIdentifier(type)] = objectType
    }

    /// Reads the field of an ``ObjectValue`` or a ``FieldSource``.
    @Sendable
    private static func resolveByName(_ source: any Sendable, _ context: FieldContext) throws -> ResolvedValue {
        if let fields = source as? ObjectValue { return fields[context.field.name].map(ResolvedValue.init) ?? .null }
        if let source = source as? any FieldSource { return try source.resolve(context) }
        return .null
    }
}

/// A source that resolves its own fields.
public protocol FieldSource: Sendable {
    /// Returns the value of a field that has no resolver in the schema.
    func resolve(_ context: FieldContext) throws -> ResolvedValue
}
