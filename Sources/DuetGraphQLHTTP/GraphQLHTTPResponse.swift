public import DuetGraphQL
public import HTTPTypes
public import NIOCore

/// The HTTP response of a GraphQL endpoint.
public struct GraphQLHTTPResponse: Sendable {
    /// The status.
    public var status: HTTPResponse.Status
    /// The header fields: `Content-Type`, `Cache-Control`, `Vary`, and the fields of an error, such as `Allow`.
    public var headerFields: HTTPFields
    /// The content: JSON in UTF-8. If the client prefers `multipart/mixed`, `respondIncrementally` returns the JSON as
    /// the only part of a multipart body. The content is empty for HEAD.
    public var body = ByteBuffer()
    /// The errors of the content, for a log. The content omits each `GraphQLError.underlyingError`.
    public var errors: [GraphQLError]

    /// The status code.
    public var statusCode: Int { status.code }

    /// The names and values of the header fields, for servers without swift-http-types.
    public var headerFieldPairs: [(name: String, value: String)] { headerFields.pairs }

    /// The content as bytes.
    public var bytes: [UInt8] { Array(body.readableBytesView) }
}

extension GraphQLHTTPResponse {
    /// Creates the response to a request that the server rejects, for example with 401 or 429.
    /// - Parameters:
    ///   - error: The error. It contains the status and the header fields of the response.
    ///   - request: The request. It contains the media types that the client accepts.
    public init(_ error: GraphQLRequestError, to request: GraphQLHTTPRequest) {
        self.init(error, (try? request.negotiation(offersParts: false).mediaType) ?? .json, to: request)
    }

    /// Creates the response to a request whose operation was executed, or whose document cannot be executed.
    init(_ response: GraphQLResponse, _ mediaType: GraphQLMediaType, to request: GraphQLHTTPRequest) {
        let response = response.coded()
        // With a maximum age of 0, a cache would have to revalidate the response before each use. A cache cannot do
        // this, because the response has no validator. The response is therefore `no-store`.
        let policy = request.method == .post ? nil : response.cachePolicy.flatMap { $0.maxAge > 0 ? $0 : nil }
        self.init(
            status: mediaType.status(for: response),
            headerFields: Self.fields(mediaType, policy?.cacheControl() ?? "no-store"), errors: response.errors)
        if request.method != .head { body = mediaType.framed(response.body) }
    }

    /// Creates the response to a request whose operation is not executed.
    init(_ refusal: RequestRefusal, to request: GraphQLHTTPRequest) {
        switch refusal {
        case .request(let error, let mediaType): self.init(error, mediaType, to: request)
        case .document(let errors, let mediaType):
            self.init(GraphQLResponse(requestErrors: errors), mediaType, to: request)
        }
    }

    private init(_ error: GraphQLRequestError, _ mediaType: GraphQLMediaType, to request: GraphQLHTTPRequest) {
        var fields = Self.fields(mediaType, "no-store")
        for field in error.fields { fields[field.name] = field.value }
        self.init(
            status: mediaType.isGraphQL ? error.status : error.statusOfJSON, headerFields: fields,
            errors: [error.error])
        if request.method != .head { body = mediaType.framed(error.response.body) }
    }

    static func fields(_ mediaType: GraphQLMediaType, _ cacheControl: String) -> HTTPFields {
        [.contentType: mediaType.contentType, .cacheControl: cacheControl, .vary: "Accept"]
    }
}
