public import DuetGraphQL
public import HTTPTypes
internal import NIOCore

/// The media types of GraphQL responses.
public enum GraphQLMediaType: Sendable, Hashable, CaseIterable {
    /// `application/json`, for all clients.
    case json
    /// `application/graphql-response+json`, for clients of GraphQL over HTTP.
    case graphQLResponse
    /// `application/graphql+json`, the name of ``graphQLResponse`` in drafts before 2022.
    case graphQL
    /// `multipart/mixed`: a response in parts.
    case multipartMixed
    /// `text/event-stream`: the responses of a subscription as server-sent events.
    case eventStream
    /// `text/html`: a page with a query editor.
    case html

    /// `Content-Type` of a response.
    public var contentType: String {
        switch self {
        case .json: "application/json; charset=utf-8"
        case .graphQLResponse: "application/graphql-response+json; charset=utf-8"
        case .graphQL: "application/graphql+json; charset=utf-8"
        case .multipartMixed: MultipartMixedWriter.contentType
        case .eventStream: EventStreamWriter.contentType
        case .html: "text/html; charset=utf-8"
        }
    }

    /// True for the GraphQL media types: `application/graphql-response+json` and `application/graphql+json`. With these
    /// types, the status of a response shows whether the operation was executed.
    var isGraphQL: Bool { self == .graphQLResponse || self == .graphQL }

    var name: String {
        String(contentType.prefix { $0 != ";" })
    }

    /// Returns the body of a response without subsequent parts. For `multipart/mixed`, the JSON becomes the only part
    /// of a multipart body, and for `text/event-stream`, the only response. For all other types, the body is the JSON.
    func framed(_ json: ByteBuffer) -> ByteBuffer {
        switch self {
        case .multipartMixed:
            var writer = MultipartMixedWriter()
            return writer.part(json, isLast: true)
        case .eventStream: return GraphQLEvents.events(of: json)
        default: return json
        }
    }

    /// Returns the status of a response with this media type.
    ///
    /// With a GraphQL media type, the status is 200 for a response with `data`, and 400 for a response without `data`.
    /// The draft requires 2xx and 4xx ("Status Codes"). Since April 2026, it recommends 294 for data with errors and
    /// 422 for invalid documents. However, the audits of `graphql-http` expect 200 and 400.
    ///
    /// With any other media type, the status is always 200. A client that only accepts `application/json` cannot
    /// distinguish another status from the failure of a proxy.
    public func status(for response: GraphQLResponse) -> HTTPResponse.Status {
        isGraphQL && response.kind == .requestError ? .badRequest : .ok
    }
}
