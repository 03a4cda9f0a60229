/// How much a parser accepts. Whatever the limits, parsing takes time and memory in proportion to the text.
public struct ParserLimits: Sendable, Hashable {
    /// The most bytes a source may have.
    public var sourceBytes: Int
    /// The most tokens a document may have; comments and commas are none.
    public var tokens: Int
    /// How deep selection sets, list and object values, and list types may be nested in one another, together. The parser,
    /// and whatever walks its documents, recurses that deep; at the default a stack of 512 KiB is enough.
    public var depth: Int

    /// Limits for documents that clients send.
    public init(sourceBytes: Int = 2 << 20, tokens: Int = 100_000, depth: Int = 200) {
        self.sourceBytes = sourceBytes
        self.tokens = tokens
        self.depth = depth
    }

    /// Limits for executable documents: 2 MiB, 100,000 tokens, 200 levels.
    public static let request = ParserLimits()
    /// Limits for a service's own type-system documents: 64 MiB, ten million tokens, 200 levels.
    public static let schema = ParserLimits(sourceBytes: 64 << 20, tokens: 10_000_000)
}
