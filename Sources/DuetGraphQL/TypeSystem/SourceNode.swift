/// The node that an element of a schema was created from, with the source text that contains it.
public struct SourceNode<Node: Sendable>: Sendable {
    /// The node.
    public let node: Node
    /// The source text that contains the node.
    public let source: Source

    /// Creates a pair of a node and its source text.
    public init(_ node: Node, in source: Source) {
        self.node = node
        self.source = source
    }

    /// Returns the location at which a part of the node starts.
    public func location(_ range: (Node) -> SourceRange) -> SourceLocation { source.location(of: range(node)) }
}
