/// Fetches, watches and changes the data of a GraphQL service.
///
/// ``GraphQLClient`` is the one that asks a server. The tests of an app can put their own in its place.
public protocol GraphQLService: Sendable {
    /// Fetches a query once.
    /// - Throws: ``GraphQLClientError`` if there is neither a response nor, where the policy allows it, a cached result.
    func fetch<Query: GraphQLQuery>(
        _ query: Query, policy: FetchPolicy
    ) async throws(GraphQLClientError) -> GraphQLResult<Query.Data>

    /// All results that a policy has for a query: two for ``FetchPolicy/cacheAndFetch``, if the cache has one, and one for the others.
    func results<Query: GraphQLQuery>(
        of query: Query, policy: FetchPolicy
    ) -> GraphQLResults<Query.Data>

    /// Fetches only the fields of a query that the cache does not have, if it has some. A service without such a cache fetches the
    /// query.
    /// - Throws: ``GraphQLClientError``.
    func fetchMissing<Query: GraphQLQuery>(
        _ query: Query
    ) async throws(GraphQLClientError) -> GraphQLResult<Query.Data>

    /// Fetches a query, and then delivers it again whenever a value that it shows changes in the store.
    ///
    /// ``FetchPolicy/fetchIgnoringCacheCompletely`` is ``FetchPolicy/fetchIgnoringCacheData`` here, because the changes are those of the
    /// cache.
    ///
    /// The sequence ends with the task that iterates over it. It throws only if there is nothing to show: after a result, a server that
    /// does not answer is reported by ``GraphQLResult/refreshError``.
    func watch<Query: GraphQLQuery>(
        _ query: Query, policy: FetchPolicy
    ) -> GraphQLResults<Query.Data>

    /// Performs a mutation.
    /// - Parameters:
    ///   - mutation: The mutation with its variables.
    ///   - optimistic: Changes that are shown until the server has answered. The closure is called again if the store changes
    ///     in the meantime.
    /// - Throws: ``GraphQLClientError`` if there is no response. The server may have performed the mutation all the same.
    func perform<Mutation: GraphQLMutation>(
        _ mutation: Mutation, optimistic: (@Sendable (WriteTransaction) throws -> Void)?
    ) async throws(GraphQLClientError) -> GraphQLResult<Mutation.Data>
}

extension GraphQLService {
    /// Fetches the query: from the cache if it has all fields, otherwise from the server.
    /// - Throws: ``GraphQLClientError``.
    public func fetchMissing<Query: GraphQLQuery>(
        _ query: Query
    ) async throws(GraphQLClientError) -> GraphQLResult<Query.Data> {
        try await fetch(query, policy: .cacheElseFetch)
    }

    /// Fetches a query once: from the cache if it has all fields, otherwise from the server.
    /// - Throws: ``GraphQLClientError``.
    public func fetch<Query: GraphQLQuery>(
        _ query: Query
    ) async throws(GraphQLClientError) -> GraphQLResult<Query.Data> {
        try await fetch(query, policy: .cacheElseFetch)
    }

    /// Delivers a query from the cache and then from the server, and again whenever a value that it shows changes.
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

/// Results as they come. Each iteration is one of its own.
public struct GraphQLResults<Data: Sendable>: AsyncSequence, Sendable {
    /// A result.
    public typealias Element = GraphQLResult<Data>
    /// The error that ends the sequence.
    public typealias Failure = GraphQLClientError
    /// Returns the next result, or `nil` after the last.
    public typealias Next = @Sendable () async throws(GraphQLClientError) -> GraphQLResult<Data>?

    /// Returns results to one task.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let result: Next

        /// The next result; `nil` after the last, or if the task is cancelled.
        public mutating func next() async throws(GraphQLClientError) -> GraphQLResult<Data>? {
            try await result()
        }

        /// The next result; `nil` after the last, or if the task is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(GraphQLClientError) -> GraphQLResult<Data>? {
            try await result()
        }
    }

    private let start: @Sendable () -> Next

    /// A sequence of results.
    /// - Parameter start: Is called once for each iteration.
    public init(_ start: @escaping @Sendable () -> Next) { self.start = start }

    /// Starts an iteration.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(result: start()) }
}
