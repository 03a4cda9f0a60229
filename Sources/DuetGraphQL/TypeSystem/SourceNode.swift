/// The node that an element of a schema was made from, and the text it stands in.
public struct SourceNode<Node: Sendable>: Sendable {
    /// The node.
    public let node: Node
    /// Its text.
    public let source: Source

    /// That node in that text.
    public init(_ node: Node, in source: Source) {
        self.node = node
        self.source = source
    }

    /// Where some part of the node begins.
    public func location(_ range: (Node) -> SourceRange) -> SourceLocation { source.location(of: range(node)) }
}
