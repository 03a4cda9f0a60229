public import HTTPTypes

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

/// A condition under which the server performs a request (RFC 9110 §13.1).
///
/// If the condition of a read with `If-None-Match` is false, the server responds with status 304. If any other
/// condition is false, the server responds with status 412. The client reports both responses as a ``WebServiceError``.
public enum Precondition: Sendable, Hashable {
    /// The resource still has the state that the tag identifies. The tag must be strong.
    case ifMatch(EntityTag)
    /// The resource exists.
    case ifMatchAny
    /// The resource no longer has the state that the tag identifies.
    case ifNoneMatch(EntityTag)
    /// The resource does not exist yet.
    case ifNoneMatchAny

    /// The header field of the condition.
    public var field: HTTPField {
        switch self {
        case .ifMatch(let tag): HTTPField(name: .ifMatch, value: tag.description)
        case .ifMatchAny: HTTPField(name: .ifMatch, value: "*")
        case .ifNoneMatch(let tag): HTTPField(name: .ifNoneMatch, value: tag.description)
        case .ifNoneMatchAny: HTTPField(name: .ifNoneMatch, value: "*")
        }
    }
}
