/// A named type of a schema (specification, section 3.4).
public enum NamedType: NamedElement {
    /// A built-in or custom scalar, whose values have no selections (specification, section 3.5).
    case scalar(ScalarType)
    /// A type with fields. Each object of a response has such a type (specification, section 3.6).
    case object(ObjectType)
    /// A list of fields that other types implement (specification, section 3.7).
    case interface(InterfaceType)
    /// A list of object types, one of which is the type of a value (specification, section 3.8).
    case union(UnionType)
    /// A list of names, one of which is the value (specification, section 3.9).
    case `enum`(EnumType)
    /// A type of arguments and variables, with a list of input fields (specification, section 3.10).
    case inputObject(InputObjectType)

    /// The name.
    public var name: String {
        switch self {
        case .scalar(let type): type.name
        case .object(let type): type.name
        case .interface(let type): type.name
        case .union(let type): type.name
        case .enum(let type): type.name
        case .inputObject(let type): type.name
        }
    }

    /// The description, in Markdown.
    public var description: String? {
        switch self {
        case .scalar(let type): type.description
        case .object(let type): type.description
        case .interface(let type): type.description
        case .union(let type): type.description
        case .enum(let type): type.description
        case .inputObject(let type): type.description
        }
    }

    /// The kind of the type.
    public var kind: TypeKind {
        switch self {
        case .scalar: .scalar
        case .object: .object
        case .interface: .interface
        case .union: .union
        case .enum: .enum
        case .inputObject: .inputObject
        }
    }

    /// The nodes that the type was created from: the definition, then the extensions.
    public var definitions: [SourceNode<TypeDefinition>] {
        switch self {
        case .scalar(let type): type.definitions
        case .object(let type): type.definitions
        case .interface(let type): type.definitions
        case .union(let type): type.definitions
        case .enum(let type): type.definitions
        case .inputObject(let type): type.definitions
        }
    }

    /// The cache restriction of an object, interface or union type; nil if it is not specified.
    public var cacheHint: CacheHint? {
        switch self {
        case .object(let type): type.cacheHint
        case .interface(let type): type.cacheHint
        case .union(let type): type.cacheHint
        case .scalar, .enum, .inputObject: nil
        }
    }

    /// The cost of a value of a scalar, enum or object type; nil if it is not specified. ``CostModel`` defines its
    /// effect.
    public var weight: Double? {
        switch self {
        case .scalar(let type): type.weight
        case .enum(let type): type.weight
        case .object(let type): type.weight
        case .interface, .union, .inputObject: nil
        }
    }

    /// The fields of an object or interface type; nil for other types.
    public var fields: NamedList<SchemaField>? {
        switch self {
        case .object(let type): type.fields
        case .interface(let type): type.fields
        default: nil
        }
    }

    /// The interfaces of an object or interface type.
    public var interfaces: [TypeName] {
        switch self {
        case .object(let type): type.interfaces
        case .interface(let type): type.interfaces
        default: []
        }
    }

    /// True if arguments and variables can have the type: IsInputType.
    public var isInput: Bool {
        switch self {
        case .scalar, .enum, .inputObject: true
        case .object, .interface, .union: false
        }
    }

    /// True if fields can have the type: IsOutputType.
    public var isOutput: Bool {
        if case .inputObject = self { return false }
        return true
    }

    /// True for scalars and enums, which have no selections.
    public var isLeaf: Bool {
        switch self {
        case .scalar, .enum: true
        default: false
        }
    }

    /// True for objects, interfaces and unions, which have selections.
    public var isComposite: Bool {
        switch self {
        case .object, .interface, .union: true
        default: false
        }
    }

    /// True for interfaces and unions, whose values have object types.
    public var isAbstract: Bool {
        switch self {
        case .interface, .union: true
        default: false
        }
    }
}

/// An object type (specification, section 3.6).
public final class ObjectType: Sendable {
    /// The name.
    public let name: String
    /// The description, in Markdown.
    public let description: String?
    /// The interfaces that the type implements.
    public let interfaces: [TypeName]
    /// The fields.
    public let fields: NamedList<SchemaField>
    /// The cache restriction of the type; nil if it is not specified.
    public let cacheHint: CacheHint?
    /// The cost of a value of the type; nil if it is not specified. ``CostModel`` defines its effect.
    public let weight: Double?
    /// The nodes that the type was created from.
    public let definitions: [SourceNode<TypeDefinition>]

