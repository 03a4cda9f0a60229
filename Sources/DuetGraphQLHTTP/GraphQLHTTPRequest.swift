public import HTTPTypes
public import NIOCore

/// An HTTP request to a GraphQL endpoint, from any HTTP server.
public struct GraphQLHTTPRequest: Sendable {
    /// The method.
    public var method: HTTPRequest.Method
    /// The header fields. `Accept`, `Content-Type` and `Content-Encoding` are read.
    public var headerFields: HTTPFields
    /// The query of the URL, percent-encoded. It follows the question mark; a question mark at its beginning is ignored.
    public var urlQuery: String?
    /// The content of the request. The server limits its size.
    public var body: ByteBuffer

    /// Makes a request.
    public init(
        method: HTTPRequest.Method, headerFields: HTTPFields, urlQuery: String? = nil, body: ByteBuffer = ByteBuffer()
    ) {
        self.method = method
        self.headerFields = headerFields
        self.urlQuery = urlQuery
        self.body = body
    }

    /// Makes a request with a body of bytes.
    public init(
        method: HTTPRequest.Method, headerFields: HTTPFields, urlQuery: String? = nil, body: some Sequence<UInt8>
    ) {
        self.init(method: method, headerFields: headerFields, urlQuery: urlQuery, body: ByteBuffer(bytes: body))
    }

    /// Makes a request of strings, for servers without swift-http-types.
    /// - Parameters:
    ///   - method: the method, such as `GET`.
    ///   - headerFields: the names and values of the header fields. A name that is not valid in HTTP is ignored.
    ///   - urlQuery: the query of the URL, still percent-encoded; nil without a question mark.
    ///   - body: the content of the request.
    public init(
        method: String, headerFields: [(name: String, value: String)], urlQuery: String? = nil,
        body: some Sequence<UInt8> = []
    ) {
        // Text that is not the name of a method is refused as any method but GET, HEAD and POST.
        self.init(
            method: HTTPRequest.Method(method) ?? .trace, headerFields: HTTPFields(pairs: headerFields),
            urlQuery: urlQuery,
            body: body)
    }

    /// Chooses the media type of the response.
    /// - Throws: ``GraphQLRequestError/notAcceptable``.
    func negotiation(offersParts: Bool) throws(GraphQLRequestError) -> GraphQLNegotiation {
        try GraphQLNegotiation(headerFields, offersPage: false, offersParts: offersParts)
    }

    /// Reads the GraphQL request: from the URL with GET, from the body with POST.
    /// - Throws: an error for another method, for a body that is no JSON, and for JSON that is no request.
    public func graphQLRequest() throws(GraphQLRequestError) -> GraphQLRequest {
        switch method {
        case .get, .head:
            // Some servers count the question mark as part of the query.
            return try GraphQLRequest(
                urlQuery: urlQuery?.hasPrefix("?") == true ? urlQuery.map { String($0.dropFirst()) } : urlQuery)
        case .post:
            try GraphQLRequestBody.checkFields(headerFields)
            guard case .single(let request) = try GraphQLRequestBody(body.readableBytesView) else {
                throw .malformed("The body must be a JSON object.")
            }
            return request
        default:
            throw GraphQLRequestError(
                .methodNotAllowed, "METHOD_NOT_ALLOWED", "The method \(method) is not allowed. Use GET or POST.",
                fields: [.allow: "GET, HEAD, POST"])
        }
    }
}
