public import DuetGraphQL
internal import DuetJSON
public import HTTPTypes

extension ExecutableSchema {
    /// Answers an HTTP request by the GraphQL over HTTP draft: with its statuses and media types, also for errors.
    ///
    ///     let response = try await schema.respond(
    ///         to: GraphQLHTTPRequest(method: .post, headerFields: fields, body: bytes), userContext: library)
    ///
    /// `GET` executes queries only. A subscription is refused, because it needs another transport, and so is a list of requests.
    ///
    /// The response is whole: `multipart/mixed` in `Accept` is ignored, and fields with `@defer` and lists with `@stream` are in the response.
    /// ``respondIncrementally(to:rootValue:userContext:persistedQueries:report:)`` sends them in parts.
    /// - Parameters:
    ///   - request: the request.
    ///   - rootValue: the source of the root type's fields.
    ///   - userContext: the value for the resolvers.
    ///   - persistedQueries: the documents that requests name by a hash or an identifier. By default there are none.
    /// - Throws: `CancellationError` if the task is cancelled. All other errors are in the response.
    public func respond(
        to request: GraphQLHTTPRequest, rootValue: any Sendable = (), userContext: UserContext,
        persistedQueries: PersistedQuerySource = .unsupported
    ) async throws(CancellationError) -> GraphQLHTTPResponse {
        var mediaType = GraphQLMediaType.json
        do {
            mediaType = try request.negotiation(offersParts: false).mediaType
            let (operation, variables) = try await prepare(request, persistedQueries)
            let response = try await operation.execute(
                variables: variables, rootValue: rootValue, userContext: userContext)
            return GraphQLHTTPResponse(response, mediaType, to: request)
        } catch {
            return try GraphQLHTTPResponse(refusal: error, mediaType, to: request)
        }
    }

    /// Answers an HTTP request, in parts if the operation has `@defer` or `@stream` and the client accepts `multipart/mixed`.
    ///
    /// A client accepts parts with `Accept: multipart/mixed`, without a parameter or with `incrementalSpec=v0.2`. Any other client gets a whole
    /// response. The schema defines the directives that clients may use. All else is as for
    /// ``respond(to:rootValue:userContext:persistedQueries:)``.
    ///
    ///     switch try await schema.respondIncrementally(to: request, userContext: library) {
    ///     case .single(let response): send(response.status, response.headerFields, response.body)
    ///     case .incremental(let response):
    ///         send(response.status, response.headerFields)
    ///         for try await part in response.parts { send(part) }
    ///     }
    /// - Parameter report: is called with the errors of each part after the first one that has any, for a log. Those of the first part are in
    ///   ``GraphQLMultipartResponse/errors``.
    /// - Throws: `CancellationError` if the task is cancelled. All other errors are in the response.
    public func respondIncrementally(
        to request: GraphQLHTTPRequest, rootValue: any Sendable = (), userContext: UserContext,
        persistedQueries: PersistedQuerySource = .unsupported,
        report: @escaping @Sendable ([GraphQLError]) -> Void = { _ in }
    ) async throws(CancellationError) -> GraphQLHTTPIncrementalResponse {
        var mediaType = GraphQLMediaType.json
        do {
            let negotiation = try request.negotiation(offersParts: true)
            mediaType = negotiation.mediaType
            let (operation, variables) = try await prepare(request, persistedQueries)
            guard negotiation.acceptsParts else {
                let response = try await operation.execute(
                    variables: variables, rootValue: rootValue, userContext: userContext)
                return .single(GraphQLHTTPResponse(response, mediaType, to: request))
            }
            let response = try await operation.executeIncrementally(
                variables: variables, rootValue: rootValue, userContext: userContext)
            switch response {
            case .single(let response): return .single(GraphQLHTTPResponse(response, mediaType, to: request))
            case .incremental(let initial, let subsequent):
                let fields = GraphQLHTTPResponse.fields(.multipartMixed, "no-store")
                if request.method == .head {
                    return .single(GraphQLHTTPResponse(status: .ok, headerFields: fields, errors: initial.errors))
                }
                return .incremental(
                    GraphQLMultipartResponse(
                        headerFields: fields,
                        parts: MultipartMixedParts(initial: initial.body, subsequent: subsequent, report: report),
                        errors: initial.errors))
            }
        } catch {
            return .single(try GraphQLHTTPResponse(refusal: error, mediaType, to: request))
        }
    }

