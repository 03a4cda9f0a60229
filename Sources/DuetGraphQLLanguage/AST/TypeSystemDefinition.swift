/// `schema @directives { query: Type … }` or the same after `extend` (specification, section 3.3).
public struct SchemaDefinition: Sendable {
    /// What stands before it for the reader.
    public var description: StringLiteral?
    /// Its directives.
    public var directives: NodeList<Directive>
    /// The root types.
    public var operationTypes: [OperationTypeDefinition]
    /// Where it stands.
    public var range: SourceRange
}

/// `query: Type`.
public struct OperationTypeDefinition: Sendable {
    /// Which operation.
    public var operation: OperationType
    /// Its root type.
    public var type: Name
    /// Where it stands.
    public var range: SourceRange
}

/// The six kinds of named types (specification, section 3.4).
public enum TypeKind: Sendable, Hashable, CaseIterable {
    case scalar
    case object
    case interface
    case union
    case `enum`
    case inputObject
}

/// The definition of a named type, or what stands after `extend`. What its kind does not have is empty.
public struct TypeDefinition: Sendable {
    /// Which kind of type.
    public var kind: TypeKind
    /// What stands before it for the reader.
    public var description: StringLiteral?
    /// Its name.
    public var name: Name
    /// Objects, interfaces: the interfaces it implements.
    public var interfaces: [Name] = []
    /// Its directives.
    public var directives: NodeList<Directive> = []
    /// Objects, interfaces: the fields.
    public var fields: [FieldDefinition] = []
    /// Unions: the member types.
    public var memberTypes: [Name] = []
    /// Enums: the values.
    public var values: [EnumValueDefinition] = []
    /// Input objects: the fields.
    public var inputFields: [InputValueDefinition] = []
    /// Where it stands.
    public var range: SourceRange = .none
}

/// `name(arguments): Type @directives` (specification, section 3.6).
public struct FieldDefinition: Sendable {
    /// What stands before it for the reader.
    public var description: StringLiteral?
    /// Its name.
    public var name: Name
    /// Its arguments.
    public var arguments: [InputValueDefinition]
    /// Its type.
    public var type: TypeReference
    /// Its directives.
    public var directives: NodeList<Directive>
    /// Where it stands.
    public var range: SourceRange
}

/// `name: Type = default @directives`: an argument or an input field (specification, sections 3.6.1 and 3.10).
public struct InputValueDefinition: Sendable {
    /// What stands before it for the reader.
    public var description: StringLiteral?
    /// Its name.
    public var name: Name
    /// Its type.
    public var type: TypeReference
    /// Its value if none is given.
    public var defaultValue: Literal?
    /// Its directives.
    public var directives: NodeList<Directive>
    /// Where it stands.
    public var range: SourceRange
}

/// A value of an enum (specification, section 3.9).
public struct EnumValueDefinition: Sendable {
    /// What stands before it for the reader.
    public var description: StringLiteral?
    /// The value.
    public var name: Name
    /// Its directives.
    public var directives: NodeList<Directive>
    /// Where it stands.
    public var range: SourceRange
}

/// `directive @name(arguments) repeatable on LOCATION | …` (specification, section 3.13).
public struct DirectiveDefinition: Sendable {
    /// What stands before it for the reader.
    public var description: StringLiteral?
    /// Its name, without the sign.
    public var name: Name
    /// Its arguments.
    public var arguments: [InputValueDefinition]
    /// Whether it may stand more than once at one place.
    public var isRepeatable: Bool
    /// Where it may stand.
    public var locations: [DirectiveLocation]
    /// Where it stands.
    public var range: SourceRange
}
