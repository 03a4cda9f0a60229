/// Fetches, watches and changes the data of a GraphQL service.
///
/// ``GraphQLClient`` is the implementation that sends requests to a server. The tests of an app can use a different
/// implementation.
public protocol GraphQLService: Sendable {
    /// Fetches a query once.
    /// - Throws: ``GraphQLClientError`` if there is no response, unless the policy allows a cached result and the cache
    ///   has one.
    func fetch<Query: GraphQLQuery>(
        _ query: Query, policy: FetchPolicy
    ) async throws(GraphQLClientError) -> GraphQLResult<Query.Data>

    /// Returns all results of a query according to the policy. For ``FetchPolicy/cacheAndFetch``, there are two results
    /// if the cache has a result. Otherwise, there is one result.
    func results<Query: GraphQLQuery>(
        of query: Query, policy: FetchPolicy
    ) -> GraphQLResults<Query.Data>

    /// Fetches only those fields of a query that are missing in the cache or stale. The default implementation fetches
    /// the whole query unless the cache has all fields.
    /// - Throws: ``GraphQLClientError``.
    func fetchMissing<Query: GraphQLQuery>(
        _ query: Query
    ) async throws(GraphQLClientError) -> GraphQLResult<Query.Data>

    /// Fetches a query, and delivers a new result whenever one of its values changes in the store.
    ///
    /// A watch reports changes of stored values, so the response must be stored.
    /// ``FetchPolicy/fetchIgnoringCacheCompletely`` therefore behaves like ``FetchPolicy/fetchIgnoringCacheData``.
    ///
    /// The sequence ends when the task that iterates over it is canceled. It throws if it cannot deliver a first
    /// result. If a later request fails, the sequence delivers the cached result, whose ``GraphQLResult/refreshError``
    /// is the error of the request.
    func watch<Query: GraphQLQuery>(
        _ query: Query, policy: FetchPolicy
    ) -> GraphQLResults<Query.Data>

    /// Returns the results of a query: the first one at once, and a new one whenever it has changed on the server. The
    /// default implementation watches the query.
    ///
    /// The client sends the query as subscriptions, one for each root field, and writes each response to the store. If
    /// a connection is lost, the client connects again after a pause (``LiveSettings``), and the sequence continues
    /// with the last state. If the reader is slower than the changes, it skips intermediate results.
    ///
    /// The sequence ends when the service completes the query, when the task that iterates over it is canceled, or when
    /// the caller changes. It throws ``GraphQLClientError`` if another attempt would not help, with the code
    /// ``GraphQLClientError/Code-swift.enum/refused`` if the service does not accept the query.
    func live<Query: GraphQLQuery>(_ query: Query) -> GraphQLResults<Query.Data>

    /// Performs a mutation.
    /// - Parameters:
    ///   - mutation: The mutation with its variables.
    ///   - optimistic: Makes changes that are visible until the server responds. The closure is called again if the
    ///     store changes before the response.
    /// - Throws: ``GraphQLClientError`` if there is no response. Even then, the server may have performed the mutation.
    func perform<Mutation: GraphQLMutation>(
        _ mutation: Mutation, optimistic: (@Sendable (WriteTransaction) throws -> Void)?
    ) async throws(GraphQLClientError) -> GraphQLResult<Mutation.Data>

    /// Performs a mutation with a key. The default implementation ignores the key.
    /// - Parameters:
    ///   - mutation: The mutation with its variables. It has one root field, or the directive `@transaction`.
    ///   - idempotencyKey: The key. If it is `nil`, the service decides if the mutation has a key.
    ///   - optimistic: Makes changes that are visible until the server responds. If the mutation remains pending, they
    ///     remain visible.
    /// - Throws: ``GraphQLClientError`` if there is no response. Even then, the server may have performed the mutation.
    func perform<Mutation: GraphQLMutation>(
        _ mutation: Mutation, idempotencyKey: IdempotencyKey?,
        optimistic: (@Sendable (WriteTransaction) throws -> Void)?
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

    /// Delivers the cached result of a query, then the result of the server, and a new result whenever a value changes.
    public func watch<Query: GraphQLQuery>(_ query: Query) -> GraphQLResults<Query.Data> {
        watch(query, policy: .cacheAndFetch)
    }

    /// Watches a query. A service that is not a ``GraphQLClient`` can have no live queries.
    public func live<Query: GraphQLQuery>(_ query: Query) -> GraphQLResults<Query.Data> { watch(query) }

    /// Performs a mutation, and ignores the key.
    /// - Throws: ``GraphQLClientError``.
    public func perform<Mutation: GraphQLMutation>(
        _ mutation: Mutation, idempotencyKey: IdempotencyKey?,
        optimistic: (@Sendable (WriteTransaction) throws -> Void)?
    ) async throws(GraphQLClientError) -> GraphQLResult<Mutation.Data> {
        try await perform(mutation, optimistic: optimistic)
    }

    /// Performs a mutation with a key.
    /// - Throws: ``GraphQLClientError``.
    public func perform<Mutation: GraphQLMutation>(
        _ mutation: Mutation, idempotencyKey: IdempotencyKey
    ) async throws(GraphQLClientError) -> GraphQLResult<Mutation.Data> {
        try await perform(mutation, idempotencyKey: idempotencyKey, optimistic: nil)
    }

    /// Performs a mutation.
    /// - Throws: ``GraphQLClientError``.
    public func perform<Mutation: GraphQLMutation>(
        _ mutation: Mutation
    ) async throws(GraphQLClientError) -> GraphQLResult<Mutation.Data> {
        try await perform(mutation, optimistic: nil)
    }
}

/// A sequence of results. Each iteration fetches or watches the query independently.
public struct GraphQLResults<Data: Sendable>: AsyncSequence, Sendable {
    /// A result.
    public typealias Element = GraphQLResult<Data>
    /// The error that ends the sequence.
    public typealias Failure = GraphQLClientError
    /// Returns the next result, or `nil` after the last result.
    public typealias Next = @Sendable () async throws(GraphQLClientError) -> GraphQLResult<Data>?

    /// The iterator. Only one task may use it.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let result: Next

        /// Returns the next result, or `nil` at the end of the sequence. If the task is canceled, the sequence of a
        /// watch ends.
        public mutating func next() async throws(GraphQLClientError) -> GraphQLResult<Data>? {
            try await result()
        }

        /// Returns the next result, or `nil` at the end of the sequence. If the task is canceled, the sequence of a
        /// watch ends.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(GraphQLClientError) -> GraphQLResult<Data>? {
            try await result()
        }
    }

    private let start: @Sendable () -> Next

    /// Creates a sequence of results.
    /// - Parameter start: Called at the start of each iteration. It returns the function that returns the next result.
    public init(_ start: @escaping @Sendable () -> Next) { self.start = start }

    /// Starts an iteration.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(result: start()) }
}
