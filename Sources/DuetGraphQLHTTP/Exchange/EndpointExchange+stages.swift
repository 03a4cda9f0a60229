internal import DuetGraphQL
internal import HTTPTypes

// The stages of a request that all transports share.

extension EndpointExchange {
    /// Returns the operation of a request; see ``operation(of:in:)``.
    @inline(__always)
    mutating func operation(
        of request: DecodedRequest, sendsEvents: Bool = false
    ) async throws -> PlannedOperation {
        let document = try await documents.find(request)
        return try await operation(of: request, in: document, sendsEvents: sendsEvents)
    }

    /// Returns the operation of a request, from the cache or after the preparation. If the document must be registered,
    /// the method then registers it. The method is inlined, so that for a cached operation the caller does not suspend
    /// and allocates no async frame.
    /// - Parameter sendsEvents: True if the transport can send the responses of a subscription.
    /// - Throws: `GraphQLErrors` of the document, or ``GraphQLRequestError`` for an operation that the HTTP method does
    ///   not allow.
    @inline(__always)
    mutating func operation(
        of request: DecodedRequest, in document: FoundDocument, sendsEvents: Bool = false
    ) async throws -> PlannedOperation {
        let operation: PlannedOperation
        if let cached = operations.cachedOperation(in: document, named: request.request.operationName) {
            ended(.parse)
            operation = cached
        } else {
            operation = try await prepareOperation(of: request, in: document)
        }
        if !sendsEvents || operation.definition.operation != .subscription {
            try GraphQLRequestError.check(operation.definition.operation, method: method == .head ? .get : method)
        }
        if let register = document.register {
            await register()
            ended(.plan)
        }
        return operation
    }

    private mutating func prepareOperation(
        of request: DecodedRequest, in document: FoundDocument
    ) async throws -> PlannedOperation {
        await beginLongWork()
        do throws(GraphQLErrors) {
            return try operations.prepareCodedOperation(in: document, named: request.request.operationName) {
                ended($0)
            }
        } catch {
            throw self.error(of: request, error)
        }
    }

    /// Creates the response with the result of an operation.
    mutating func respond(_ response: consuming GraphQLResponse, as mediaType: GraphQLMediaType) throws -> Response {
        try respond(CompleteResponse(response, as: mediaType))
    }

    /// Creates the response to a request whose operation is not executed.
    /// - Throws: The error if it is not an error of the request.
    package mutating func refuse(_ error: any Error, as mediaType: GraphQLMediaType) throws -> Response {
        if let errors = error as? GraphQLErrors {
            return try respond(GraphQLResponse(requestErrors: errors), as: mediaType)
        }
        guard let refused = error as? GraphQLRequestError ?? requestError(for: error) else { throw error }
        ended(.parse)
        return try respond(CompleteResponse(refused, as: mediaType))
    }
}