    /// Executes a request of GraphQL over HTTP. It ignores ``GraphQLRequest/documentID`` and the hash of a persisted query.
    /// - Parameter method: the method of the HTTP request. GET executes queries only.
    /// - Throws: ``GraphQLRequestError`` for a request without a document or with an operation that the method must not execute;
    ///   `CancellationError` if the task is cancelled. All other errors are in the response.
    public func execute(
        _ request: GraphQLRequest, method: HTTPRequest.Method = .post, rootValue: any Sendable = (),
        userContext: UserContext
    ) async throws -> GraphQLResponse {
        guard let document = request.query else { throw GraphQLRequestError.missingQuery }
        let operation: PlannedOperation
        do throws(GraphQLErrors) {
            operation = try operations.codedOperation(in: UTF8Text(document), named: request.operationName)
        } catch {
            return GraphQLResponse(requestErrors: error)
        }
        try GraphQLRequestError.check(operation.definition.operation, method: method == .head ? .get : method)
        return try await operation.execute(
            variables: ObjectValue(request.variables), rootValue: rootValue, userContext: userContext
        ).coded()
    }

    /// Returns the operation of a request and its variables. A document that is sent to be registered is registered.
    /// - Throws: ``GraphQLRequestError``, or `GraphQLErrors` of the document.
    private func prepare(
        _ request: GraphQLHTTPRequest, _ persistedQueries: PersistedQuerySource
    ) async throws -> (PlannedOperation, ObjectValue) {
        let graphQLRequest = try request.graphQLRequest()
        let found = try await persistedQueries.find(graphQLRequest)
        let operation = try operations.codedOperation(
            in: UTF8Text(found.document), named: graphQLRequest.operationName)
        try GraphQLRequestError.check(
            operation.definition.operation, method: request.method == .head ? .get : request.method)
        await found.register?()
        return (operation, ObjectValue(graphQLRequest.variables))
    }
}

extension ExecutableSchema where UserContext == Void {
    /// Answers an HTTP request; see ``respond(to:rootValue:userContext:persistedQueries:)``.
    public func respond(
        to request: GraphQLHTTPRequest, rootValue: any Sendable = (),
        persistedQueries: PersistedQuerySource = .unsupported
    ) async throws(CancellationError) -> GraphQLHTTPResponse {
        try await respond(to: request, rootValue: rootValue, userContext: (), persistedQueries: persistedQueries)
    }

    /// Answers an HTTP request, whole or in parts; see ``respondIncrementally(to:rootValue:userContext:persistedQueries:report:)``.
    public func respondIncrementally(
        to request: GraphQLHTTPRequest, rootValue: any Sendable = (),
        persistedQueries: PersistedQuerySource = .unsupported,
        report: @escaping @Sendable ([GraphQLError]) -> Void = { _ in }
    ) async throws(CancellationError) -> GraphQLHTTPIncrementalResponse {
        try await respondIncrementally(
            to: request, rootValue: rootValue, userContext: (), persistedQueries: persistedQueries, report: report)
    }

    /// Executes a request of GraphQL over HTTP; see ``execute(_:method:rootValue:userContext:)``.
    public func execute(
        _ request: GraphQLRequest, method: HTTPRequest.Method = .post, rootValue: any Sendable = ()
    ) async throws -> GraphQLResponse {
        try await execute(request, method: method, rootValue: rootValue, userContext: ())
    }
}
