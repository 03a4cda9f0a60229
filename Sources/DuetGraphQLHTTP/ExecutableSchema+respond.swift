public import DuetGraphQL
internal import DuetJSON
public import HTTPTypes

extension ExecutableSchema {
    /// Responds to an HTTP request. The statuses and media types of all responses, including errors, follow the GraphQL
    /// over HTTP draft.
    ///
    ///     let response = try await schema.respond(
    ///         to: GraphQLHTTPRequest(method: .post, headerFields: fields, body: bytes), userContext: library)
    ///
    /// `GET` only executes queries. A subscription is rejected, because it needs another transport. A list of requests
    /// is rejected as well.
    ///
    /// The response has one part: `multipart/mixed` in `Accept` is ignored, and the response contains deferred fields
    /// and all items of streamed lists. ``respondIncrementally(to:rootValue:userContext:persistedQueries:report:)``
    /// sends these fields and list items in separate parts.
    /// - Parameters:
    ///   - request: The request.
    ///   - rootValue: The value that is passed to the resolvers of the root fields as their source.
    ///   - userContext: The value that is passed to the resolvers.
    ///   - persistedQueries: The documents that requests identify by a hash or an identifier. By default, there are no
    ///     such documents.
    /// - Throws: `CancellationError` if the task is canceled. All other errors are in the response.
    public func respond(
        to request: GraphQLHTTPRequest, rootValue: any Sendable = (), userContext: UserContext,
        persistedQueries: PersistedQuerySource = .unsupported
    ) async throws(CancellationError) -> GraphQLHTTPResponse {
        var exchange = SchemaExchange(
            request, self, rootValue: rootValue, userContext: userContext, persistedQueries)
        return try await exchange.respond(by: .complete)
    }

    /// Responds to an HTTP request. The response has several parts if the operation has `@defer` or `@stream` and the
    /// client accepts `multipart/mixed`.
    ///
    /// A client accepts parts with `Accept: multipart/mixed`, without a parameter or with `incrementalSpec=v0.2`. Any
    /// other client gets a response with one part. A client can only use the directives if the schema defines them. In
    /// all other respects, this method equals ``respond(to:rootValue:userContext:persistedQueries:)``.
    ///
    ///     switch try await schema.respondIncrementally(to: request, userContext: library) {
    ///     case .single(let response): send(response.status, response.headerFields, response.body)
    ///     case .incremental(let response):
    ///         send(response.status, response.headerFields)
    ///         for try await part in response.parts { send(part) }
    ///     }
    /// - Parameters:
    ///   - request: The request.
    ///   - rootValue: The value that is passed to the resolvers of the root fields as their source.
    ///   - userContext: The value that is passed to the resolvers.
    ///   - persistedQueries: The documents that requests identify by a hash or an identifier. By default, there are no
    ///     such documents.
    ///   - report: A function for a log. It is called for each part with errors, except the first part.
    ///     ``GraphQLMultipartResponse/errors`` contains the errors of the first part.
    /// - Throws: `CancellationError` if the task is canceled. All other errors are in the response.
    public func respondIncrementally(
        to request: GraphQLHTTPRequest, rootValue: any Sendable = (), userContext: UserContext,
        persistedQueries: PersistedQuerySource = .unsupported,
        report: @escaping @Sendable ([GraphQLError]) -> Void = { _ in }
    ) async throws(CancellationError) -> GraphQLHTTPIncrementalResponse {
        var exchange = SchemaExchange(
            request, self, rootValue: rootValue, userContext: userContext, persistedQueries, reporter: report)
        let response = try await exchange.respond(by: .incremental)
        return exchange.multipart.map(GraphQLHTTPIncrementalResponse.incremental) ?? .single(response)
    }

    /// Executes a request of GraphQL over HTTP that contains the text of its document. The method ignores
    /// ``GraphQLRequest/documentID`` and the hash of a persisted query.
    /// - Parameters:
    ///   - request: The request.
    ///   - method: The method of the HTTP request. GET only executes queries.
    ///   - rootValue: The value that is passed to the resolvers of the root fields as their source.
    ///   - userContext: The value that is passed to the resolvers.
    /// - Throws: ``GraphQLRequestError`` for a request without a document, and for an operation that the method must
    ///   not execute; `CancellationError` if the task is canceled. All other errors are in the response.
    public func execute(
        _ request: GraphQLRequest, method: HTTPRequest.Method = .post, rootValue: any Sendable = (),
        userContext: UserContext
    ) async throws -> GraphQLResponse {
        guard let document = request.query else { throw GraphQLRequestError.missingQuery }
        let operation: PlannedOperation
        do throws(GraphQLErrors) {
            operation = try operations.codedOperation(in: FoundDocument(document), named: request.operationName)
        } catch {
            return GraphQLResponse(requestErrors: error)
        }
        try GraphQLRequestError.check(operation.definition.operation, method: method == .head ? .get : method)
        return try await operation.execute(
            variables: ObjectValue(request.variables), rootValue: rootValue, userContext: userContext
        ).coded()
    }

