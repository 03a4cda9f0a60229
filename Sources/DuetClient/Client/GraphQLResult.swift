public import DuetJSON

/// The result of an operation: data, errors that the service reports, or both.
public struct GraphQLResult<Data: Sendable>: Sendable {
    /// The origin of data.
    public enum Source: Sendable, Hashable {
        /// The server, in one response.
        case server
        /// The cache.
        case cache
        /// The cache and the server: the server was asked only for the fields that the cache did not have. The data is of two moments.
        case cacheAndServer
    }

    /// The data. `nil` if the response has none, or not all that the model needs; then ``errors`` or ``missingPaths`` say why.
    public var data: Data?
    /// The errors that the service reports.
    public var errors: [GraphQLResponseError]
    /// The origin of the data.
    public var source: Source
    /// The paths of the fields that are missing in a result from the cache.
    public var missingPaths: [[PathElement]]
    /// When the oldest field was received, in milliseconds since 1970; `nil` if the cache has none.
    public var received: Int64?
    /// The member `extensions` of the response.
    public var extensions: JSONObject
    /// The reason why the server did not answer, in a result that the cache gave in its place.
    public var refreshError: GraphQLClientError?

    /// A result of these parts, for a client that takes the place of ``GraphQLClient`` in tests.
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

    /// The data.
    /// - Throws: The first error of the service, or ``GraphQLClientError``, if there is no data.
    public func get() throws -> Data {
        if let data { return data }
        if let error = errors.first { throw error }
        throw GraphQLClientError.cacheMiss(missingPaths)
    }
}

/// Where an operation gets its data from.
public enum FetchPolicy: Sendable, Hashable, CaseIterable {
    /// The cache if it has all fields and they are fresh, otherwise the server. The default.
    case cacheElseFetch
    /// The server. The response is cached.
    case fetchIgnoringCacheData
    /// The server. The cache is neither read nor written.
    case fetchIgnoringCacheCompletely
    /// The cache, also if fields are no longer fresh. A missing field is an error.
    case cacheDontFetch
    /// The cache if it has all fields, also if they are no longer fresh, and then the server. ``GraphQLService/results(of:policy:)``
    /// delivers both; ``GraphQLService/fetch(_:policy:)`` returns the server's.
    case cacheAndFetch
    /// The server; if it does not answer, the cache, also if fields are no longer fresh.
    case networkElseCache
}
