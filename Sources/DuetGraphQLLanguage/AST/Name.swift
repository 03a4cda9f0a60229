/// A name where it stands in a document (specification, section 2.1.9).
public struct Name: Sendable {
    /// The name.
    public var value: String
    /// Its first byte in the source.
    public var start: UInt32

    /// A name; one made by a program has no place.
    public init(_ value: String, start: UInt32 = 0) {
        self.value = value
        self.start = start
    }

    /// The bytes it was read from.
    public var range: SourceRange { SourceRange(start: start, end: start + UInt32(value.utf8.count)) }
}
