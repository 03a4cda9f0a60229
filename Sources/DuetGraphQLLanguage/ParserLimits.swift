/// The limits of a parser. Regardless of the limits, parsing takes time and memory in proportion to the size of the
/// text.
public struct ParserLimits: Sendable, Hashable {
    /// The maximum size of a source, in bytes.
    public var sourceBytes: Int
    /// The maximum number of tokens of a document. Comments and commas are not tokens.
    public var tokens: Int
    /// The maximum combined nesting depth of selection sets, list and object values, and list types. Code that walks a
    /// document can recurse to this depth. For the default, a stack of 512 KiB is sufficient.
    public var depth: Int

    /// Creates limits for documents that clients send.
    public init(sourceBytes: Int = 2 << 20, tokens: Int = 100_000, depth: Int = 200) {
        self.sourceBytes = sourceBytes
        self.tokens = tokens
        self.depth = depth
    }

    /// Limits for executable documents: 2 MiB, 100,000 tokens, 200 levels.
    public static let request = ParserLimits()
    /// Limits for type-system documents that a service defines, not a client: 64 MiB, ten million tokens, 200 levels.
    public static let schema = ParserLimits(sourceBytes: 64 << 20, tokens: 10_000_000)
}
