public import HTTPTypes
public import NIOCore

/// An HTTP request to a GraphQL endpoint, from any HTTP server.
public struct GraphQLHTTPRequest: Sendable {
    /// The method.
    public var method: HTTPRequest.Method
    /// The header fields. Only `Accept`, `Content-Type` and `Content-Encoding` are used.
    public var headerFields: HTTPFields
    /// The percent-encoded query of the URL; nil for a URL without a query. The question mark is not part of the query,
    /// but is ignored if it is present.
    public var urlQuery: String?
    /// The content of the request. This module does not limit the size, so the HTTP server must limit it.
    public var body: ByteBuffer

    /// Creates a request.
    public init(
        method: HTTPRequest.Method, headerFields: HTTPFields, urlQuery: String? = nil, body: ByteBuffer = ByteBuffer()
    ) {
        self.method = method
        self.headerFields = headerFields
        self.urlQuery = urlQuery
        self.body = body
    }

    /// Creates a request with a body of bytes.
    public init(
        method: HTTPRequest.Method, headerFields: HTTPFields, urlQuery: String? = nil, body: some Sequence<UInt8>
    ) {
        self.init(method: method, headerFields: headerFields, urlQuery: urlQuery, body: ByteBuffer(bytes: body))
    }

    /// Creates a request from strings, for servers without swift-http-types.
    /// - Parameters:
    ///   - method: The method, such as `GET`.
    ///   - headerFields: The names and values of the header fields. A name that is not valid in HTTP is ignored.
    ///   - urlQuery: The percent-encoded query of the URL; nil for a URL without a query.
    ///   - body: The content of the request.
    public init(
        method: String, headerFields: [(name: String, value: String)], urlQuery: String? = nil,
        body: some Sequence<UInt8> = []
    ) {
        // A text that is not a valid method becomes TRACE, which `graphQLRequest()` rejects.
        self.init(
            method: HTTPRequest.Method(method) ?? .trace, headerFields: HTTPFields(pairs: headerFields),
            urlQuery: urlQuery,
            body: body)
    }

    /// Reads the GraphQL request from the URL of a GET or HEAD request, or from the body of a POST request.
    /// - Throws: An error for any other method, for a body that is not JSON or whose header fields are not those of
    ///   JSON, for a repeated or malformed parameter, and for a parameter of a wrong type.
    public func graphQLRequest() throws(GraphQLRequestError) -> GraphQLRequest {
        switch method {
        case .get, .head:
            // Some servers pass the question mark as a part of the query.
            return try GraphQLRequest(
                urlQuery: urlQuery?.hasPrefix("?") == true ? urlQuery.map { String($0.dropFirst()) } : urlQuery)
        case .post:
            try GraphQLRequestBody.checkFields(headerFields)
            guard case .single(let request) = try GraphQLRequestBody(body.readableBytesView) else {
                throw .malformed("The body must be a JSON object.")
            }
            return request
        default:
            throw .methodNotAllowed(method)
        }
    }
}
