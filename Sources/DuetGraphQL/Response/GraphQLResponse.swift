internal import DuetJSONWriter
public import NIOCore

/// A response (specification, section 7): JSON, and what a transport must know of it.
public struct GraphQLResponse: Sendable {
    /// What kind of response it is.
    public enum Kind: Sendable, Hashable {
        /// The operation was not executed: there are errors and no `data`.
        case requestError
        /// It was executed; there may be errors.
        case execution
    }

    /// `{"errors": …, "data": …, "extensions": …}`, without what there is none of.
    public var body: ByteBuffer
    /// What kind of response it is.
    public var kind: Kind
    /// Whether `data` is there and not null.
    public var hasData: Bool
    /// The errors, with those under them that only a log should show.
    public var errors: [GraphQLError]
    /// The cache policy; nil if the response must not be cached, because it is of another operation than a query, has
    /// errors, or is delivered incrementally.
    public var cachePolicy: CachePolicy?
}

extension GraphQLResponse {
    /// A response that only says why the operation was not executed.
    public init(requestErrors errors: some Collection<GraphQLError>) {
        var writer = ResponseWriter()
        writer.begin(errors: errors)
        writer.end()
        self.init(body: writer.json.buffer, kind: .requestError, hasData: false, errors: Array(errors))
    }
}
