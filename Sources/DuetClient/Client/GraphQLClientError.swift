/// An error that prevents an operation from having a result.
///
/// Errors that the service reports in a response are part of the result (``GraphQLResult/errors``), because a response
/// can contain both data and errors.
public struct GraphQLClientError: PendingWriteError, Error, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: Sendable, Hashable {
        /// There is no response. ``GraphQLClientError/transportError`` contains the reason.
        case transport
        /// The response is not a GraphQL response.
        case invalidResponse
        /// Only listed documents are allowed, and the document is not listed.
        case notListed
        /// The model cannot be mapped, or the data does not match the model. ``GraphQLClientError/modelError`` contains
        /// the reason.
        case model
        /// The cache does not have all fields, and the policy does not allow a request to the server.
        case cacheMiss
        /// The cache could not be read, and the policy requires the cache.
        case cache
        /// The service has refused or ended a live query. ``GraphQLClientError/responseErrors`` contains the reason.
        case refused
        /// The task was canceled.
        case cancelled
        /// The caller has changed since the operation began (``CurrentCaller/change(to:token:)``). The server may have
        /// performed a mutation.
        case callerChanged
    }

    /// The kind of failure.
    public var code: Code
    /// A description of the failure and its remedy.
    public var message: String
    /// The paths of the fields that the cache does not have.
    public var missingPaths: [[PathElement]]
    /// The HTTP status of a response that is not a GraphQL response.
    public var status: Int?
    /// The errors with which the service has refused or ended a live query.
    public var responseErrors: [GraphQLResponseError] = []
    /// The underlying error.
    public var underlyingError: (any Error)?
    /// The key of the mutation, if it remains pending (``PendingWrites``). The server may have performed it.
    public var pendingKey: IdempotencyKey?

    /// Creates an error.
    public init(
        _ code: Code, _ message: String, missingPaths: [[PathElement]] = [], status: Int? = nil,
        underlyingError: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.missingPaths = missingPaths
        self.status = status
        self.underlyingError = underlyingError
    }

    /// The message.
    public var description: String { message }

    /// The error of the transport, if there is no response.
    public var transportError: TransportError? { underlyingError as? TransportError }
    /// The error of the model, if the code is `model`.
    public var modelError: ModelError? { underlyingError as? ModelError }

    init(_ error: ModelError) {
        self.init(.model, "\(error)", underlyingError: error)
    }

    init(_ error: CacheError) {
        self.init(.cache, "\(error)", underlyingError: error)
    }

    init(_ error: StoreError) {
        switch error {
        case .cache(let error): self.init(error)
        case .model(let error): self.init(error)
        }
    }

    init(_ error: TransportError) {
        let code: Code =
            switch error.code {
            case .cancelled: .cancelled
            case .callerChanged: .callerChanged
            default: .transport
            }
        self.init(code, "\(error)", underlyingError: error)
    }

    static var callerChanged: GraphQLClientError {
        GraphQLClientError(
            .callerChanged,
            "The caller has changed since the operation began. Its result belongs to the former caller and is discarded."
        )
    }

    static func cacheMiss(_ paths: [[PathElement]]) -> GraphQLClientError {
        let shown = paths.prefix(3).map(\.pathDescription).joined(separator: ", ")
        let more = paths.count > 3 ? " and \(paths.count - 3) more" : ""
        return GraphQLClientError(
            .cacheMiss,
            "These fields are missing in the cache or stale: \(shown)\(more). Fetch the query with a policy that uses the server.",
            missingPaths: paths)
    }
}
