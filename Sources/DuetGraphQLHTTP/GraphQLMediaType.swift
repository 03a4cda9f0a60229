public import DuetGraphQL
public import HTTPTypes
package import NIOCore

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
    /// `text/html`: a page with a query editor.
    case html

    /// `Content-Type` of a response.
    public var contentType: String {
        switch self {
        case .json: "application/json; charset=utf-8"
        case .graphQLResponse: "application/graphql-response+json; charset=utf-8"
        case .graphQL: "application/graphql+json; charset=utf-8"
        case .multipartMixed: MultipartMixedWriter.contentType
        case .html: "text/html; charset=utf-8"
        }
    }

    /// True for the media types of GraphQL. With these types, the status of a response shows whether the operation was
    /// executed.
    package var isGraphQL: Bool { self == .graphQLResponse || self == .graphQL }

    var name: String {
        String(contentType.prefix { $0 != ";" })
    }

    /// Returns the body of a response with one part: the JSON, or a single part with the JSON.
    package func framed(_ json: ByteBuffer) -> ByteBuffer {
        guard self == .multipartMixed else { return json }
        var writer = MultipartMixedWriter()
        return writer.part(json, isLast: true)
    }

    /// Returns the status of a response of this type.
    ///
    /// The media types of GraphQL have the status 2xx for a response with `data`, and 4xx for a response without
    /// `data`. The draft requires this ("Status Codes"). Since April 2026, the draft recommends 422 for invalid
    /// documents and 294 for data with errors. This method returns 400 and 200, which the audits of `graphql-http`
    /// expect.
    ///
    /// `application/json` has the status 200 for each well-formed request. A client that only accepts this type cannot
    /// distinguish another status from the failure of a proxy.
    public func status(for response: GraphQLResponse) -> HTTPResponse.Status {
        isGraphQL && response.kind == .requestError ? .badRequest : .ok
    }
}
