import DuetClient
import Synchronization

#if canImport(Combine)
    import Combine
#else
    import OpenCombine
#endif

/// A subscriber that demands nothing by itself, and passes on what it receives.
final class Collector<Input: Sendable>: Subscriber, Sendable {
    /// An event of a publisher.
    enum Event: Sendable {
        case value(Input)
        case finished
        case failed(GraphQLClientError)

        /// The value, if it is one.
        var value: Input? { if case .value(let value) = self { value } else { nil } }
    }

    /// The events, in their order.
    let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private let subscription = Mutex<Subscriptions>(Subscriptions())

    /// A subscription is not `Sendable` by its protocol; those of this library are.
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

    /// Demands that many values.
    func demand(_ demand: Subscribers.Demand) { subscription.withLock { $0 }.subscription?.request(demand) }

    /// Ends the subscription.
    func cancel() { subscription.withLock { $0 }.subscription?.cancel() }
}
