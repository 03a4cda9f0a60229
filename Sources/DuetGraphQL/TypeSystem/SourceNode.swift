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

/// An argument of a directive in a document, for an error about the value that was read from it.
struct DirectiveArgument {
    /// The value as written in a document.
    let text: String
    let location: SourceLocation
}

extension SourceNode {
    /// Returns an argument of the first directive with the name.
    func argument(
        _ name: String, of directive: String, in directives: (Node) -> NodeList<Directive>
    ) -> DirectiveArgument? {
        guard let directive = directives(node).first(where: { $0.name.value == directive }),
            let argument = directive.arguments.first(where: { $0.name.value == name })
        else { return nil }
        return DirectiveArgument(
            text: Printer.print(argument.value), location: source.location(of: argument.value.range))
    }

    /// Returns the location of the first directive with the name.
    func location(of directive: String, in directives: (Node) -> NodeList<Directive>) -> SourceLocation? {
        directives(node).first { $0.name.value == directive }.map { source.location(of: $0.range) }
    }
}

extension [SourceNode<TypeDefinition>] {
    /// Returns an argument of the first directive with the name, on the definition or an extension of the type.
    func argument(_ name: String, of directive: String) -> DirectiveArgument? {
        for definition in self {
            if let argument = definition.argument(name, of: directive, in: \.directives) { return argument }
        }
        return nil
    }
}
