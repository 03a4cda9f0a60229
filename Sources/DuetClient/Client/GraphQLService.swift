/// Fetches, watches and changes the data of a GraphQL service.
///
/// ``GraphQLClient`` is the implementation that sends requests to a server. The tests of an app can use their own
/// implementation.
public protocol GraphQLService: Sendable {
    /// Fetches a query once.
    /// - Throws: ``GraphQLClientError`` if there is no response and the policy does not allow a cached result, or there
    ///   is none.
    func fetch<Query: GraphQLQuery>(
        _ query: Query, policy: FetchPolicy
    ) async throws(GraphQLClientError) -> GraphQLResult<Query.Data>

    /// Returns all results of a query according to the policy: two results for ``FetchPolicy/cacheAndFetch`` if the
    /// cache has a result, and one result for the other policies.
    func results<Query: GraphQLQuery>(
        of query: Query, policy: FetchPolicy
    ) -> GraphQLResults<Query.Data>

    /// Fetches only the fields of a query that the cache does not have, if the cache has some of the fields. A service
    /// without such a cache fetches the whole query.
    /// - Throws: ``GraphQLClientError``.
    func fetchMissing<Query: GraphQLQuery>(
        _ query: Query
    ) async throws(GraphQLClientError) -> GraphQLResult<Query.Data>

    /// Fetches a query, and delivers a new result whenever one of its values changes in the store.
    ///
    /// ``FetchPolicy/fetchIgnoringCacheCompletely`` behaves like ``FetchPolicy/fetchIgnoringCacheData`` here, because
    /// changes are observed in the cache.
    ///
    /// The sequence ends when the task that iterates over it is cancelled. It throws only if there is no result to
    /// deliver. After the first result, ``GraphQLResult/refreshError`` reports that the server does not respond.
    func watch<Query: GraphQLQuery>(
        _ query: Query, policy: FetchPolicy
    ) -> GraphQLResults<Query.Data>

    /// Performs a mutation.
    /// - Parameters:
    ///   - mutation: The mutation with its variables.
    ///   - optimistic: Changes that are visible until the server responds. The closure is called again if the store
    ///     changes in the meantime.
    /// - Throws: ``GraphQLClientError`` if there is no response. The server may have performed the mutation
    ///   nevertheless.
    func perform<Mutation: GraphQLMutation>(
        _ mutation: Mutation, optimistic: (@Sendable (WriteTransaction) throws -> Void)?
    ) async throws(GraphQLClientError) -> GraphQLResult<Mutation.Data>
}

extension GraphQLService {
    /// Fetches the query from the cache if the cache has all fields, otherwise from the server.
    /// - Throws: ``GraphQLClientError``.
    public func fetchMissing<Query: GraphQLQuery>(
        _ query: Query
    ) async throws(GraphQLClientError) -> GraphQLResult<Query.Data> {
        try await fetch(query, policy: .cacheElseFetch)
    }

    /// Fetches a query once, from the cache if the cache has all fields, otherwise from the server.
    /// - Throws: ``GraphQLClientError``.
    public func fetch<Query: GraphQLQuery>(
        _ query: Query
    ) async throws(GraphQLClientError) -> GraphQLResult<Query.Data> {
        try await fetch(query, policy: .cacheElseFetch)
    }

    /// Delivers a query from the cache and then from the server, and again whenever one of its values changes.
    public func watch<Query: GraphQLQuery>(_ query: Query) -> GraphQLResults<Query.Data> {
        watch(query, policy: .cacheAndFetch)
    }

    /// Performs a mutation.
    /// - Throws: ``GraphQLClientError``.
    public func perform<Mutation: GraphQLMutation>(
        _ mutation: Mutation
    ) async throws(GraphQLClientError) -> GraphQLResult<Mutation.Data> {
        try await perform(mutation, optimistic: nil)
    }
}

/// A sequence of results. Each iteration runs independently.
public struct GraphQLResults<Data: Sendable>: AsyncSequence, Sendable {
    /// A result.
    public typealias Element = GraphQLResult<Data>
    /// The error that ends the sequence.
    public typealias Failure = GraphQLClientError
    /// Returns the next result, or `nil` after the last result.
    public typealias Next = @Sendable () async throws(GraphQLClientError) -> GraphQLResult<Data>?

    /// The iterator of a single task.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let result: Next

        /// Returns the next result; `nil` after the last result, or if the task is cancelled.
        public mutating func next() async throws(GraphQLClientError) -> GraphQLResult<Data>? {
            try await result()
        }

        /// Returns the next result; `nil` after the last result, or if the task is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(GraphQLClientError) -> GraphQLResult<Data>? {
            try await result()
        }
    }

    private let start: @Sendable () -> Next

    /// Creates a sequence of results.
    /// - Parameter start: Called once for each iteration.
    public init(_ start: @escaping @Sendable () -> Next) { self.start = start }

    /// Starts an iteration.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(result: start()) }
}
