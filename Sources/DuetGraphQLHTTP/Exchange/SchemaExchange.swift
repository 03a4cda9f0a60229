internal import DuetGraphQL
internal import HTTPTypes
internal import NIOCore

/// The exchange of a server that passes a request as a value and receives the response as a value.
struct SchemaExchange<UserContext: Sendable>: EndpointExchange {
    let request: GraphQLHTTPRequest
    let schema: ExecutableSchema<UserContext>
    let rootValue: any Sendable
    let userContext: UserContext
    let documents: PersistedQuerySource
    let reporter: @Sendable ([GraphQLError]) -> Void
    /// The response in parts; nil if the response is complete.
    private(set) var multipart: GraphQLMultipartResponse?

    init(
        _ request: GraphQLHTTPRequest, _ schema: ExecutableSchema<UserContext>, rootValue: any Sendable,
        userContext: UserContext, _ documents: PersistedQuerySource,
        reporter: @escaping @Sendable ([GraphQLError]) -> Void = { _ in }
    ) {
        self.request = request
        self.schema = schema
        self.rootValue = rootValue
        self.userContext = userContext
        self.documents = documents
        self.reporter = reporter
    }

    /// Returns the response of an endpoint. If ``multipart`` is not nil afterwards, the returned response has only the
    /// header fields.
    /// - Throws: `CancellationError` if the task is canceled. All other errors are in the response.
    mutating func respond(by endpoint: EndpointTransports) async throws(CancellationError) -> GraphQLHTTPResponse {
        do {
            return try await endpoint.respond(to: &self)
        } catch {
            // The functions of this exchange throw only errors of requests and `CancellationError`.
            throw CancellationError()
        }
    }

    // MARK: The request

    var method: HTTPRequest.Method { request.method }
    var headerFields: HTTPFields { request.headerFields }
    var maximumBatchSize: Int { 0 }

    func requestInURL() throws(GraphQLRequestError) -> DecodedRequest {
        try DecodedRequest(try request.graphQLRequest(), for: documents)
    }

    func body() -> ByteBuffer { request.body }

    // MARK: The execution

    var operations: PreparedOperationCache { schema.operations }

    func execute(
        _ operation: PlannedOperation, _ request: DecodedRequest
    ) async throws(CancellationError) -> GraphQLResponse {
        try await operation.execute(variables: request.variables, rootValue: rootValue, userContext: userContext)
    }

    func executeIncrementally(
        _ operation: PlannedOperation, _ request: DecodedRequest
    ) async throws(CancellationError) -> IncrementalResponse {
        try await operation.executeIncrementally(
            variables: request.variables, rootValue: rootValue, userContext: userContext)
    }

    // MARK: The response

    func respond(_ response: consuming CompleteResponse) -> GraphQLHTTPResponse {
        GraphQLHTTPResponse(response, method: method)
    }

    mutating func respond(_ parts: MultipartMixedParts, errors: [GraphQLError]) -> GraphQLHTTPResponse {
        let fields = GraphQLHTTPResponse.fields(.multipartMixed, "no-store")
        if method != .head { multipart = GraphQLMultipartResponse(headerFields: fields, parts: parts, errors: errors) }
        return GraphQLHTTPResponse(status: .ok, headerFields: fields, errors: errors)
    }
}
