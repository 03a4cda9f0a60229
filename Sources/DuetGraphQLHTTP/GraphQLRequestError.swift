public import DuetGraphQL
public import HTTPTypes

/// The error of an HTTP request that the server rejects before it executes an operation, for example a malformed
/// request or a mutation with GET. If the media type of the response is one of the GraphQL types, such as
/// `application/graphql-response+json`, the response has the status ``status``. Any other response has the status
/// ``statusOfJSON``.
public struct GraphQLRequestError: Error, Sendable, Hashable {
    /// The HTTP status of a response with a GraphQL media type.
    public let status: HTTPResponse.Status
    /// The HTTP status of a response with any other media type, such as `application/json`.
    public let statusOfJSON: HTTPResponse.Status
    /// The value of `extensions.code`.
    public let code: String
    /// A message that says what is wrong and what to do.
    public let message: String
    /// Header fields of the response, such as `Allow`.
    public let fields: HTTPFields

    /// Creates an error.
    /// - Parameters:
    ///   - status: The HTTP status of a response with a GraphQL media type.
    ///   - statusOfJSON: The HTTP status of a response with any other media type; nil if it equals `status`.
    ///   - code: The value of `extensions.code`.
    ///   - message: The message for the client.
    ///   - fields: Header fields of the response, such as `Allow`.
    public init(
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

    /// Creates an error from a number and strings, for servers without swift-http-types.
    /// - Parameters:
    ///   - statusCode: The code of the HTTP status.
    ///   - code: The value of `extensions.code`.
    ///   - message: The message for the client.
    ///   - headerFields: The names and values of the header fields. A name that is not valid in HTTP is ignored.
    public init(
        statusCode: Int, code: String, message: String, headerFields: [(name: String, value: String)] = []
    ) {
        self.init(HTTPResponse.Status(code: statusCode), code, message, fields: HTTPFields(pairs: headerFields))
    }

    /// The error as a GraphQL error.
    public var error: GraphQLError { GraphQLError(message, extensions: ["code": .string(code)]) }

    /// The error as a response: `{"errors":[…]}`.
    public var response: GraphQLResponse { GraphQLResponse(requestErrors: [error]) }
}

extension GraphQLRequestError {
    /// Returns an error for a malformed request, with the status 400. For well-formed JSON with members of a wrong
    /// type, the draft recommends 422 ("Status Codes"), but clients and the audits of `graphql-http` expect 400.
    public static func malformed(_ message: String) -> GraphQLRequestError {
        GraphQLRequestError(.badRequest, "BAD_REQUEST", message)
    }

    /// The error for a request without a document.
    public static let missingQuery = malformed(
        #"The request has no "query". Send a document, as in {"query": "{ __typename }"}, or ?query={__typename} in the URL."#
    )

    /// The error if the server can send none of the accepted media types (GraphQL over HTTP, "Accept").
    public static let notAcceptable = GraphQLRequestError(
        .notAcceptable, "NOT_ACCEPTABLE",
        "None of the media types in Accept can be sent. Accept application/graphql-response+json or application/json.")

    /// Returns the error for a method that no transport supports.
    static func methodNotAllowed(_ method: HTTPRequest.Method) -> GraphQLRequestError {
        GraphQLRequestError(
            .methodNotAllowed, "METHOD_NOT_ALLOWED", "The method \(method) is not allowed. Use GET or POST.",
            fields: [.allow: "GET, HEAD, POST"])
    }

    /// The error for a mutation with GET. GET is a safe method (GraphQL over HTTP, "GET"). RFC 9110 §15.5.6 requires
    /// `Allow`.
    public static let mutationByGET = GraphQLRequestError(
        .methodNotAllowed, "METHOD_NOT_ALLOWED", "A mutation cannot be sent with GET. Send it with POST.",
        fields: [.allow: "POST"])

    /// The error for a subscription, which needs another transport.
    public static let subscription = malformed(
        "Subscriptions have more than one response. Send them to an endpoint for subscriptions, or send a query.")

    /// The error for a query or a mutation if only a subscription is allowed.
    static func noSubscription(_ type: OperationType) -> GraphQLRequestError {
        malformed("The operation is a \(type.rawValue). Send a subscription.")
    }

    /// Rejects a mutation if the method is not POST, and a subscription with any method.
    /// - Throws: The error of the rejected operation.
    public static func check(
        _ operation: OperationType, method: HTTPRequest.Method
    ) throws(GraphQLRequestError) {
        switch operation {
        case .query: return
        case .mutation: if method != .post { throw mutationByGET }
        case .subscription: throw subscription
        }
    }
}

extension GraphQLRequestError {
    /// Header fields that prevent caches from reusing the response for later requests. The document can be registered
    /// at any time. After that, the response would be wrong.
    private static let neverStored: HTTPFields = [.cacheControl: "private, no-cache, must-revalidate"]

    /// The error for an unknown hash or identifier. When a client of automatic persisted queries receives this message,
    /// it sends the text of the document.
    public static let persistedQueryNotFound = GraphQLRequestError(
        .notFound, ofJSON: .ok, "PERSISTED_QUERY_NOT_FOUND", "PersistedQueryNotFound", fields: neverStored)

    /// The error of a server that does not support persisted queries. When a client of automatic persisted queries
    /// receives this message, it stops sending hashes.
    public static let persistedQueryNotSupported = GraphQLRequestError(
        .badRequest, ofJSON: .ok, "PERSISTED_QUERY_NOT_SUPPORTED", "PersistedQueryNotSupported", fields: neverStored)

    /// The error for a hash that is not the hash of the request's document.
    public static let persistedQueryMismatch = GraphQLRequestError(
        .badRequest, "PERSISTED_QUERY_HASH_MISMATCH", "provided sha does not match query")

    /// The error for a document that is not in a manifest, if the server only executes the documents of its manifests.
    public static let persistedQueryNotInList = GraphQLRequestError(
        .badRequest, ofJSON: .ok, "PERSISTED_QUERY_NOT_IN_LIST",
        "This server only executes the documents of its manifests. Send a document that is in a manifest.",
        fields: neverStored)
}
