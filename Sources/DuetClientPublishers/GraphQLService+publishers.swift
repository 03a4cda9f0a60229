public import DuetClient
import Synchronization

extension GraphQLService {
    /// Fetches a query once for each subscriber, when the subscriber demands the result.
    ///
    /// Canceling the subscription cancels the request. The result is delivered on a separate task; use `receive(on:)`
    /// to deliver it on a scheduler. The publisher fails with the errors that
    /// `fetch(_:policy:)` throws.
    /// - Parameters:
    ///   - query: The query.
    ///   - policy: The source of the data.
    public func fetchPublisher<Query: GraphQLQuery>(
        _ query: Query, policy: FetchPolicy = .cacheElseFetch
    ) -> GraphQLResultsPublisher<Query.Data> {
        GraphQLResultsPublisher(
            .once { () async throws(GraphQLClientError) in try await self.fetch(query, policy: policy) })
    }

    /// Publishes all results of a query according to the policy: two results for `cacheAndFetch` if the cache has a
    /// result, and one result for the other policies.
    ///
    /// Canceling the subscription cancels the request.
    /// - Parameters:
    ///   - query: The query.
    ///   - policy: The source of the data.
    public func resultsPublisher<Query: GraphQLQuery>(
        of query: Query, policy: FetchPolicy = .cacheAndFetch
    ) -> GraphQLResultsPublisher<Query.Data> {
        GraphQLResultsPublisher(results(of: query, policy: policy))
    }

    /// Publishes the result of a query, and a new result whenever one of its values changes in the store.
    ///
    /// The publisher ends only with an error. If values change faster than a subscriber demands results, the subscriber
    /// receives only the latest result and no intermediate results.
    /// - Parameters:
    ///   - query: The query.
    ///   - policy: The source of the first result.
    public func watchPublisher<Query: GraphQLQuery>(
        _ query: Query, policy: FetchPolicy = .cacheAndFetch
    ) -> GraphQLResultsPublisher<Query.Data> {
        GraphQLResultsPublisher(watch(query, policy: policy))
    }

    /// Publishes the result of a query, and a new result whenever it has changed on the server.
    ///
    /// The live query begins when the subscriber first demands a result, and ends when the subscription is canceled. If
    /// the connection is lost, the client connects again, and the publisher continues with the last state. If results
    /// arrive faster than the subscriber demands them, it receives only the last one. The publisher finishes when the
    /// service completes the query, and fails with the errors that `live(_:)` throws.
    /// - Parameter query: The query.
    public func livePublisher<Query: GraphQLQuery>(_ query: Query) -> GraphQLResultsPublisher<Query.Data> {
        GraphQLResultsPublisher(live(query))
    }

    /// Performs a mutation once for each subscriber, when the subscriber demands the result. Without a subscriber, the
    /// mutation is not sent.
    ///
    /// Canceling the subscription cancels the request. Even then, the server may have performed the mutation.
    /// - Parameters:
    ///   - mutation: The mutation.
    ///   - optimistic: Makes changes that are visible until the server responds. The closure is called again if the
    ///     store changes before the response.
    public func performPublisher<Mutation: GraphQLMutation>(
        _ mutation: Mutation, optimistic: (@Sendable (WriteTransaction) throws -> Void)? = nil
    ) -> GraphQLResultsPublisher<Mutation.Data> {
        GraphQLResultsPublisher(
            .once { () async throws(GraphQLClientError) in
                try await self.perform(mutation, optimistic: optimistic)
            })
    }
}

extension GraphQLResults {
    /// Returns a sequence with one result.
    /// - Parameter result: Returns the result. It is called at the first `next()` of each iterator.
    static func once(
        _ result: @escaping @Sendable () async throws(GraphQLClientError) -> GraphQLResult<Data>
    ) -> GraphQLResults {
        GraphQLResults {
            let isFirst = OneTime()
            return { () async throws(GraphQLClientError) in isFirst.take() ? try await result() : nil }
        }
    }
}

/// A flag whose `take()` returns true only at the first call.
private final class OneTime: Sendable {
    private let isAvailable = Atomic(true)

    func take() -> Bool { isAvailable.exchange(false, ordering: .relaxed) }
}
