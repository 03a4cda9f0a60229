package import DuetGraphQL
package import HTTPTypes

/// Why an HTTP request is no GraphQL request that can be answered: what is said before any document is looked at, and where an
/// operation and a method do not go together. Its statuses stand, whatever the response's media type would have else.
package struct GraphQLRequestError: Error, Sendable, Hashable {
    /// The HTTP status.
    package let status: HTTPResponse.Status
    /// The status where the response is `application/json`.
    package let statusOfJSON: HTTPResponse.Status
    /// `extensions.code`.
    package let code: String
    /// What is wrong and what to do, for the person who made the request.
    package let message: String
    /// Fields the response must have, such as `Allow`.
    package let fields: HTTPFields

    init(
        _ status: HTTPResponse.Status, ofJSON statusOfJSON: HTTPResponse.Status? = nil, _ code: String,
        _ message: String,
        fields: HTTPFields = [:]
    ) {
        self.status = status
        self.statusOfJSON = statusOfJSON ?? status
        self.code = code
        self.message = message
        self.fields = fields
    }

    /// The same as a GraphQL error.
    package var error: GraphQLError { GraphQLError(message, extensions: ["code": .string(code)]) }

    /// The same as a response: `{"errors":[…]}`.
    package var response: GraphQLResponse { GraphQLResponse(requestErrors: [error]) }
}

extension GraphQLRequestError {
    /// A request that cannot be read. The draft would have 422 for well-formed JSON with members of a wrong type ("Status
    /// Codes"); clients and the audits of `graphql-http` know 400.
    static func malformed(_ message: String) -> GraphQLRequestError {
        GraphQLRequestError(.badRequest, "BAD_REQUEST", message)
    }

    static let missingQuery = malformed(
        #"The request has no "query". Send a document, as in {"query": "{ __typename }"}, or ?query={__typename} in the address."#
    )

    /// The response tells for how long it holds: not at all, for the document may be registered the next moment.
    private static let neverStored: HTTPFields = [.cacheControl: "private, no-cache, must-revalidate"]

    /// No document is known by that identifier. Clients of Apollo's protocol know it by its message, and send the text.
    static let persistedQueryNotFound = GraphQLRequestError(
        .notFound, ofJSON: .ok, "PERSISTED_QUERY_NOT_FOUND", "PersistedQueryNotFound", fields: neverStored)

    /// Clients of Apollo's protocol send no more hashes when they read that.
    static let persistedQueryNotSupported = GraphQLRequestError(
        .badRequest, ofJSON: .ok, "PERSISTED_QUERY_NOT_SUPPORTED", "PersistedQueryNotSupported", fields: neverStored)

    /// The hash that came with a document is not that of its text: nobody may register a document under another's hash.
    static let persistedQueryMismatch = GraphQLRequestError(
        .badRequest, "PERSISTED_QUERY_HASH_MISMATCH", "provided sha does not match query")

    /// The server takes only what its manifests list.
    static let persistedQueryNotInList = GraphQLRequestError(
        .badRequest, ofJSON: .ok, "PERSISTED_QUERY_NOT_IN_LIST",
        "This server answers only the documents it was started with, and this is none of them.", fields: neverStored)

    /// GraphQL over HTTP, "Accept": none of the media types can be sent.
    package static let notAcceptable = GraphQLRequestError(
        .notAcceptable, "NOT_ACCEPTABLE",
        "None of the media types in Accept can be sent. Accept application/graphql-response+json or application/json.")

    /// GraphQL over HTTP, "GET": GET is safe, a mutation is not; RFC 9110 §15.5.6 wants `Allow`.
    static let mutationByGET = GraphQLRequestError(
        .methodNotAllowed, "METHOD_NOT_ALLOWED", "A mutation cannot be sent with GET. Send it with POST.",
        fields: [.allow: "POST"])

    static let subscription = malformed(
        "Subscriptions are not served over HTTP. Ask with a query, again when it is needed.")

    /// Refuses operations that must not be executed with a method: mutations with GET, and subscriptions.
    package static func check(
        _ operation: OperationType, method: HTTPRequest.Method
    ) throws(GraphQLRequestError) {
        switch operation {
        case .query: return
        case .mutation: if method != .post { throw mutationByGET }
        case .subscription: throw subscription
        }
    }
}
