public import NIOCore

/// A response (specification, section 7): the JSON, and the properties that a transport needs.
public struct GraphQLResponse: Sendable {
    /// The kind of a response.
    public enum Kind: Sendable, Hashable {
        /// The operation was not executed. The response has errors and no `data`.
        case requestError
        /// The operation was executed. The response can have errors.
        case execution
    }

    /// The JSON `{"errors": …, "data": …, "extensions": …}`. Members without a value are omitted.
    public var body: ByteBuffer
    /// The kind of the response.
    public var kind: Kind
    /// True if `data` exists and is not null.
    public var hasData: Bool
    /// The errors, with underlying errors for a log. Do not send underlying errors to clients.
    public var errors: [GraphQLError]
    /// The cache policy. It is nil if the response must not be cached: the operation is not a query, the response has
    /// errors, or it is delivered incrementally.
    public var cachePolicy: CachePolicy?
}

extension GraphQLResponse {
    /// Creates a response with request errors. The operation was not executed.
    public init(requestErrors errors: some Collection<GraphQLError>) {
        var writer = ResponseWriter()
        writer.begin(errors: errors)
        writer.end()
        self.init(body: writer.json.buffer, kind: .requestError, hasData: false, errors: Array(errors))
    }
}
