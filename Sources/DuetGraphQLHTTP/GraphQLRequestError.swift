public import DuetGraphQL
public import HTTPTypes

/// The error of an HTTP request that is no GraphQL request, or whose method does not fit its operation. The response
/// has the error's status, whatever its media type.
public struct GraphQLRequestError: Error, Sendable, Hashable {
    /// The HTTP status.
    public let status: HTTPResponse.Status
    /// The HTTP status of a response of the type `application/json`.
    public let statusOfJSON: HTTPResponse.Status
    /// `extensions.code`.
    public let code: String
    /// A message that says what is wrong and what to do.
    public let message: String
    /// Header fields of the response, such as `Allow`.
    public let fields: HTTPFields

    /// Creates an error.
    /// - Parameter statusOfJSON: The HTTP status of a response of the type `application/json`, if it is another one.
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

    /// Creates an error of a number and strings, for servers without swift-http-types.
    /// - Parameters:
    ///   - statusCode: The code of the HTTP status.
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
    /// A request that cannot be read. The draft would have 422 for well-formed JSON with members of a wrong type
    /// ("Status Codes"); clients and the audits of `graphql-http` know 400.
    public static func malformed(_ message: String) -> GraphQLRequestError {
        GraphQLRequestError(.badRequest, "BAD_REQUEST", message)
    }

    /// A request without a document.
    public static let missingQuery = malformed(
        #"The request has no "query". Send a document, as in {"query": "{ __typename }"}, or ?query={__typename} in the address."#
    )

    /// GraphQL over HTTP, "Accept": none of the media types can be sent.
    public static let notAcceptable = GraphQLRequestError(
        .notAcceptable, "NOT_ACCEPTABLE",
        "None of the media types in Accept can be sent. Accept application/graphql-response+json or application/json.")

    /// GraphQL over HTTP, "GET": GET is safe, a mutation is not; RFC 9110 §15.5.6 wants `Allow`.
    public static let mutationByGET = GraphQLRequestError(
        .methodNotAllowed, "METHOD_NOT_ALLOWED", "A mutation cannot be sent with GET. Send it with POST.",
        fields: [.allow: "POST"])

    /// A subscription, which needs another transport.
    public static let subscription = malformed(
        "Subscriptions are not served over HTTP. Ask with a query, again when it is needed.")

    /// Refuses an operation that must not be executed with a method: a mutation with GET, and a subscription.
    /// - Throws: The error.
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
