public import Foundation
public import HTTPTypes

/// A response with a 2xx status: its content and its head.
public struct WebServiceResponse<Content> {
    /// The content.
    public var content: Content
    /// The status and the header fields.
    public var head: HTTPResponse
    /// The address of the request.
    public var address: URL

    /// Creates a response.
    public init(_ content: Content, head: HTTPResponse, address: URL) {
        self.content = content
        self.head = head
        self.address = address
    }

    /// The entity tag, which identifies this state of the resource.
    public var entityTag: EntityTag? { head.headerFields[.eTag].flatMap(EntityTag.init) }

    /// A precondition for a write: the resource still has the state of this response.
    /// - Throws: ``WebServiceError`` with the code ``WebServiceError/Code-swift.enum/invalidRequest`` if the response
    ///   has no strong entity tag.
    public var unchanged: Precondition {
        get throws(WebServiceError) {
            guard let entityTag, !entityTag.isWeak else {
                throw WebServiceError(
                    .invalidRequest,
                    "The response has no strong entity tag, which a precondition requires. Write without a precondition, or read a resource whose responses have a strong entity tag.",
                    head: head)
            }
            return .ifMatch(entityTag)
        }
    }

    /// Returns the address of the first link with the relation type (`Link`, RFC 8288), such as `next`.
    public func link(_ relation: String) -> URL? {
        LinkField.target(relation: relation, in: head.headerFields)
            .flatMap { URL(string: $0, relativeTo: address)?.absoluteURL }
    }

    /// Returns the response with transformed content.
    public func map<Other, Failure: Error>(
        _ transform: (Content) throws(Failure) -> Other
    ) throws(Failure) -> WebServiceResponse<Other> {
        WebServiceResponse<Other>(try transform(content), head: head, address: address)
    }
}

extension WebServiceResponse: Sendable where Content: Sendable {}
