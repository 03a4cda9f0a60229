public import DuetClient

#if canImport(Combine)
    public import Combine
#else
    public import OpenCombine
#endif

/// Publishes the results of an operation. Each subscriber has an iteration of its own.
///
/// The next result is asked for only when the subscriber demands one.
public struct GraphQLResultsPublisher<Data: Sendable>: Publisher, Sendable {
    /// A result.
    public typealias Output = GraphQLResult<Data>
    /// The reason why there is no result.
    public typealias Failure = GraphQLClientError

    private let results: GraphQLResults<Data>

    /// A publisher of these results.
    public init(_ results: GraphQLResults<Data>) { self.results = results }

    /// Starts an iteration for a subscriber.
    public func receive<Downstream: Subscriber>(
        subscriber: Downstream
    ) where Downstream.Input == Output, Downstream.Failure == Failure {
        subscriber.receive(
            subscription: ResultsSubscription(results.makeAsyncIterator(), downstream: subscriber))
    }
}
