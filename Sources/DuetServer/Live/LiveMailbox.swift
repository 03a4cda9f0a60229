import NIOCore
import Synchronization

/// Passes the events of one live stream from the task that creates them to the task that sends them. The mailbox has
/// room for one event, so a slow client delays the creation of further events. If no task creates events, it only
/// passes the reason for which the stream ends.
final class LiveMailbox: Sendable {
    /// An item for the sending task.
    enum Item: Sendable {
        case event(ByteBuffer)
        /// The database cannot be reached.
        case heartbeat
        /// The server shuts down, or the API was replaced.
        case drain
        /// The token of the caller has expired.
        case expired
        /// The events have ended.
        case end((any Error)?)
    }

    private struct State {
        var item: Item?
        /// The reason for which the stream ends although its events have not ended.
        var lastItem: Item?
        var consumer: CheckedContinuation<Item, Never>?
        var producer: CheckedContinuation<Void, Never>?
        var isClosed = false
    }

    private let state = Mutex(State())
    private let onEnd: @Sendable () -> Void

    /// - Parameter onEnd: A closure that ends the events if the stream ends before them.
    init(onEnd: @escaping @Sendable () -> Void = {}) { self.onEnd = onEnd }

    /// The reason for which the stream ends before its events; nil otherwise.
    var last: Item? { state.withLock { $0.lastItem } }

    /// Stores an event, and waits until the sending task has taken it.
    func put(_ event: ByteBuffer) async { await put(.event(event)) }

    /// Ends the stream after the last event.
    func end(_ error: (any Error)? = nil) async { await put(.end(error)) }

    private func put(_ item: Item) async {
        await withCheckedContinuation { continuation in
            let (consumer, waits) = state.withLock { state -> (CheckedContinuation<Item, Never>?, Bool) in
                if let consumer = state.consumer.take() { return (consumer, false) }
                guard !state.isClosed else { return (nil, false) }
                state.item = item
                state.producer = continuation
                return (nil, true)
            }
            consumer?.resume(returning: item)
            if !waits { continuation.resume() }
        }
    }

    /// Returns the next item. Only one task may wait. If the task is canceled, the mailbox is closed.
    func next() async -> Item {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (item, producer) = state.withLock { state -> (Item?, CheckedContinuation<Void, Never>?) in
                    if let last = state.lastItem { return (last, nil) }
                    if state.isClosed { return (.end(nil), nil) }
                    guard let item = state.item.take() else {
                        state.consumer = continuation
                        return (nil, nil)
                    }
                    return (item, state.producer.take())
                }
                producer?.resume()
                if let item { continuation.resume(returning: item) }
            }
        } onCancel: {
            close()
        }
    }

    /// Delivers a heartbeat if the sending task waits for an event.
    func beat() { state.withLock { $0.consumer.take() }?.resume(returning: .heartbeat) }

    /// Ends the stream, because the server shuts down or the API was replaced.
    func drain() { end(with: .drain) }

    /// Ends the stream, because the token of the caller has expired.
    func expire() { end(with: .expired) }

    private func end(with item: Item) {
        let consumer = state.withLock { state -> CheckedContinuation<Item, Never>? in
            guard state.lastItem == nil else { return nil }
            state.lastItem = item
            return state.consumer.take()
        }
        consumer?.resume(returning: item)
        onEnd()
    }

    /// Releases the tasks that wait. The stream has ended.
    func close() {
        let (producer, consumer) = state.withLock { state in
            state.isClosed = true
            state.item = nil
            return (state.producer.take(), state.consumer.take())
        }
        producer?.resume()
        consumer?.resume(returning: .end(nil))
    }
}
