/// The selections on an object, in braces (specification, section 2.5).
public struct SelectionSet: Sendable {
    /// The selections in the order of the text. A parsed selection set has at least one.
    public var selections: NodeList<Selection>
    /// The range in the source text.
    public var range: SourceRange

    /// Creates a selection set.
    public init(selections: NodeList<Selection>, range: SourceRange = .none) {
        self.selections = selections
        self.range = range
    }
}

/// One selection.
public enum Selection: Sendable {
    /// A field.
    case field(Field)
    /// `...Name`.
    case fragmentSpread(FragmentSpread)
    /// `... on Type { … }`.
    case inlineFragment(InlineFragment)

    /// The range in the source text.
    public var range: SourceRange {
        switch self {
        case .field(let field): field.range
        case .fragmentSpread(let spread): spread.range
        case .inlineFragment(let fragment): fragment.range
        }
    }

    /// The directives.
    public var directives: NodeList<Directive> {
        switch self {
        case .field(let field): field.directives
        case .fragmentSpread(let spread): spread.directives
        case .inlineFragment(let fragment): fragment.directives
        }
    }
}

/// `alias: name(arguments) @directives { … }` (specification, section 2.6).
public struct Field: Sendable {
    /// The alias, which replaces the name as the key in the response.
    public var alias: Name?
    /// The field's name.
    public var name: Name
    /// The arguments.
    public var arguments: NodeList<Argument>
    /// The directives.
    public var directives: NodeList<Directive>
    /// The selections on the field's value; nil if there are none, as for a field of a scalar or enum type.
    public var selectionSet: SelectionSet?
    /// The range in the source text.
    public var range: SourceRange

    /// Creates a field.
    public init(
        alias: Name? = nil, name: Name, arguments: NodeList<Argument> = [], directives: NodeList<Directive> = [],
        selectionSet: SelectionSet? = nil, range: SourceRange = .none
    ) {
        self.alias = alias
        self.name = name
        self.arguments = arguments
        self.directives = directives
        self.selectionSet = selectionSet
        self.range = range
    }

    /// The key of the field in the response.
    public var responseName: String { alias?.value ?? name.value }
}

/// `name: value` (specification, section 2.7).
public struct Argument: Sendable {
    /// The argument's name.
    public var name: Name
    /// The value.
    public var value: Literal
    /// The range in the source text.
    public var range: SourceRange

    /// Creates an argument.
    public init(name: Name, value: Literal, range: SourceRange = .none) {
        self.name = name
        self.value = value
        self.range = range
    }
}

/// `@name(arguments)` (specification, section 2.13).
public struct Directive: Sendable {
    /// The name, without the `@` sign.
    public var name: Name
    /// The arguments.
    public var arguments: NodeList<Argument>
    /// The range in the source text.
    public var range: SourceRange

    /// Creates a directive.
    public init(name: Name, arguments: NodeList<Argument> = [], range: SourceRange = .none) {
        self.name = name
        self.arguments = arguments
        self.range = range
    }
}
