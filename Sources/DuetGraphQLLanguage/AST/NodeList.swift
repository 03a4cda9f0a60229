/// A list of nodes: the selections of a selection set, the arguments of a field, or the directives of a node.
///
/// All lists of a parsed document share one storage: an array of selections, an array of arguments and an array of
/// directives. Therefore a document of a thousand nodes needs only a few memory allocations. A list that a program
/// creates has a separate storage.
public struct NodeList<Element: DocumentNode>: Sendable {
    /// The storage of the elements; nil for an empty list. A node inside a storage can also have lists. The storage of
    /// these lists is nil, because the storage would otherwise retain itself. Code that reads a node from a storage
    /// sets the storage of the node's lists with `taken(from:)`.
    var nodes: DocumentNodes?
    private let start: UInt32
    private let length: UInt32

    init(nodes: DocumentNodes?, start: Int, count: Int) {
        self.nodes = nodes
        self.start = UInt32(truncatingIfNeeded: start)
        length = UInt32(truncatingIfNeeded: count)
    }

    /// Creates an empty list.
    @inline(__always)
    public init() { self.init(nodes: nil, start: 0, count: 0) }

    /// Creates a list of the nodes.
    public init(_ elements: some Sequence<Element>) {
        let elements = Array(elements)
        self.init(nodes: elements.isEmpty ? nil : Element.nodes(of: elements), start: 0, count: elements.count)
    }

    /// Returns the list with the storage `nodes`. The list must belong to a node that was read from `nodes`.
    @inline(__always)
    func taken(from nodes: DocumentNodes) -> NodeList {
        guard self.nodes == nil, length > 0 else { return self }
        return NodeList(nodes: nodes, start: Int(start), count: Int(length))
    }
}

extension NodeList: RandomAccessCollection {
    /// Always 0.
    @inline(__always)
    public var startIndex: Int { 0 }

    /// The number of nodes.
    @inline(__always)
    public var endIndex: Int { Int(length) }

    /// The node at the position.
    public subscript(position: Int) -> Element {
        precondition(position >= 0 && position < endIndex, "the position is out of range")
        // Only a list inside `DocumentNodes` has elements but no storage.
        return Element.node(Int(start) + position, of: nodes.unsafelyUnwrapped)
    }
}

extension NodeList: ExpressibleByArrayLiteral {
    /// Creates a list of the nodes.
    public init(arrayLiteral elements: Element...) { self.init(elements) }
}

/// A node that occurs in lists: a selection, an argument or a directive.
public protocol DocumentNode: Sendable {
    /// Returns the node at the position.
    static func node(_ position: Int, of nodes: DocumentNodes) -> Self
    /// Returns a storage that contains the nodes.
    static func nodes(of elements: [Self]) -> DocumentNodes
}