    /// Starts the subscription of a request, for a transport such as server-sent events or WebSocket. If the request
    /// contains a document and its hash, the method registers the document in `persistedQueries`.
    /// - Parameters:
    ///   - request: The request, for example of the body of a POST: ``GraphQLRequest/init(body:)``.
    ///   - rootValue: The value that is passed to the resolvers of the root fields as their source.
    ///   - userContext: The value that is passed to the resolvers.
    ///   - persistedQueries: The documents that requests identify by a hash or an identifier. By default, there are no
    ///     such documents.
    /// - Returns: The responses, or a response with the errors if the subscription cannot be started.
    /// - Throws: `CancellationError` if the task is canceled.
    public func subscribe(
        to request: GraphQLRequest, rootValue: any Sendable = (), userContext: UserContext,
        persistedQueries: PersistedQuerySource = .unsupported
    ) async throws(CancellationError) -> SubscriptionResponse {
        let decoded: DecodedRequest
        let document: FoundDocument
        do throws(GraphQLRequestError) {
            decoded = try DecodedRequest(request, for: persistedQueries)
            document = try await persistedQueries.find(decoded)
        } catch {
            return .failed(error.response)
        }
        let operation: PlannedOperation
        do {
            operation = try operations.codedOperation(in: document, named: request.operationName)
        } catch {
            return .failed(GraphQLResponse(requestErrors: error))
        }
        guard operation.definition.operation == .subscription else {
            return .failed(GraphQLRequestError.noSubscription(operation.definition.operation).response)
        }
        await document.register?()
        do {
            // Errors of the variables get a code here. Later errors can be errors of the resolver, so they get no code.
            _ = try operation.coerce(decoded.variables)
        } catch {
            return .failed(GraphQLResponse(requestErrors: error).coded())
        }
        return try await operation.subscribe(
            variables: decoded.variables, rootValue: rootValue, userContext: userContext)
    }
}

extension ExecutableSchema where UserContext == Void {
    /// Responds to an HTTP request; see ``respond(to:rootValue:userContext:persistedQueries:)``.
    public func respond(
        to request: GraphQLHTTPRequest, rootValue: any Sendable = (),
        persistedQueries: PersistedQuerySource = .unsupported
    ) async throws(CancellationError) -> GraphQLHTTPResponse {
        try await respond(to: request, rootValue: rootValue, userContext: (), persistedQueries: persistedQueries)
    }

    /// Responds to an HTTP request in one or several parts; see
    /// ``respondIncrementally(to:rootValue:userContext:persistedQueries:report:)``.
    public func respondIncrementally(
        to request: GraphQLHTTPRequest, rootValue: any Sendable = (),
        persistedQueries: PersistedQuerySource = .unsupported,
        report: @escaping @Sendable ([GraphQLError]) -> Void = { _ in }
    ) async throws(CancellationError) -> GraphQLHTTPIncrementalResponse {
        try await respondIncrementally(
            to: request, rootValue: rootValue, userContext: (), persistedQueries: persistedQueries, report: report)
    }

    /// Starts the subscription of a request; see ``subscribe(to:rootValue:userContext:persistedQueries:)``.
    public func subscribe(
        to request: GraphQLRequest, rootValue: any Sendable = (),
        persistedQueries: PersistedQuerySource = .unsupported
    ) async throws(CancellationError) -> SubscriptionResponse {
        try await subscribe(to: request, rootValue: rootValue, userContext: (), persistedQueries: persistedQueries)
    }

    /// Executes a request of GraphQL over HTTP; see ``execute(_:method:rootValue:userContext:)``.
    public func execute(
        _ request: GraphQLRequest, method: HTTPRequest.Method = .post, rootValue: any Sendable = ()
    ) async throws -> GraphQLResponse {
        try await execute(request, method: method, rootValue: rootValue, userContext: ())
    }
}
