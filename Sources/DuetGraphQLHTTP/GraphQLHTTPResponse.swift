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
        let negotiation = try? GraphQLNegotiation(request.headerFields, offersPage: false, offersParts: false)
        self.init(CompleteResponse(error, as: negotiation?.mediaType ?? .json), method: request.method)
    }

    /// Creates the response to a request with a method.
    init(_ response: CompleteResponse, method: HTTPRequest.Method) {
        // With a maximum age of 0, a cache would have to revalidate the response before each use. A cache cannot do
        // this, because the response has no validator. The response is therefore `no-store`.
        let policy = method == .post ? nil : response.cachePolicy.flatMap { $0.maxAge > 0 ? $0 : nil }
        var fields = Self.fields(response.mediaType, policy?.cacheControl() ?? "no-store")
        for field in response.fields { fields[field.name] = field.value }
        self.init(status: response.status, headerFields: fields, errors: response.errors)
        if method != .head { body = response.body }
    }

    static func fields(_ mediaType: GraphQLMediaType, _ cacheControl: String) -> HTTPFields {
        [.contentType: mediaType.contentType, .cacheControl: cacheControl, .vary: "Accept"]
    }
}

/// The HTTP response of a GraphQL endpoint, in one or several parts.
public enum GraphQLHTTPIncrementalResponse: Sendable {
    /// A response in one part, because the client does not accept several parts, because nothing is deferred or
    /// streamed, or because the request has an error.
    case single(GraphQLHTTPResponse)
    /// A response in several parts.
    case incremental(GraphQLMultipartResponse)
}

/// An HTTP response in parts, with the media type `multipart/mixed` ([incremental delivery over
/// HTTP](https://github.com/graphql/graphql-over-http/blob/main/rfcs/IncrementalDelivery.md)). The results have the
/// JSON format that graphql-js uses since 17.0.0-alpha.9.
public struct GraphQLMultipartResponse: Sendable {
    /// The status. It is 200.
    public let status = HTTPResponse.Status.ok
    /// The header fields: `Content-Type`, `Cache-Control` and `Vary`.
    public var headerFields: HTTPFields
    /// The parts of the body.
    public let parts: MultipartMixedParts
    /// The errors of the initial result, for a log.
    public let errors: [GraphQLError]

    /// The status code.
    public var statusCode: Int { status.code }

    /// The names and values of the header fields, for servers without swift-http-types.
    public var headerFieldPairs: [(name: String, value: String)] { headerFields.pairs }
}

extension HTTPFields {
    /// Creates fields from pairs of a name and a value. A name that is not valid in HTTP is ignored.
    init(pairs: [(name: String, value: String)]) {
        self.init()
        for (name, value) in pairs {
            guard let name = HTTPField.Name(name) else { continue }
            append(HTTPField(name: name, value: value))
        }
    }

    /// The names in their original case, and the values.
    var pairs: [(name: String, value: String)] { map { ($0.name.rawName, $0.value) } }
}
