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
    /// - Parameters:
    ///   - request: the request.
    ///   - rootValue: the source of the root type's fields.
    ///   - userContext: the value for the resolvers.
    ///   - persistedDocument: returns the text of the document for a request without one, such as a persisted query; nil if it is unknown.
    ///     Without the closure, persisted queries are not supported.
    /// - Throws: `CancellationError` if the task is cancelled. All other errors are in the response.
    public func respond(
        to request: GraphQLHTTPRequest, rootValue: any Sendable = (), userContext: UserContext,
        persistedDocument: ((GraphQLRequest) async -> String?)? = nil
    ) async throws(CancellationError) -> GraphQLHTTPResponse {
        var mediaType = GraphQLMediaType.json
        do {
            mediaType = try request.mediaType()
            var graphQLRequest = try request.graphQLRequest()
            if graphQLRequest.query == nil {
                graphQLRequest.query = await persistedDocument?(graphQLRequest)
                if graphQLRequest.query == nil, graphQLRequest.namesPersistedDocument {
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
        let operation: PreparedOperation
        do throws(GraphQLErrors) {
            operation = try operations.codedOperation(in: UTF8Text(document), named: request.operationName)
        } catch {
            return GraphQLResponse(requestErrors: error)
        }
        try GraphQLRequestError.check(operation.definition.operation, method: method == .head ? .get : method)
        return try await operation.execute(
            variables: ObjectValue(request.variables), rootValue: rootValue, userContext: userContext)
    }
}

extension ExecutableSchema where UserContext == Void {
    /// Answers an HTTP request; see ``respond(to:rootValue:userContext:persistedDocument:)``.
    public func respond(
        to request: GraphQLHTTPRequest, rootValue: any Sendable = (),
        persistedDocument: ((GraphQLRequest) async -> String?)? = nil
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
