public import DuetGraphQL
public import HTTPTypes

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
    /// `text/html`: a page on which a person can try queries.
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

    /// Whether it is one of GraphQL's own: the status of such a response says whether the operation was executed.
    package var isGraphQL: Bool { self == .graphQLResponse || self == .graphQL }

    var name: String {
        String(contentType.prefix { $0 != ";" })
    }

    /// The status of a response of this type.
    ///
    /// For GraphQL's own types it says whether the operation was executed, as the draft demands ("Status Codes"): 2xx where there is
    /// `data`, 4xx where there is none. Which ones the draft only recommends. Since April 2026 it recommends 422 for documents that
    /// are not valid and 294 for data with errors; until clients and the audits of `graphql-http` know these, it is 400 and 200.
    ///
    /// For JSON it is 200 for each request that could be read: who accepts only that may take any other status for a failure of
    /// something in between, and not look at the errors.
    public func status(for response: GraphQLResponse) -> HTTPResponse.Status {
        isGraphQL && response.kind == .requestError ? .badRequest : .ok
    }
}
