/// The reason why an operation has no result.
///
/// Errors that the service reports in a response are part of the result, ``GraphQLResult/errors``, as there can be data beside them.
public struct GraphQLClientError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: Sendable, Hashable {
        /// There is no response. ``GraphQLClientError/transportError`` says why.
        case transport
        /// The response is none of GraphQL.
        case invalidResponse
        /// Only listed documents are allowed, and the document is none of them.
        case notListed
        /// The model cannot be mapped, or the data is not the model's. ``GraphQLClientError/modelError`` says why.
        case model
        /// The cache does not have all fields, and the policy does not allow asking the server.
        case cacheMiss
        /// The cache failed, and the policy needs it.
        case cache
        /// The task was cancelled.
        case cancelled
    }

    /// The kind of failure.
    public var code: Code
    /// The failure and the remedy, for a person.
    public var message: String
    /// The paths of the fields that the cache does not have.
    public var missingPaths: [[PathElement]]
    /// The HTTP status of a response that is none of GraphQL.
    public var status: Int?
    /// The error below.
    public var underlyingError: (any Error)?

    /// An error of that kind.
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
    /// The error of the model.
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
        self.init(error.code == .cancelled ? .cancelled : .transport, "\(error)", underlyingError: error)
    }

    static func cacheMiss(_ paths: [[PathElement]]) -> GraphQLClientError {
        let shown = paths.prefix(3).map(\.pathDescription).joined(separator: ", ")
        let more = paths.count > 3 ? " and \(paths.count - 3) more" : ""
        return GraphQLClientError(
            .cacheMiss,
            "The cache does not have \(shown)\(more), or not fresh. Fetch the query with a policy that asks the server.",
            missingPaths: paths)
    }
}
