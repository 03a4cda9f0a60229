public import DuetClient

extension GraphQLService {
    /// Fetches a query once for each subscriber, when the subscriber demands the result.
    ///
    /// Cancelling the subscription cancels the request. The result arrives on a task of its own; `receive(on:)` moves it to a scheduler.
    /// The publisher fails as ``DuetClient/GraphQLService/fetch(_:policy:)`` throws.
    /// - Parameter policy: The place that the data comes from.
    public func fetchPublisher<Query: GraphQLQuery>(
        _ query: Query, policy: FetchPolicy = .cacheElseFetch
    ) -> GraphQLResultsPublisher<Query.Data> {
        GraphQLResultsPublisher(
            .once { () async throws(GraphQLClientError) in try await self.fetch(query, policy: policy) })
    }

    /// Publishes all results that a policy has for a query: two for `cacheAndFetch`, if the cache has one, and one for the others.
    ///
    /// Cancelling the subscription cancels the request.
    /// - Parameter policy: The place that the data comes from.
    public func resultsPublisher<Query: GraphQLQuery>(
        of query: Query, policy: FetchPolicy = .cacheAndFetch
    ) -> GraphQLResultsPublisher<Query.Data> {
        GraphQLResultsPublisher(results(of: query, policy: policy))
    }

    /// Publishes a query, and publishes it again whenever a value that it shows changes in the store.
    ///
    /// The publisher does not finish by itself. A subscriber that demands results slowly receives the newest values.
    /// - Parameter policy: The place that the first result comes from.
    public func watchPublisher<Query: GraphQLQuery>(
        _ query: Query, policy: FetchPolicy = .cacheAndFetch
    ) -> GraphQLResultsPublisher<Query.Data> {
        GraphQLResultsPublisher(watch(query, policy: policy))
    }

    /// Performs a mutation once for each subscriber, when the subscriber demands the result. Without a subscriber nothing is sent.
    ///
    /// Cancelling the subscription cancels the request; the server may have performed the mutation all the same.
    /// - Parameter optimistic: Changes that are shown until the server has answered. The closure is called again if the store changes
    ///   in the meantime.
    public func performPublisher<Mutation: GraphQLMutation>(
        _ mutation: Mutation, optimistic: (@Sendable (WriteTransaction) throws -> Void)? = nil
    ) -> GraphQLResultsPublisher<Mutation.Data> {
        GraphQLResultsPublisher(
            .once { () async throws(GraphQLClientError) in
                try await self.perform(mutation, optimistic: optimistic)
            })
    }
}
