public import HTTPTypes

/// An HTTP request and its response. The client may need several exchanges for one operation.
public struct GraphQLExchange: Sendable, Hashable {
    /// The representation of the document in a request.
    public enum Content: Sendable, Hashable {
        /// The document text.
        case document
        /// The document hash.
        case hash
        /// The document text and the hash under which the server registers it.
        case hashAndDocument
        /// The identifier of the document in a manifest.
        case identifier
    }

    /// The method of the request.
    public var method: HTTPRequest.Method
    /// The representation of the document in the request.
    public var content: Content
    /// The status of the response.
    public var status: HTTPResponse.Status
    /// The size of the request's path, query and body in bytes. The other parts of a request do not depend on the
    /// operation.
    public var sentBytes: Int
    /// The size of the response body in bytes: the encoded size if the transport reports it, otherwise the decoded
    /// size.
    public var receivedBytes: Int

    /// Creates an exchange.
    public init(
        method: HTTPRequest.Method, content: Content, status: HTTPResponse.Status, sentBytes: Int, receivedBytes: Int
    ) {
        self.method = method
        self.content = content
        self.status = status
        self.sentBytes = sentBytes
        self.receivedBytes = receivedBytes
    }
}
