/// All selections, arguments and directives of a document. What belongs to one list lies together.
public final class DocumentNodes: @unchecked Sendable {
    // The parser that makes them is the only one to write, and it does so once, before anybody else can see them.
    @exclusivity(unchecked)
    private(set) var names = NodeBuffer<String>(capacity: 0)
    @exclusivity(unchecked)
    private(set) var selections = NodeBuffer<StoredSelection>(capacity: 0)
    @exclusivity(unchecked)
    private(set) var arguments: NodeBuffer<Argument>
    @exclusivity(unchecked)
    private(set) var directives: NodeBuffer<Directive>
    /// Selections that a program made; the others are empty then.
    let madeSelections: [Selection]

    init(selections: [Selection] = [], arguments: [Argument] = [], directives: [Directive] = []) {
        madeSelections = selections
        self.arguments = NodeBuffer(arguments)
        self.directives = NodeBuffer(directives)
    }

    func fill(
        names: consuming NodeBuffer<String>, selections: consuming NodeBuffer<StoredSelection>,
        arguments: consuming NodeBuffer<Argument>, directives: consuming NodeBuffer<Directive>
    ) {
        self.names = names
        self.selections = selections
        self.arguments = arguments
        self.directives = directives
    }
}

extension Argument: DocumentNode {
    /// The one at that place.
    @inline(__always)
    public static func node(_ position: Int, of nodes: DocumentNodes) -> Argument { nodes.arguments[position] }

    /// What a list of those lies in.
    public static func nodes(of elements: [Argument]) -> DocumentNodes { DocumentNodes(arguments: elements) }
}

extension Directive: DocumentNode {
    /// The one at that place.
    @inline(__always)
    public static func node(_ position: Int, of nodes: DocumentNodes) -> Directive {
        var directive = nodes.directives[position]
        directive.arguments = directive.arguments.taken(from: nodes)
        return directive
    }

    /// What a list of those lies in.
    public static func nodes(of elements: [Directive]) -> DocumentNodes { DocumentNodes(directives: elements) }
}

extension Selection: DocumentNode {
    /// The one at that place.
    @inline(__always)
    public static func node(_ position: Int, of nodes: DocumentNodes) -> Selection {
        nodes.madeSelections.isEmpty
            ? nodes.selections[position].selection(in: nodes) : nodes.madeSelections[position]
    }

    /// What a list of those lies in.
    public static func nodes(of elements: [Selection]) -> DocumentNodes { DocumentNodes(selections: elements) }
}
