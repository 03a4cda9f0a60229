public import DuetJSON
public import HTTPTypes

/// A request to a GraphQL service.
public struct GraphQLRequest: Sendable {
    /// The document and its hash.
    public var document: OperationDocument
    /// The values of the variables.
    public var variables: JSONObject
    /// The member `extensions` of the request, for services that support extensions.
    public var extensions: JSONObject
    /// Header fields for this request, such as `Authorization`.
    public var headerFields: HTTPFields
    /// The maximum time until the head of the response arrives, and the maximum time between two parts of the body.
    public var timeout: Duration
    /// The caller of the operation; `nil` if the store does not distinguish callers.
    public var caller: Caller?
    /// The key of a mutation. The request has it as `extensions.idempotencyKey`. If a mutation has a key, a transport
    /// may send it several times.
    public var idempotencyKey: IdempotencyKey?
    /// True if ``PendingWrites`` sends the request again, so that a transport must not.
    var isRecorded = false

    /// Creates a request.
    public init(
        _ document: OperationDocument, variables: JSONObject = [:], extensions: JSONObject = [:],
        headerFields: HTTPFields = [:], timeout: Duration = .seconds(30), caller: Caller? = nil
    ) {
        self.document = document
        self.variables = variables
        self.extensions = extensions
        self.headerFields = headerFields
        self.timeout = timeout
        self.caller = caller
    }
}

/// The response to a ``GraphQLRequest``: a complete HTTP response. Its body is not parsed.
public struct GraphQLReply: Sendable {
    /// The status and the header fields.
    public var head: HTTPResponse
    /// The body.
    public var body: [UInt8]
    /// The HTTP exchanges for the request, in order. The last exchange returned this response.
    public var exchanges: [GraphQLExchange]

    /// Creates a reply.
    public init(_ head: HTTPResponse, body: [UInt8], exchanges: [GraphQLExchange] = []) {
        self.head = head
        self.body = body
        self.exchanges = exchanges
    }
}

/// Sends operations to a service.
public protocol GraphQLTransport: Sendable {
    /// Sends an operation and waits for the complete response. The response can have any status.
    /// - Throws: ``GraphQLClientError`` if there is no response.
    func send(_ request: GraphQLRequest) async throws(GraphQLClientError) -> GraphQLReply
}

/// Intercepts each operation before it is sent, and each reply before it is parsed. It is intended for authorization,
/// logging and metrics.
public protocol GraphQLInterceptor: Sendable {
    /// Sends an operation with the next transport, or returns a reply without sending the operation.
    /// - Throws: ``GraphQLClientError``, from the transport or from the interceptor.
    func send(
        _ request: GraphQLRequest, next: any GraphQLTransport
    ) async throws(GraphQLClientError) -> GraphQLReply
}

/// A transport that calls an interceptor.
struct InterceptedTransport: GraphQLTransport {
    let interceptor: any GraphQLInterceptor
    let next: any GraphQLTransport

    func send(_ request: GraphQLRequest) async throws(GraphQLClientError) -> GraphQLReply {
        try await interceptor.send(request, next: next)
    }
}
