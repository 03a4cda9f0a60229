public import DuetGraphQL
public import HTTPTypes
public import NIOCore

/// The HTTP response of a GraphQL endpoint.
public struct GraphQLHTTPResponse: Sendable {
    /// The status.
    public var status: HTTPResponse.Status
    /// The header fields: `Content-Type`, `Cache-Control` and `Vary`, and those of an error, such as `Allow`.
    public var headerFields: HTTPFields
    /// The content. It is JSON in UTF-8.
    public var body: ByteBuffer
    /// The errors of the content, for a log: an ``GraphQLError/underlyingError`` is not part of the content.
    public var errors: [GraphQLError]

    /// The status code.
    public var statusCode: Int { status.code }

    /// The names and values of the header fields, for servers without swift-http-types.
    public var headerFieldPairs: [(name: String, value: String)] { headerFields.pairs }

    /// The content as bytes.
    public var bytes: [UInt8] { Array(body.readableBytesView) }
}

extension GraphQLHTTPResponse {
    /// Makes the response to a request that the server refuses for a reason of its own, such as 401 or 429.
    /// - Parameters:
    ///   - error: the error. It has the status and the header fields of the response.
    ///   - request: the request. It has the media types that the client accepts.
    public init(_ error: GraphQLRequestError, to request: GraphQLHTTPRequest) {
        self.init(error, (try? request.mediaType()) ?? .json)
    }

    init(_ response: GraphQLResponse, _ mediaType: GraphQLMediaType) {
        let response = response.coded()
        self.init(
            status: mediaType.status(for: response),
            headerFields: Self.fields(mediaType, response.cachePolicy?.cacheControl() ?? "no-store"),
            body: response.body, errors: response.errors)
    }

    init(_ error: GraphQLRequestError, _ mediaType: GraphQLMediaType) {
        var fields = Self.fields(mediaType, "no-store")
        for field in error.fields { fields[field.name] = field.value }
        self.init(
            status: mediaType.isGraphQL ? error.status : error.statusOfJSON, headerFields: fields,
            body: error.response.body, errors: [error.error])
    }

    private static func fields(_ mediaType: GraphQLMediaType, _ cacheControl: String) -> HTTPFields {
        [.contentType: mediaType.contentType, .cacheControl: cacheControl, .vary: "Accept"]
    }
}
