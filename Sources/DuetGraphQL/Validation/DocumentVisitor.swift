/// What rules do as a document is walked through: each adds functions for the kinds of nodes it looks at, so that a walk calls
/// nobody who does not care.
///
/// The functions are called in the order of the text; "leave" functions after everything inside the node.
public struct DocumentVisitor {
    /// A function that looks at a node.
    public typealias Visit<Node> = (Node) -> Void

    /// Any definition.
    public var enterDefinition: [Visit<Definition>] = []
    /// An operation.
    public var enterOperation: [Visit<OperationDefinition>] = []
    /// The same, after everything in it.
    public var leaveOperation: [Visit<OperationDefinition>] = []
    /// A fragment definition.
    public var enterFragment: [Visit<FragmentDefinition>] = []
    /// The same, after everything in it.
    public var leaveFragment: [Visit<FragmentDefinition>] = []
    /// A variable's definition; the context's input type is the variable's.
    public var enterVariableDefinition: [Visit<VariableDefinition>] = []
    /// The same, after everything in it.
    public var leaveVariableDefinition: [Visit<VariableDefinition>] = []
    /// A selection set; the context's parent type is the type of its fields.
    public var enterSelectionSet: [Visit<SelectionSet>] = []
    /// The same, after everything in it.
    public var leaveSelectionSet: [Visit<SelectionSet>] = []
    /// A field; the context has its definition and type.
    public var enterField: [Visit<Field>] = []
    /// The same, after everything in it.
    public var leaveField: [Visit<Field>] = []
    /// A fragment's spread.
    public var enterFragmentSpread: [Visit<FragmentSpread>] = []
    /// An inline fragment; the context's type is its type condition.
    public var enterInlineFragment: [Visit<InlineFragment>] = []
    /// An argument of a field or directive; the context has its definition and input type.
    public var enterArgument: [Visit<Argument>] = []
    /// The directives of one node, if there are any.
    public var enterDirectives: [(DirectiveSite, NodeList<Directive>) -> Void] = []
    /// One directive; the context has its definition.
    public var enterDirective: [(Directive, DirectiveLocation) -> Void] = []
    /// The same, after everything in it.
    public var leaveDirective: [(Directive, DirectiveLocation) -> Void] = []
    /// Any literal, a variable's place included; the context has the input type.
    public var enterLiteral: [Visit<Literal>] = []
    /// The same, after everything in it.
    public var leaveLiteral: [Visit<Literal>] = []
    /// A field of an input object's literal.
    public var enterLiteralField: [Visit<LiteralField>] = []
    /// The name of a type; whether it stands in a type-system definition.
    public var enterTypeName: [(Name, Bool) -> Void] = []
    /// After everything.
    public var leaveDocument: [() -> Void] = []

    /// Nothing to do yet.
    public init() {}
}

/// What directives stand on, as far as their uniqueness goes: a type and its extensions are one place.
public enum DirectiveSite: Hashable, Sendable {
    /// The schema definition and its extensions.
    case schema
    /// A type's definition and its extensions.
    case type(String)
    /// Anything else.
    case other
}
