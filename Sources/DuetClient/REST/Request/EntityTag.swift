/// An entity tag (RFC 9110 §8.8.3), which identifies a state of a representation.
public struct EntityTag: Sendable, Hashable, LosslessStringConvertible {
    /// The text between the quotes.
    public let opaque: String
    /// True for a weak tag. Equal weak tags mean equivalent content, but not necessarily equal bytes.
    public let isWeak: Bool

    /// Parses the tag of a header field, such as `"abc"` or `W/"abc"`. Returns `nil` for any other text.
    public init?(_ description: String) {
        var text = description[...]
        isWeak = text.hasPrefix("W/")
        if isWeak { text = text.dropFirst(2) }
        guard text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return nil }
        text = text.dropFirst().dropLast()
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != 0x7F }) else { return nil }
        opaque = String(text)
    }

    /// The tag in the format of a header field.
    public var description: String { "\(isWeak ? "W/" : "")\"\(opaque)\"" }
}
