public import DuetGraphQL
internal import DuetJSON
public import HTTPTypes
internal import NIOCore

extension ExecutableSchema {
    /// Answers an HTTP request by the GraphQL over HTTP draft: with its statuses and media types, also for errors.
    ///
    ///     let response = try await schema.respond(
    ///         to: GraphQLHTTPRequest(method: .post, headerFields: fields, body: bytes), userContext: library)
    ///
    /// `GET` executes queries only. A subscription is refused, because it needs another transport, and so is a list of requests.
    /// - Parameters:
    ///   - request: the request.
    ///   - rootValue: the source of the root type's fields.
    ///   - userContext: the value for the resolvers.
    ///   - persistedDocument: is called for a request with a `documentId`, or with `persistedQuery` in its extensions, and returns the text of the
    ///     document; nil if it is unknown. It can compare the hash with the text of the request, register the document, and throw
    ///     ``GraphQLRequestError/persistedQueryMismatch``. A request without a text and without a known document gets
    ///     ``GraphQLRequestError/persistedQueryNotFound``, after which clients send the text.
    ///     Without the closure, persisted documents are not supported.
    /// - Throws: `CancellationError` if the task is cancelled. All other errors are in the response.
    public func respond(
        to request: GraphQLHTTPRequest, rootValue: any Sendable = (), userContext: UserContext,
        persistedDocument: ((GraphQLRequest) async throws(GraphQLRequestError) -> String?)? = nil
    ) async throws(CancellationError) -> GraphQLHTTPResponse {
        var response = try await completeResponse(
            to: request, rootValue: rootValue, userContext: userContext, persistedDocument: persistedDocument)
        if request.method == .head { response.body.clear() }
        return response
    }

    /// The response with its body, also for HEAD.
    private func completeResponse(
        to request: GraphQLHTTPRequest, rootValue: any Sendable, userContext: UserContext,
        persistedDocument: ((GraphQLRequest) async throws(GraphQLRequestError) -> String?)?
    ) async throws(CancellationError) -> GraphQLHTTPResponse {
        var mediaType = GraphQLMediaType.json
        do {
            mediaType = try request.mediaType()
            var graphQLRequest = try request.graphQLRequest()
            if graphQLRequest.namesPersistedDocument {
                if let document = try await persistedDocument?(graphQLRequest) { graphQLRequest.query = document }
                if graphQLRequest.query == nil {
                    throw persistedDocument == nil
                        ? GraphQLRequestError.persistedQueryNotSupported : .persistedQueryNotFound
                }
            }
            let response = try await execute(
                graphQLRequest, method: request.method, rootValue: rootValue, userContext: userContext)
            var answer = GraphQLHTTPResponse(response, mediaType)
            if request.method == .post { answer.headerFields[.cacheControl] = "no-store" }
            return answer
        } catch let error as GraphQLRequestError {
            return GraphQLHTTPResponse(error, mediaType)
        } catch {
            throw CancellationError()
        }
    }

    /// Executes a request of GraphQL over HTTP.
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
            return GraphQLResponse(requestErrors: error).coded()
        }
        try GraphQLRequestError.check(operation.definition.operation, method: method == .head ? .get : method)
        return try await operation.execute(
            variables: ObjectValue(request.variables), rootValue: rootValue, userContext: userContext
        ).coded()
    }
}

extension ExecutableSchema where UserContext == Void {
    /// Answers an HTTP request; see ``respond(to:rootValue:userContext:persistedDocument:)``.
    public func respond(
        to request: GraphQLHTTPRequest, rootValue: any Sendable = (),
        persistedDocument: ((GraphQLRequest) async throws(GraphQLRequestError) -> String?)? = nil
    ) async throws(CancellationError) -> GraphQLHTTPResponse {
        try await respond(
            to: request, rootValue: rootValue, userContext: (), persistedDocument: persistedDocument)
    }

    /// Executes a request of GraphQL over HTTP; see ``execute(_:method:rootValue:userContext:)``.
    public func execute(
        _ request: GraphQLRequest, method: HTTPRequest.Method = .post, rootValue: any Sendable = ()
    ) async throws -> GraphQLResponse {
        try await execute(request, method: method, rootValue: rootValue, userContext: ())
    }
}
