/// A name with its position in a document (specification, section 2.1.8).
public struct Name: Sendable {
    /// The text of the name.
    public var value: String
    /// The offset of the first byte in the source.
    public var start: UInt32

    /// Creates a name. A name that a program creates has no position.
    public init(_ value: String, start: UInt32 = 0) {
        self.value = value
        self.start = start
    }

    /// The range in the source text.
    public var range: SourceRange { SourceRange(start: start, end: start + UInt32(value.utf8.count)) }
}
