import DuetClient
import Synchronization

#if canImport(Combine)
    import Combine
#else
    import OpenCombine
#endif

/// A subscriber that forwards the received events. It demands values only when a test calls ``demand(_:)``.
final class Collector<Input: Sendable>: Subscriber, Sendable {
    /// An event of a publisher.
    enum Event: Sendable {
        case value(Input)
        case finished
        case failed(GraphQLClientError)

        /// The value, or nil if the event is not a value.
        var value: Input? { if case .value(let value) = self { value } else { nil } }
    }

    /// The events in order.
    let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private let subscription = Mutex<Subscriptions>(Subscriptions())

    /// The protocol `Subscription` does not require `Sendable`, but the subscriptions of this library are sendable.
    private struct Subscriptions: @unchecked Sendable {
        var subscription: (any Subscription)?
    }

    init() { (events, continuation) = AsyncStream.makeStream() }

    func receive(subscription: any Subscription) {
        let received = Subscriptions(subscription: subscription)
        self.subscription.withLock { $0 = received }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        continuation.yield(.value(input))
        return .none
    }

    func receive(completion: Subscribers.Completion<GraphQLClientError>) {
        switch completion {
        case .finished: continuation.yield(.finished)
        case .failure(let error): continuation.yield(.failed(error))
        }
        continuation.finish()
    }

    /// Demands a number of values.
    func demand(_ demand: Subscribers.Demand) { subscription.withLock { $0 }.subscription?.request(demand) }

    /// Ends the subscription.
    func cancel() { subscription.withLock { $0 }.subscription?.cancel() }
}
