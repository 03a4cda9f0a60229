public import HTTPTypes

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
