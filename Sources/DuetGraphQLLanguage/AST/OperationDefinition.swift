/// The type of an operation. It selects the root type and the execution order of the root fields.
public enum OperationType: String, Sendable, Hashable, CaseIterable {
    /// A read.
    case query
    /// A write, followed by a read. The root fields are executed serially.
    case mutation
    /// A read at each event of a source stream.
    case subscription
}

/// An operation (specification, section 2.4).
public struct OperationDefinition: Sendable {
    /// The description, if present.
    public var description: StringLiteral?
    /// The type of the operation; `query` for a selection set alone.
    public var operation: OperationType
    /// The name, if the operation has one.
    public var name: Name?
    /// The variables.
    public var variableDefinitions: [VariableDefinition]
    /// The directives.
    public var directives: NodeList<Directive>
    /// The selections on the root type.
    public var selectionSet: SelectionSet
    /// The range in the source text.
    public var range: SourceRange

    /// Creates an operation.
    public init(
        description: StringLiteral? = nil, operation: OperationType = .query, name: Name? = nil,
        variableDefinitions: [VariableDefinition] = [], directives: NodeList<Directive> = [],
        selectionSet: SelectionSet,
        range: SourceRange = .none
    ) {
        self.description = description
        self.operation = operation
        self.name = name
        self.variableDefinitions = variableDefinitions
        self.directives = directives
        self.selectionSet = selectionSet
        self.range = range
    }
}

/// `$name: Type = default @directive` (specification, section 2.11).
public struct VariableDefinition: Sendable {
    /// The description, if present.
    public var description: StringLiteral?
    /// The variable.
    public var variable: Variable
    /// The type.
    public var type: TypeReference
    /// The default value, which is used if the request provides no value. It contains no variables.
    public var defaultValue: Literal?
    /// The directives.
    public var directives: NodeList<Directive>
    /// The range in the source text.
    public var range: SourceRange

    /// Creates a variable definition.
    public init(
        description: StringLiteral? = nil, variable: Variable, type: TypeReference, defaultValue: Literal? = nil,
        directives: NodeList<Directive> = [], range: SourceRange = .none
    ) {
        self.description = description
        self.variable = variable
        self.type = type
        self.defaultValue = defaultValue
        self.directives = directives
        self.range = range
    }
}

/// `$name`.
public struct Variable: Sendable {
    /// The name, without the dollar sign.
    public var name: Name
    /// The range in the source text, including the dollar sign.
    public var range: SourceRange

    /// Creates a variable.
    public init(name: Name, range: SourceRange = .none) {
        self.name = name
        self.range = range
    }
}
