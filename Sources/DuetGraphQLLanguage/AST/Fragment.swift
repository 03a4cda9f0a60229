/// `...Name @directives` (specification, section 2.8).
public struct FragmentSpread: Sendable {
    /// The fragment's name.
    public var name: Name
    /// Its directives.
    public var directives: NodeList<Directive>
    /// Where it stands.
    public var range: SourceRange

    /// A fragment's spread.
    public init(name: Name, directives: NodeList<Directive> = [], range: SourceRange = .none) {
        self.name = name
        self.directives = directives
        self.range = range
    }
}

/// `... on Type @directives { … }` (specification, section 2.8.2).
public struct InlineFragment: Sendable {
    /// The type that the object must have; nil if any will do.
    public var typeCondition: Name?
    /// Its directives.
    public var directives: NodeList<Directive>
    /// What is selected.
    public var selectionSet: SelectionSet
    /// Where it stands.
    public var range: SourceRange

    /// An inline fragment.
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

/// `fragment Name on Type @directives { … }` (specification, section 2.8).
public struct FragmentDefinition: Sendable {
    /// What stands before it for the reader.
    public var description: StringLiteral?
    /// Its name.
    public var name: Name
    /// The type that the object must have.
    public var typeCondition: Name
    /// Its directives.
    public var directives: NodeList<Directive>
    /// What is selected.
    public var selectionSet: SelectionSet
    /// Where it stands.
    public var range: SourceRange

    /// A fragment.
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
