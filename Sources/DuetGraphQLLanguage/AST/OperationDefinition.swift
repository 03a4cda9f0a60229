/// What an operation does: the root type it starts from and how its top fields are executed.
public enum OperationType: String, Sendable, Hashable, CaseIterable {
    /// Reads.
    case query
    /// Writes, then reads; the top fields one after the other.
    case mutation
    /// Reads again and again, at each event of a source stream.
    case subscription
}

/// An operation (specification, section 2.3).
public struct OperationDefinition: Sendable {
    /// What stands before it for the reader.
    public var description: StringLiteral?
    /// What it does; `query` if only a selection set stands there.
    public var operation: OperationType
    /// Its name, if it has one.
    public var name: Name?
    /// Its variables.
    public var variableDefinitions: [VariableDefinition]
    /// Its directives.
    public var directives: NodeList<Directive>
    /// What it selects from the root type.
    public var selectionSet: SelectionSet
    /// Where it stands.
    public var range: SourceRange

    /// An operation.
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

/// `$name: Type = default @directive` (specification, section 2.10).
public struct VariableDefinition: Sendable {
    /// What stands before it for the reader.
    public var description: StringLiteral?
    /// The variable.
    public var variable: Variable
    /// Its type.
    public var type: TypeReference
    /// Its value if the request has none; it contains no variable.
    public var defaultValue: Literal?
    /// Its directives.
    public var directives: NodeList<Directive>
    /// Where it stands.
    public var range: SourceRange

    /// A variable's definition.
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
    /// Where it stands, with the dollar sign.
    public var range: SourceRange

    /// That variable.
    public init(name: Name, range: SourceRange = .none) {
        self.name = name
        self.range = range
    }
}
