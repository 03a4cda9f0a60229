/// The storage of all selections, arguments and directives of a document. The nodes of a list are adjacent.
public final class DocumentNodes: @unchecked Sendable {
    // Only the parser writes to these buffers. It writes once, before another thread can access them.
    @exclusivity(unchecked)
    private(set) var names = NodeBuffer<String>(capacity: 0)
    @exclusivity(unchecked)
    private(set) var selections = NodeBuffer<StoredSelection>(capacity: 0)
    @exclusivity(unchecked)
    private(set) var arguments: NodeBuffer<Argument>
    @exclusivity(unchecked)
    private(set) var directives: NodeBuffer<Directive>
    /// The selections of a list that a program created, not the parser. If this array is not empty, the buffers are
    /// empty.
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
    /// Returns the node at the position.
    @inline(__always)
    public static func node(_ position: Int, of nodes: DocumentNodes) -> Argument { nodes.arguments[position] }

    /// Returns a storage that contains the nodes.
    public static func nodes(of elements: [Argument]) -> DocumentNodes { DocumentNodes(arguments: elements) }
}

extension Directive: DocumentNode {
    /// Returns the node at the position.
    @inline(__always)
    public static func node(_ position: Int, of nodes: DocumentNodes) -> Directive {
        var directive = nodes.directives[position]
        directive.arguments = directive.arguments.taken(from: nodes)
        return directive
    }

    /// Returns a storage that contains the nodes.
    public static func nodes(of elements: [Directive]) -> DocumentNodes { DocumentNodes(directives: elements) }
}

extension Selection: DocumentNode {
    /// Returns the node at the position.
    @inline(__always)
    public static func node(_ position: Int, of nodes: DocumentNodes) -> Selection {
        nodes.madeSelections.isEmpty
            ? nodes.selections[position].selection(in: nodes) : nodes.madeSelections[position]
    }

    /// Returns a storage that contains the nodes.
    public static func nodes(of elements: [Selection]) -> DocumentNodes { DocumentNodes(selections: elements) }
}
