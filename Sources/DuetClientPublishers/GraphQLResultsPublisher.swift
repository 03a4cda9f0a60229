public import DuetClient

#if canImport(Combine)
    public import Combine
#else
    public import OpenCombine
#endif

/// Publishes the results of an operation. Each subscriber starts a separate iteration.
///
/// The publisher requests a result only when the subscriber demands it.
public struct GraphQLResultsPublisher<Data: Sendable>: Publisher, Sendable {
    /// A result.
    public typealias Output = GraphQLResult<Data>
    /// The error that ends the publisher.
    public typealias Failure = GraphQLClientError

    private let results: GraphQLResults<Data>

    /// Creates a publisher of results.
    public init(_ results: GraphQLResults<Data>) { self.results = results }

    /// Starts an iteration for a subscriber.
    public func receive<Downstream: Subscriber>(
        subscriber: Downstream
    ) where Downstream.Input == Output, Downstream.Failure == Failure {
        subscriber.receive(
            subscription: ResultsSubscription(results.makeAsyncIterator(), downstream: subscriber))
    }
}
