public import DuetGraphQL
public import HTTPTypes

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
