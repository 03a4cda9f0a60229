/// A list of nodes: the selections of a selection set, the arguments of a field, the directives of anything.
///
/// The lists of a document that was parsed are parts of three long arrays, so that a document of a thousand nodes is a few
/// blocks of memory rather than a thousand. A list made by a program has arrays of its own.
public struct NodeList<Element: DocumentNode>: Sendable {
    /// What the elements lie in. Nil for an empty list, and for one that is itself part of a node in an array of `nodes`: a
    /// node must not keep alive what it lies in. Who takes a node from there sees to it that its lists have it.
    var nodes: DocumentNodes?
    private let start: UInt32
    private let length: UInt32

    init(nodes: DocumentNodes?, start: Int, count: Int) {
        self.nodes = nodes
        self.start = UInt32(truncatingIfNeeded: start)
        length = UInt32(truncatingIfNeeded: count)
    }

    /// No nodes.
    @inline(__always)
    public init() { self.init(nodes: nil, start: 0, count: 0) }

    /// Those nodes.
    public init(_ elements: some Sequence<Element>) {
        let elements = Array(elements)
        self.init(nodes: elements.isEmpty ? nil : Element.nodes(of: elements), start: 0, count: elements.count)
    }

    /// The list as part of a node that was taken out of those nodes.
    @inline(__always)
    func taken(from nodes: DocumentNodes) -> NodeList {
        guard self.nodes == nil, length > 0 else { return self }
        return NodeList(nodes: nodes, start: Int(start), count: Int(length))
    }
}

extension NodeList: RandomAccessCollection {
    /// 0.
    @inline(__always)
    public var startIndex: Int { 0 }

    /// How many nodes there are.
    @inline(__always)
    public var endIndex: Int { Int(length) }

    /// The node at that place.
    public subscript(position: Int) -> Element {
        precondition(position >= 0 && position < endIndex, "there is no such node")
        // Only inside of `DocumentNodes` has a list with elements none.
        return Element.node(Int(start) + position, of: nodes.unsafelyUnwrapped)
    }
}

extension NodeList: ExpressibleByArrayLiteral {
    /// Those nodes.
    public init(arrayLiteral elements: Element...) { self.init(elements) }
}

/// A node that stands in lists: a selection, an argument or a directive.
public protocol DocumentNode: Sendable {
    /// The node at that place.
    static func node(_ position: Int, of nodes: DocumentNodes) -> Self
    /// What a list of those nodes lies in.
    static func nodes(of elements: [Self]) -> DocumentNodes
}
