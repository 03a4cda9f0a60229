/// `...Name @directives` (specification, section 2.9).
public struct FragmentSpread: Sendable {
    /// The fragment's name.
    public var name: Name
    /// The directives.
    public var directives: NodeList<Directive>
    /// The range in the source text.
    public var range: SourceRange

    /// Creates a fragment spread.
    public init(name: Name, directives: NodeList<Directive> = [], range: SourceRange = .none) {
        self.name = name
        self.directives = directives
        self.range = range
    }
}

/// `... on Type @directives { … }` (specification, section 2.9.2).
public struct InlineFragment: Sendable {
    /// The required type of the object; nil if every type matches.
    public var typeCondition: Name?
    /// The directives.
    public var directives: NodeList<Directive>
    /// The selections of the fragment.
    public var selectionSet: SelectionSet
    /// The range in the source text.
    public var range: SourceRange

    /// Creates an inline fragment.
    public init(
        typeCondition: Name? = nil, directives: NodeList<Directive> = [], selectionSet: SelectionSet,
        range: SourceRange = .none
    ) {
        self.typeCondition = typeCondition
        self.directives = directives
        self.selectionSet = selectionSet
        self.range = range
    }
}

/// `fragment Name on Type @directives { … }` (specification, section 2.9).
public struct FragmentDefinition: Sendable {
    /// The description, if present.
    public var description: StringLiteral?
    /// The name.
    public var name: Name
    /// The required type of the object.
    public var typeCondition: Name
    /// The directives.
    public var directives: NodeList<Directive>
    /// The selections of the fragment.
    public var selectionSet: SelectionSet
    /// The range in the source text.
    public var range: SourceRange

    /// Creates a fragment definition.
    public init(
        description: StringLiteral? = nil, name: Name, typeCondition: Name, directives: NodeList<Directive> = [],
        selectionSet: SelectionSet, range: SourceRange = .none
    ) {
        self.description = description
        self.name = name
        self.typeCondition = typeCondition
        self.directives = directives
        self.selectionSet = selectionSet
        self.range = range
    }
}
