import DuetClient
import Synchronization

#if canImport(Combine)
    import Combine
#else
    import OpenCombine
#endif

/// Delivers the results of one iteration to one subscriber, as many as it demands.
///
/// A task runs while there is demand, and asks for one result after another. When the demand is met the task ends, and the next demand
/// starts another one.
///
/// It is `@unchecked Sendable` because a subscriber and an iterator are not `Sendable`. The lock guards the state with the subscriber;
/// the iterator is used by the one task that runs, and the lock orders a task after the one before it.
final class ResultsSubscription<Data: Sendable, Downstream: Subscriber>: Subscription, @unchecked Sendable
where Downstream.Input == GraphQLResult<Data>, Downstream.Failure == GraphQLClientError {
    private struct State {
        /// The subscriber; `nil` after the end and after the cancellation.
        var downstream: Downstream?
        var demand = Subscribers.Demand.none
        /// The task that asks for results; `nil` while there is no demand.
        var task: Task<Void, Never>?
    }

    private let state: Mutex<State>
    private var iterator: GraphQLResults<Data>.AsyncIterator

    init(_ iterator: GraphQLResults<Data>.AsyncIterator, downstream: Downstream) {
        self.iterator = iterator
        state = Mutex(State(downstream: downstream))
    }

    func request(_ demand: Subscribers.Demand) {
        state.withLock { state in
            guard state.downstream != nil else { return }
            state.demand += demand
            if state.task == nil, state.demand > 0 { state.task = Task { await self.deliver() } }
        }
    }

    func cancel() {
        // The subscriber is released outside of the lock: its end may cancel again.
        let ended = state.withLock { state in
            defer { state = State(downstream: nil) }
            return state
        }
        ended.task?.cancel()
    }

    private func deliver() async {
        while takeDemand() {
            do throws(GraphQLClientError) {
                guard let result = try await iterator.next() else { return finish(.finished) }
                // A subscriber may ask for more as it receives a result, so it is called outside of the lock.
                guard let more = state.withLock({ $0.downstream })?.receive(result) else { return }
                state.withLock { $0.demand += more }
            } catch {
                return finish(.failure(error))
            }
        }
    }

    /// Takes one of the demanded results.
    /// - Returns: False if no more is demanded; the task ends.
    private func takeDemand() -> Bool {
        state.withLock { state in
            guard state.downstream != nil, state.demand > 0 else {
                state.task = nil
                return false
            }
            state.demand -= 1
            return true
        }
    }

    private func finish(_ completion: Subscribers.Completion<GraphQLClientError>) {
        let downstream = state.withLock { state in
            defer { state = State(downstream: nil) }
            return state.downstream
        }
        downstream?.receive(completion: completion)
    }
}
