/// `schema @directives { query: Type … }`, or the extension of a schema with `extend` (specification, section 3.3).
public struct SchemaDefinition: Sendable {
    /// The description, if present.
    public var description: StringLiteral?
    /// The directives.
    public var directives: NodeList<Directive>
    /// The root types.
    public var operationTypes: [OperationTypeDefinition]
    /// The range in the source text.
    public var range: SourceRange
}

/// `query: Type`.
public struct OperationTypeDefinition: Sendable {
    /// The type of the operation.
    public var operation: OperationType
    /// The root type of the operation.
    public var type: Name
    /// The range in the source text.
    public var range: SourceRange
}

/// The six kinds of named types (specification, section 3.4).
public enum TypeKind: Sendable, Hashable, CaseIterable {
    /// `scalar Name` (specification, section 3.5).
    case scalar
    /// `type Name { … }` (specification, section 3.6).
    case object
    /// `interface Name { … }` (specification, section 3.7).
    case interface
    /// `union Name = …` (specification, section 3.8).
    case union
    /// `enum Name { … }` (specification, section 3.9).
    case `enum`
    /// `input Name { … }` (specification, section 3.10).
    case inputObject
}

/// The definition or the extension of a named type. Properties that do not apply to the kind of the type are empty.
public struct TypeDefinition: Sendable {
    /// The kind of the type.
    public var kind: TypeKind
    /// The description, if present.
    public var description: StringLiteral?
    /// The name.
    public var name: Name
    /// The interfaces that an object or an interface implements.
    public var interfaces: [Name] = []
    /// The directives.
    public var directives: NodeList<Directive> = []
    /// The fields of an object or an interface.
    public var fields: [FieldDefinition] = []
    /// The member types of a union.
    public var memberTypes: [Name] = []
    /// The values of an enum.
    public var values: [EnumValueDefinition] = []
    /// The fields of an input object.
    public var inputFields: [InputValueDefinition] = []
    /// The range in the source text.
    public var range: SourceRange = .none
}

/// `name(arguments): Type @directives` (specification, section 3.6).
public struct FieldDefinition: Sendable {
    /// The description, if present.
    public var description: StringLiteral?
    /// The name.
    public var name: Name
    /// The arguments.
    public var arguments: [InputValueDefinition]
    /// The type.
    public var type: TypeReference
    /// The directives.
    public var directives: NodeList<Directive>
    /// The range in the source text.
    public var range: SourceRange
}

/// `name: Type = default @directives`: an argument or an input field (specification, sections 3.6.1 and 3.10).
public struct InputValueDefinition: Sendable {
    /// The description, if present.
    public var description: StringLiteral?
    /// The name.
    public var name: Name
    /// The type.
    public var type: TypeReference
    /// The default value, if present.
    public var defaultValue: Literal?
    /// The directives.
    public var directives: NodeList<Directive>
    /// The range in the source text.
    public var range: SourceRange
}

/// A value of an enum (specification, section 3.9).
public struct EnumValueDefinition: Sendable {
    /// The description, if present.
    public var description: StringLiteral?
    /// The name of the value.
    public var name: Name
    /// The directives.
    public var directives: NodeList<Directive>
    /// The range in the source text.
    public var range: SourceRange
}

/// `directive @name(arguments) repeatable on LOCATION | …` (specification, section 3.13).
public struct DirectiveDefinition: Sendable {
    /// The description, if present.
    public var description: StringLiteral?
    /// The name, without the `@` sign.
    public var name: Name
    /// The arguments.
    public var arguments: [InputValueDefinition]
    /// True if the directive may occur more than once at one location.
    public var isRepeatable: Bool
    /// The locations at which the directive may occur.
    public var locations: [DirectiveLocation]
    /// The range in the source text.
    public var range: SourceRange
}
