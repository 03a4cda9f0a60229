/// The functions that validation rules add, and that a ``DocumentWalker`` calls during its walk of a document. Each
/// rule adds functions only for the kinds of nodes that it checks, so a walk makes no unnecessary calls.
///
/// The functions are called in the order of the text. The "leave" functions are called after everything inside the
/// node.
public struct DocumentVisitor {
    /// A function that visits a node.
    public typealias Visit<Node> = (Node) -> Void

    /// Functions that enter a definition.
    public var enterDefinition: [Visit<Definition>] = []
    /// Functions that enter an operation.
    public var enterOperation: [Visit<OperationDefinition>] = []
    /// Functions that leave an operation.
    public var leaveOperation: [Visit<OperationDefinition>] = []
    /// Functions that enter a fragment definition.
    public var enterFragment: [Visit<FragmentDefinition>] = []
    /// Functions that leave a fragment definition.
    public var leaveFragment: [Visit<FragmentDefinition>] = []
    /// Functions that enter a variable definition. ``ValidationContext/inputType`` is the type of the variable.
    public var enterVariableDefinition: [Visit<VariableDefinition>] = []
    /// Functions that leave a variable definition.
    public var leaveVariableDefinition: [Visit<VariableDefinition>] = []
    /// Functions that enter a selection set. ``ValidationContext/parentType`` is the type from which the fields are
    /// selected.
    public var enterSelectionSet: [Visit<SelectionSet>] = []
    /// Functions that leave a selection set.
    public var leaveSelectionSet: [Visit<SelectionSet>] = []
    /// Functions that enter a field. The context contains the field's definition and type.
    public var enterField: [Visit<Field>] = []
    /// Functions that leave a field.
    public var leaveField: [Visit<Field>] = []
    /// Functions that visit a fragment spread.
    public var enterFragmentSpread: [Visit<FragmentSpread>] = []
    /// Functions that enter an inline fragment. ``ValidationContext/type`` is the fragment's type condition, or the
    /// parent type if there is no condition.
    public var enterInlineFragment: [Visit<InlineFragment>] = []
    /// Functions that enter an argument of a field or directive. The context contains the argument's definition and
    /// input type.
    public var enterArgument: [Visit<Argument>] = []
    /// Functions that visit all directives of a node, if it has any.
    public var enterDirectives: [(DirectiveSite, NodeList<Directive>) -> Void] = []
    /// Functions that enter a directive. The context contains the directive's definition.
    public var enterDirective: [(Directive, DirectiveLocation) -> Void] = []
    /// Functions that leave a directive.
    public var leaveDirective: [(Directive, DirectiveLocation) -> Void] = []
    /// Functions that enter a literal, or a variable in the position of a value. The context contains the input type.
    public var enterLiteral: [Visit<Literal>] = []
    /// Functions that leave a literal.
    public var leaveLiteral: [Visit<Literal>] = []
    /// Functions that enter a field of an input object literal.
    public var enterLiteralField: [Visit<LiteralField>] = []
    /// Functions that visit the name of a type. The Boolean is true in a type-system definition.
    public var enterTypeName: [(Name, Bool) -> Void] = []
    /// Functions that are called after the whole document.
    public var leaveDocument: [() -> Void] = []

    /// Creates a visitor without functions.
    public init() {}
}

/// The element that directives apply to. The directives of one element must be unique. A type and its extensions are
/// one element.
public enum DirectiveSite: Hashable, Sendable {
    /// The schema definition and its extensions.
    case schema
    /// The definition of a type and its extensions.
    case type(String)
    /// Any other element.
    case other
}
