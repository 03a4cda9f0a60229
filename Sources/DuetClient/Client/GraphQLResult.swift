public import DuetJSON

/// The result of an operation: data, errors of the service, or both.
public struct GraphQLResult<Data: Sendable>: Sendable {
    /// The origin of data.
    public enum Source: Sendable, Hashable {
        /// The server, in a single response.
        case server
        /// The cache.
        case cache
        /// The cache and the server. Only the fields that the cache did not have were fetched. The data is from
        /// different points in time.
        case cacheAndServer
    }

    /// The data; `nil` if the response has no data or lacks a field that the model requires. In this case, ``errors``
    /// or ``missingPaths`` contains the reason.
    public var data: Data?
    /// The errors that the service reports.
    public var errors: [GraphQLResponseError]
    /// The origin of the data.
    public var source: Source
    /// The paths of the missing fields in a result from the cache.
    public var missingPaths: [[PathElement]]
    /// The time at which the oldest field was received, in milliseconds since 1970; `nil` if the cache has none of the
    /// fields.
    public var received: Int64?
    /// The member `extensions` of the response.
    public var extensions: JSONObject
    /// The error of the request to the server, if the client returns a cached result because of this error.
    public var refreshError: GraphQLClientError?

    /// Creates a result, for example in a test double of ``GraphQLClient``.
    public init(
        data: Data?, errors: [GraphQLResponseError] = [], source: Source = .server,
        missingPaths: [[PathElement]] = [], received: Int64? = nil, extensions: JSONObject = [:],
        refreshError: GraphQLClientError? = nil
    ) {
        self.data = data
        self.errors = errors
        self.source = source
        self.missingPaths = missingPaths
        self.received = received
        self.extensions = extensions
        self.refreshError = refreshError
    }

    init(cached: CachedResult<Data>) {
        self.init(
            data: cached.data, source: .cache, missingPaths: cached.missingPaths, received: cached.received)
    }

    /// Returns the data.
    /// - Throws: If there is no data, the first error of the service. If there is no such error, a
    ///   ``GraphQLClientError`` with the code `cacheMiss`.
    public func get() throws -> Data {
        if let data { return data }
        if let error = errors.first { throw error }
        throw GraphQLClientError.cacheMiss(missingPaths)
    }
}

/// The sources from which an operation gets its data.
public enum FetchPolicy: Sendable, Hashable, CaseIterable {
    /// The cache, if it has fresh values of all fields; otherwise the server. This is the default.
    case cacheElseFetch
    /// The server. The response is cached.
    case fetchIgnoringCacheData
    /// The server. The cache is neither read nor written.
    case fetchIgnoringCacheCompletely
    /// The cache, including fields that are no longer fresh. A missing field is an error.
    case cacheDontFetch
    /// First the cache, if it has all fields, including fields that are no longer fresh. Then the server, in any case.
    /// ``GraphQLService/results(of:policy:)`` delivers both results; ``GraphQLService/fetch(_:policy:)`` returns only
    /// the result of the server.
    case cacheAndFetch
    /// The server. If it does not send a GraphQL response: the cache, including fields that are no longer fresh.
    case networkElseCache
}
