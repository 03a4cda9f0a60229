public import HTTPTypes

/// One HTTP request and its response, of the one or more that an operation took.
public struct GraphQLExchange: Sendable, Hashable {
    /// What a request has for a document.
    public enum Content: Sendable, Hashable {
        /// Its text.
        case document
        /// Its hash.
        case hash
        /// Its text, and its hash to register it under.
        case hashAndDocument
        /// The identifier that a manifest has for it.
        case identifier
    }

    /// The method of the request.
    public var method: HTTPRequest.Method
    /// What the request has for the document.
    public var content: Content
    /// The status of the response.
    public var status: HTTPResponse.Status
    /// The number of bytes of the request that depend on the operation: path, query and body.
    public var sentBytes: Int
    /// The number of bytes of the response's body on the network, if the response says it; otherwise of the decoded body.
    public var receivedBytes: Int

    /// An exchange of these parts.
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
