/// A field of an object or interface type (specification, section 3.6).
public final class SchemaField: NamedElement {
    /// Its name.
    public let name: String
    /// What it is, in Markdown.
    public let description: String?
    /// Its arguments.
    public let arguments: NamedList<SchemaInputValue>
    /// Its type.
    public let type: GraphQLType
    /// The place in the schema of the named type inside all lists and non-null types; -1 outside of a schema.
    let typeIndex: Int32
    /// Why not to use it any more; nil if it is not deprecated.
    public let deprecationReason: String?
    /// The node it was made from.
    public let definition: SourceNode<FieldDefinition>?

    /// A field.
    public init(
        _ name: String, _ type: GraphQLType, arguments: [SchemaInputValue] = [], description: String? = nil,
        deprecationReason: String? = nil, definition: SourceNode<FieldDefinition>? = nil
    ) {
        self.name = name
        self.type = type
        typeIndex = type.typeName.index
        self.arguments = NamedList(arguments)
        self.description = description
        self.deprecationReason = deprecationReason
        self.definition = definition
    }
}

/// An argument or an input field (specification, sections 3.6.1 and 3.10).
public final class SchemaInputValue: NamedElement {
    /// Its name.
    public let name: String
    /// What it is, in Markdown.
    public let description: String?
    /// Its type.
    public let type: GraphQLType
    /// The default value as it was given; nil if there is none.
    public let defaultLiteral: Literal?
    /// The default value, coerced to the type. Nil if there is none, if it cannot be coerced (which validation reports), or
    /// before this is part of a schema. It is set once, while the schema is made and nobody else has it.
    public nonisolated(unsafe) internal(set) var defaultValue: Value?
    /// Why not to use it any more; nil if it is not deprecated.
    public let deprecationReason: String?
    /// The node it was made from.
    public let definition: SourceNode<InputValueDefinition>?

    /// An argument or input field whose default is written as a literal.
    public init(
        _ name: String, _ type: GraphQLType, defaultLiteral: Literal?, description: String? = nil,
        deprecationReason: String? = nil, definition: SourceNode<InputValueDefinition>? = nil
    ) {
        self.name = name
        self.type = type
        self.defaultLiteral = defaultLiteral
        self.description = description
        self.deprecationReason = deprecationReason
        self.definition = definition
    }

    /// An argument or input field.
    public convenience init(
        _ name: String, _ type: GraphQLType, default defaultValue: Value? = nil, description: String? = nil,
        deprecationReason: String? = nil
    ) {
        self.init(
            name, type, defaultLiteral: defaultValue.map(Literal.init(of:)), description: description,
            deprecationReason: deprecationReason)
    }

    /// Whether a value must be given: the type is non-null and there is no default.
    public var isRequired: Bool { type.isNonNull && defaultLiteral == nil }
}

/// A value of an enum type (specification, section 3.9).
public final class SchemaEnumValue: NamedElement {
    /// The value.
    public let name: String
    /// What it is, in Markdown.
    public let description: String?
    /// Why not to use it any more; nil if it is not deprecated.
    public let deprecationReason: String?
    /// The node it was made from.
    public let definition: SourceNode<EnumValueDefinition>?

    /// A value.
    public init(
        _ name: String, description: String? = nil, deprecationReason: String? = nil,
        definition: SourceNode<EnumValueDefinition>? = nil
    ) {
        self.name = name
        self.description = description
        self.deprecationReason = deprecationReason
        self.definition = definition
    }
}

/// A directive that a schema knows (specification, section 3.13).
public final class SchemaDirective: NamedElement {
    /// Its name, without the sign.
    public let name: String
    /// What it does, in Markdown.
    public let description: String?
    /// Its arguments.
    public let arguments: NamedList<SchemaInputValue>
    /// Whether it may stand more than once at one place.
    public let isRepeatable: Bool
    /// Where it may stand.
    public let locations: [DirectiveLocation]
    /// The node it was made from.
    public let definition: SourceNode<DirectiveDefinition>?

    /// A directive.
    public init(
        _ name: String, on locations: [DirectiveLocation], arguments: [SchemaInputValue] = [],
        isRepeatable: Bool = false, description: String? = nil, definition: SourceNode<DirectiveDefinition>? = nil
    ) {
        self.name = name
        self.locations = locations
        self.arguments = NamedList(arguments)
        self.isRepeatable = isRepeatable
        self.description = description
        self.definition = definition
    }
}