    /// Creates an object type.
    public init(
        _ name: String, implements interfaces: [TypeName] = [], fields: [SchemaField], description: String? = nil,
        cacheHint: CacheHint? = nil, weight: Double? = nil, definitions: [SourceNode<TypeDefinition>] = []
    ) {
        self.name = name
        self.interfaces = interfaces
        self.fields = NamedList(fields)
        self.description = description
        self.cacheHint = cacheHint
        self.weight = weight
        self.definitions = definitions
    }
}

/// An interface type (specification, section 3.7).
public final class InterfaceType: Sendable {
    /// The name.
    public let name: String
    /// The description, in Markdown.
    public let description: String?
    /// The interfaces that the type implements.
    public let interfaces: [TypeName]
    /// The fields.
    public let fields: NamedList<SchemaField>
    /// The cache restriction of the type; nil if it is not specified.
    public let cacheHint: CacheHint?
    /// The nodes that the type was created from.
    public let definitions: [SourceNode<TypeDefinition>]

    /// Creates an interface type.
    public init(
        _ name: String, implements interfaces: [TypeName] = [], fields: [SchemaField], description: String? = nil,
        cacheHint: CacheHint? = nil, definitions: [SourceNode<TypeDefinition>] = []
    ) {
        self.name = name
        self.interfaces = interfaces
        self.fields = NamedList(fields)
        self.description = description
        self.cacheHint = cacheHint
        self.definitions = definitions
    }
}

/// A union type (specification, section 3.8).
public final class UnionType: Sendable {
    /// The name.
    public let name: String
    /// The description, in Markdown.
    public let description: String?
    /// The object types that are members of the union.
    public let memberTypes: [TypeName]
    /// The cache restriction of the type; nil if it is not specified.
    public let cacheHint: CacheHint?
    /// The nodes that the type was created from.
    public let definitions: [SourceNode<TypeDefinition>]

    /// Creates a union type.
    public init(
        _ name: String, of memberTypes: [TypeName], description: String? = nil,
        cacheHint: CacheHint? = nil, definitions: [SourceNode<TypeDefinition>] = []
    ) {
        self.name = name
        self.memberTypes = memberTypes
        self.description = description
        self.cacheHint = cacheHint
        self.definitions = definitions
    }
}

/// An enum type (specification, section 3.9).
public final class EnumType: Sendable {
    /// The name.
    public let name: String
    /// The description, in Markdown.
    public let description: String?
    /// The values.
    public let values: NamedList<SchemaEnumValue>
    /// The cost of a value of the type; nil if it is not specified. ``CostModel`` defines its effect.
    public let weight: Double?
    /// The nodes that the type was created from.
    public let definitions: [SourceNode<TypeDefinition>]

    /// Creates an enum type.
    public init(
        _ name: String, values: [SchemaEnumValue], description: String? = nil,
        weight: Double? = nil, definitions: [SourceNode<TypeDefinition>] = []
    ) {
        self.name = name
        self.values = NamedList(values)
        self.description = description
        self.weight = weight
        self.definitions = definitions
    }
}

/// An input object type (specification, section 3.10).
public final class InputObjectType: Sendable {
    /// The name.
    public let name: String
    /// The description, in Markdown.
    public let description: String?
    /// The fields.
    public let fields: NamedList<SchemaInputValue>
    /// True if exactly one field must be provided, with a value other than null: `@oneOf`.
    public let isOneOf: Bool
    /// The nodes that the type was created from.
    public let definitions: [SourceNode<TypeDefinition>]

    /// Creates an input object type.
    public init(
        _ name: String, fields: [SchemaInputValue], isOneOf: Bool = false, description: String? = nil,
        definitions: [SourceNode<TypeDefinition>] = []
    ) {
        self.name = name
        self.fields = NamedList(fields)
        self.isOneOf = isOneOf
        self.description = description
        self.definitions = definitions
    }
}
