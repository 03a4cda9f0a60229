public import HTTPTypes

/// A condition under which the server carries out a request (RFC 9110 §13.1). If it does not hold, the server answers 412, and 304 to
/// a read with `If-None-Match`; both are a ``WebServiceError``.
public enum Precondition: Sendable, Hashable {
    /// The resource is still in the state that a client has seen. The tag must be a strong one.
    case ifMatch(EntityTag)
    /// The resource exists.
    case ifMatchAny
    /// The resource is no longer in the state that a client has seen.
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
