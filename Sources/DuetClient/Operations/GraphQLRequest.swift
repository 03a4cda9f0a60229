public import DuetJSON
public import HTTPTypes

/// An operation on its way to a service.
public struct GraphQLRequest: Sendable {
    /// The document and its hash.
    public var document: OperationDocument
    /// The values of the variables.
    public var variables: JSONObject
    /// The member `extensions` of the request, for services that have any.
    public var extensions: JSONObject
    /// Header fields for this request, such as `Authorization`.
    public var headerFields: HTTPFields
    /// The maximum time to the head of the response, and from then on between two parts of its body.
    public var timeout: Duration

    /// A request for that document.
    public init(
        _ document: OperationDocument, variables: JSONObject = [:], extensions: JSONObject = [:],
        headerFields: HTTPFields = [:], timeout: Duration = .seconds(30)
    ) {
        self.document = document
        self.variables = variables
        self.extensions = extensions
        self.headerFields = headerFields
        self.timeout = timeout
    }
}

/// The answer to a ``GraphQLRequest``: a whole response that has not been read yet.
public struct GraphQLReply: Sendable {
    /// Status and header fields.
    public var head: HTTPResponse
    /// The body.
    public var body: [UInt8]
    /// The HTTP requests that it took, in their order. The last one has this answer.
    public var exchanges: [GraphQLExchange]

    /// An answer of these parts.
    public init(_ head: HTTPResponse, body: [UInt8], exchanges: [GraphQLExchange] = []) {
        self.head = head
        self.body = body
        self.exchanges = exchanges
    }
}

/// Sends operations to a service.
public protocol GraphQLTransport: Sendable {
    /// Sends an operation and waits for the whole response, of any status.
    /// - Throws: ``GraphQLClientError`` if there is no response.
    func send(_ request: GraphQLRequest) async throws(GraphQLClientError) -> GraphQLReply
}

/// Sees each operation before it is sent and each answer before it is read: for authorization, logging and measuring.
public protocol GraphQLInterceptor: Sendable {
    /// Sends an operation by the next transport, or answers in its place.
    /// - Throws: ``GraphQLClientError``, the transport's or its own.
    func send(
        _ request: GraphQLRequest, next: any GraphQLTransport
    ) async throws(GraphQLClientError) -> GraphQLReply
}

/// An interceptor before a transport.
struct InterceptedTransport: GraphQLTransport {
    let interceptor: any GraphQLInterceptor
    let next: any GraphQLTransport

    func send(_ request: GraphQLRequest) async throws(GraphQLClientError) -> GraphQLReply {
        try await interceptor.send(request, next: next)
    }
}
