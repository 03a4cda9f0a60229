/// A field of an object or interface type (specification, section 3.6).
public final class SchemaField: NamedElement {
    /// The name.
    public let name: String
    /// The description, in Markdown.
    public let description: String?
    /// The arguments.
    public let arguments: NamedList<SchemaInputValue>
    /// The type.
    public let type: GraphQLType
    /// The schema's index of the named type inside all lists and non-null types; -1 if the field is not part of a
    /// schema.
    let typeIndex: Int32
    /// The deprecation reason; nil if the element is not deprecated.
    public let deprecationReason: String?
    /// The cache restriction of the field; nil if it is not specified.
    public let cacheHint: CacheHint?
    /// The cost of each call of the field; nil if it is not specified. ``CostModel`` defines its effect.
    public let weight: Double?
    /// The maximum length of the field's list; nil if it is not specified.
    public let listSize: CostModel.ListSize?
    /// The resolver that the field was created with; nil if it has none.
    let resolver: BoundResolver?
    /// The value that the creator of the schema associates with the field, such as the table that the field returns. A
    /// resolver that serves many fields reads it with ``PlannedField/binding(as:)`` instead of comparing names.
    public let binding: (any Sendable)?
    /// The node that the element was created from; nil if the element was created in code.
    public let definition: SourceNode<FieldDefinition>?

    /// Creates a field. Its resolver is in ``SchemaResolvers``.
    public convenience init(
        _ name: String, _ type: GraphQLType, arguments: [SchemaInputValue] = [], description: String? = nil,
        deprecationReason: String? = nil, cacheHint: CacheHint? = nil, weight: Double? = nil,
        listSize: CostModel.ListSize? = nil, binding: (any Sendable)? = nil,
        definition: SourceNode<FieldDefinition>? = nil
    ) {
        self.init(
            name, type, NamedList(arguments), description, deprecationReason, cacheHint, weight, listSize,
            resolver: nil, binding, definition)
    }

    /// Creates a field with its resolver.
    ///
    ///     SchemaField(
    ///         "books", "[Book!]!", description: "All books.",
    ///         resolver: FieldResolver<Void, Library>.async { _, context in try await context.userContext.books() })
    ///
    /// The user context of the resolver must have the type of the user context of the ``ExecutableSchema``. A resolver
    /// of the same field in ``SchemaResolvers`` takes precedence. The resolver is nil if the schema is not executed, or
    /// if the resolver is in ``SchemaResolvers``.
    public convenience init<Source, UserContext>(
        _ name: String, _ type: GraphQLType, arguments: [SchemaInputValue] = [], description: String? = nil,
        deprecationReason: String? = nil, cacheHint: CacheHint? = nil, weight: Double? = nil,
        listSize: CostModel.ListSize? = nil, binding: (any Sendable)? = nil,
        resolver: FieldResolver<Source, UserContext>?
    ) {
        self.init(
            name, type, NamedList(arguments), description, deprecationReason, cacheHint, weight, listSize,
            resolver: resolver.map { BoundResolver($0) }, binding, nil)
    }

    private init(
        _ name: String, _ type: GraphQLType, _ arguments: NamedList<SchemaInputValue>, _ description: String?,
        _ deprecationReason: String?, _ cacheHint: CacheHint?, _ weight: Double?, _ listSize: CostModel.ListSize?,
        resolver: BoundResolver?, _ binding: (any Sendable)?, _ definition: SourceNode<FieldDefinition>?
    ) {
        self.name = name
        self.type = type
        typeIndex = type.typeName.index
        self.arguments = arguments
        self.description = description
        self.deprecationReason = deprecationReason
        self.cacheHint = cacheHint
        self.weight = weight
        self.listSize = listSize
        self.resolver = resolver
        self.binding = binding
        self.definition = definition
    }

    /// Returns a copy with another type and other arguments, for example with resolved references.
    func replacing(_ type: GraphQLType, arguments: [SchemaInputValue]) -> SchemaField {
        SchemaField(
            name, type, NamedList(arguments), description, deprecationReason, cacheHint, weight, listSize,
            resolver: resolver, binding, definition)
    }
}

/// An argument or an input field (specification, sections 3.6.1 and 3.10).
public final class SchemaInputValue: NamedElement {
    /// The name.
    public let name: String
    /// The description, in Markdown.
    public let description: String?
    /// The type.
    public let type: GraphQLType
    /// The default value as a literal; nil if there is no default value.
    public let defaultLiteral: Literal?
    /// The default value, coerced to the type. It is nil if there is no default value, if the coercion fails, or if the
    /// element is not part of a schema yet. Validation reports a failed coercion. The property is set once, during the
    /// creation of the schema, when no other code can access the element.
    public nonisolated(unsafe) internal(set) var defaultValue: Value?
    /// The deprecation reason; nil if the element is not deprecated.
    public let deprecationReason: String?
    /// The additional cost of a call of the field with the argument, or with the input field in an argument; nil if it
    /// is not specified. ``CostModel`` defines its effect.
    public let weight: Double?
    /// The node that the element was created from; nil if the element was created in code.
    public let definition: SourceNode<InputValueDefinition>?

    /// Creates an argument or input field with a literal as its default value.
    public init(
        _ name: String, _ type: GraphQLType, defaultLiteral: Literal?, description: String? = nil,
        deprecationReason: String? = nil, weight: Double? = nil, definition: SourceNode<InputValueDefinition>? = nil
    ) {
        self.name = name
        self.type = type
        self.defaultLiteral = defaultLiteral
        self.description = description
        self.deprecationReason = deprecationReason
        self.weight = weight
        self.definition = definition
    }

    /// Creates an argument or input field.
    public convenience init(
        _ name: String, _ type: GraphQLType, default defaultValue: Value? = nil, description: String? = nil,
        deprecationReason: String? = nil, weight: Double? = nil
    ) {
        self.init(
            name, type, defaultLiteral: defaultValue.map(Literal.init(of:)), description: description,
            deprecationReason: deprecationReason, weight: weight)
    }

    /// True if a value is required: the type is non-null and there is no default value.
    public var isRequired: Bool { type.isNonNull && defaultLiteral == nil }
}

/// A value of an enum type (specification, section 3.9).
public final class SchemaEnumValue: NamedElement {
    /// The value.
    public let name: String
    /// The description, in Markdown.
    public let description: String?
    /// The deprecation reason; nil if the element is not deprecated.
    public let deprecationReason: String?
    /// The node that the element was created from; nil if the element was created in code.
    public let definition: SourceNode<EnumValueDefinition>?

    /// Creates an enum value.
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

/// A directive of a schema (specification, section 3.13).
public final class SchemaDirective: NamedElement {
    /// The name, without the `@` sign.
    public let name: String
    /// The description, in Markdown.
    public let description: String?
    /// The arguments.
    public let arguments: NamedList<SchemaInputValue>
    /// True if the directive may occur more than once at one location.
    public let isRepeatable: Bool
    /// The locations at which the directive may occur.
    public let locations: [DirectiveLocation]
    /// The node that the element was created from; nil if the element was created in code.
    public let definition: SourceNode<DirectiveDefinition>?

    /// Creates a directive.
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
