public import DuetClient
import Synchronization

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

/// Delivers the results of an iteration to a subscriber, according to the subscriber's demand.
///
/// While there is demand, a task requests one result after another. The task ends when the demand is met. The next
/// demand starts a new task.
///
/// The class is `@unchecked Sendable` because subscribers and iterators are not `Sendable`. The lock protects the
/// state, which contains both. Only the running task uses the iterator, and the lock orders successive tasks.
final class ResultsSubscription<Data: Sendable, Downstream: Subscriber>: Subscription, @unchecked Sendable
where Downstream.Input == GraphQLResult<Data>, Downstream.Failure == GraphQLClientError {
    private typealias Iterator = GraphQLResults<Data>.AsyncIterator

    private struct State {
        /// The subscriber; `nil` after the completion or the cancellation.
        var downstream: Downstream?
        /// The iterator; `nil` after the completion or the cancellation. A subscriber can retain the subscription
        /// longer than that, and the iterator of a live query has a connection.
        var iterator: Iterator?
        var demand = Subscribers.Demand.none
        /// The task that requests results; `nil` while there is no demand.
        var task: Task<Void, Never>?
    }

    private let state: Mutex<State>

    init(_ iterator: GraphQLResults<Data>.AsyncIterator, downstream: Downstream) {
        state = Mutex(State(downstream: downstream, iterator: iterator))
    }

    func request(_ demand: Subscribers.Demand) {
        state.withLock { state in
            guard state.downstream != nil else { return }
            state.demand += demand
            if state.task == nil, state.demand > 0 { state.task = Task { await self.deliver() } }
        }
    }

    func cancel() {
        // Release the subscriber without the lock, because its deinitializer may cancel the subscription again.
        let ended = state.withLock { state in
            defer { state = State() }
            return state
        }
        ended.task?.cancel()
    }

    private func deliver() async {
        while var iterator = takeDemand() {
            do throws(GraphQLClientError) {
                guard let result = try await iterator.next() else { return finish(.finished) }
                // Call the subscriber without the lock, because it may demand more results when it receives a result.
                guard let more = state.withLock({ $0.downstream })?.receive(result) else { return }
                state.withLock { $0.demand += more }
            } catch {
                return finish(.failure(error))
            }
        }
    }

    /// Decrements the demand.
    /// - Returns: The iterator; `nil` if there is no demand. In this case, the task must end.
    private func takeDemand() -> Iterator? {
        state.withLock { state in
            guard state.downstream != nil, state.demand > 0 else {
                state.task = nil
                return nil
            }
            state.demand -= 1
            return state.iterator
        }
    }

    private func finish(_ completion: Subscribers.Completion<GraphQLClientError>) {
        let downstream = state.withLock { state in
            defer { state = State() }
            return state.downstream
        }
        downstream?.receive(completion: completion)
    }
}
