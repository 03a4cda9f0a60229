package import DuetGraphQL
package import HTTPTypes
package import NIOCore

/// An HTTP request to a GraphQL endpoint, and the work for this request that differs between servers.
///
/// ``EndpointTransports`` respond to exchanges. They call the functions in the order of this list, and pass the
/// exchange by reference, so that an exchange can be a structure with the state of the request.
package protocol EndpointExchange {
    /// The HTTP response of the server.
    associatedtype Response

    // MARK: The request

    /// The method.
    var method: HTTPRequest.Method { get }
    /// The header fields.
    var headerFields: HTTPFields { get }
    /// Returns the GraphQL request in the URL of a GET or HEAD request.
    mutating func requestInURL() throws(GraphQLRequestError) -> DecodedRequest
    /// Returns the content of a POST request.
    /// - Throws: An error if the content is too large or cannot be received.
    mutating func body() async throws -> ByteBuffer
    /// The maximum number of requests in the list of a POST request; 0 to reject lists.
    var maximumBatchSize: Int { get }

    // MARK: The execution

    /// The documents that requests identify by a hash or an identifier.
    var documents: PersistedQuerySource { get }
    /// Returns the response to a GET or HEAD request with `If-None-Match` if the server knows without an execution that
    /// the content is unchanged. By default, the method returns nil. It is called before the execution.
    /// - Parameter mediaType: The media type of the response.
    mutating func notModified(as mediaType: GraphQLMediaType) -> Response?
    /// The operations of the schema.
    var operations: PreparedOperationCache { get }
    /// Called before work that can take long: the preparation of an operation, and the execution of a list of requests.
    /// A server whose requests begin on an event loop continues them outside the event loop.
    func beginLongWork() async
    /// Called at the end of each step of the preparation, for measurements. If the operation is cached, only
    /// ``PreparedOperationCache/Step/parse`` ends. The time of a registration counts towards
    /// ``PreparedOperationCache/Step/plan``. If the request is rejected, ``PreparedOperationCache/Step/parse`` ends.
    mutating func ended(_ step: PreparedOperationCache.Step)
    /// Returns the error for a request whose operation cannot be prepared. By default, the errors are returned
    /// unchanged.
    /// - Parameter errors: The errors of the document.
    func error(of request: DecodedRequest, _ errors: GraphQLErrors) -> any Error
    /// Executes an operation.
    mutating func execute(_ operation: PlannedOperation, _ request: DecodedRequest) async throws -> GraphQLResponse
    /// Executes an operation with incremental delivery.
    mutating func executeIncrementally(
        _ operation: PlannedOperation, _ request: DecodedRequest
    ) async throws -> IncrementalResponse

    /// Starts a subscription. By default, subscriptions are refused.
    mutating func subscribe(
        _ operation: PlannedOperation, _ request: DecodedRequest
    ) async throws -> SubscriptionResponse

    // MARK: The response

    /// A function for a log. It is called for the errors of responses in a list, and of all parts of a response except
    /// the first part. The functions that create responses receive all other errors.
    var reporter: @Sendable ([GraphQLError]) -> Void { get }
    /// Returns the error for the client if a function of this protocol has thrown another error. If the result is nil,
    /// the endpoint throws the other error. By default, the result is nil.
    func requestError(for error: any Error) -> GraphQLRequestError?
    /// Creates the HTTP response with a complete response.
    mutating func respond(_ response: consuming CompleteResponse) throws -> Response
    /// Creates the HTTP response with the parts of an incremental response.
    /// - Parameter errors: The errors of the first part.
    mutating func respond(_ parts: MultipartMixedParts, errors: [GraphQLError]) throws -> Response
    /// Creates the HTTP response with the events of a subscription. By default, subscriptions are refused.
    mutating func respond(_ events: GraphQLEvents) throws -> Response
}

extension EndpointExchange {
    package func notModified(as mediaType: GraphQLMediaType) -> Response? { nil }
    package func beginLongWork() async {}
    package func ended(_ step: PreparedOperationCache.Step) {}
    package func error(of request: DecodedRequest, _ errors: GraphQLErrors) -> any Error { errors }
    package func requestError(for error: any Error) -> GraphQLRequestError? { nil }
    package func subscribe(
        _ operation: PlannedOperation, _ request: DecodedRequest
    ) async throws -> SubscriptionResponse {
        throw GraphQLRequestError.subscription
    }
    package func respond(_ events: GraphQLEvents) throws -> Response { throw GraphQLRequestError.subscription }
}
