/// A GraphQL document: executable definitions, type-system definitions and extensions, or both (specification, section
/// 2.3).
public struct Document: Sendable {
    /// The source text, which gives the line and the column of each node.
    public var source: Source
    /// The definitions in the order of the text. A parsed document has at least one.
    public var definitions: [Definition]

    /// Creates a document from the definitions.
    public init(source: Source = Source([]), definitions: [Definition]) {
        self.source = source
        self.definitions = definitions
    }

    /// The operations, in order.
    public var operations: [OperationDefinition] {
        definitions.compactMap { if case .operation(let operation) = $0 { operation } else { nil } }
    }

    /// The fragment definitions, in order.
    public var fragments: [FragmentDefinition] {
        definitions.compactMap { if case .fragment(let fragment) = $0 { fragment } else { nil } }
    }
}

/// One definition of a document.
public enum Definition: Sendable {
    /// `query`, `mutation`, `subscription`, or a selection set alone.
    case operation(OperationDefinition)
    /// `fragment Name on Type`.
    case fragment(FragmentDefinition)
    /// `schema { … }`.
    case schema(SchemaDefinition)
    /// `extend schema …`.
    case schemaExtension(SchemaDefinition)
    /// `scalar`, `type`, `interface`, `union`, `enum` or `input`.
    case type(TypeDefinition)
    /// An extension of a type, such as `extend type`.
    case typeExtension(TypeDefinition)
    /// `directive @name on …`.
    case directive(DirectiveDefinition)

    /// The range in the source text, including the description.
    public var range: SourceRange {
        switch self {
        case .operation(let definition): definition.range
        case .fragment(let definition): definition.range
        case .schema(let definition), .schemaExtension(let definition): definition.range
        case .type(let definition), .typeExtension(let definition): definition.range
        case .directive(let definition): definition.range
        }
    }

    /// True if the definition is an operation or a fragment.
    public var isExecutable: Bool {
        switch self {
        case .operation, .fragment: true
        default: false
        }
    }
}
