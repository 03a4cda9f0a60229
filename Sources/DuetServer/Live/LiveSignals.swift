import Synchronization

/// The signals that a live stream receives beside its events: heartbeats, and the reason for which it ends before them.
final class LiveSignals: Sendable {
    enum Signal: Sendable {
        /// The database cannot be reached.
        case heartbeat
        /// The server shuts down, or the API was replaced.
        case drain
        /// The token of the caller has expired.
        case expired
        /// The stream has ended.
        case closed
    }

    private struct State {
        var last: Signal?
        var consumer: CheckedContinuation<Signal, Never>?
        var isClosed = false
    }

    private let state = Mutex(State())
    private let onEnd: @Sendable () -> Void

    /// - Parameter onEnd: A closure that is called if the stream must end before its events.
    init(onEnd: @escaping @Sendable () -> Void = {}) { self.onEnd = onEnd }

    /// The reason for which the stream must end before its events; nil otherwise.
    var last: Signal? { state.withLock { $0.last } }

    /// Returns the next signal. Only one task may wait. If the task is canceled, the signals are closed.
    func next() async -> Signal {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let signal = state.withLock { state -> Signal? in
                    if let last = state.last { return last }
                    if state.isClosed { return .closed }
                    state.consumer = continuation
                    return nil
                }
                if let signal { continuation.resume(returning: signal) }
            }
        } onCancel: {
            close()
        }
    }

    /// Delivers a heartbeat if a task waits for a signal.
    func beat() { state.withLock { $0.consumer.take() }?.resume(returning: .heartbeat) }

    /// Ends the stream, because the server shuts down or the API was replaced.
    func drain() { end(with: .drain) }

    /// Ends the stream, because the token of the caller has expired.
    func expire() { end(with: .expired) }

    private func end(with signal: Signal) {
        let consumer = state.withLock { state -> CheckedContinuation<Signal, Never>? in
            guard state.last == nil else { return nil }
            state.last = signal
            return state.consumer.take()
        }
        consumer?.resume(returning: signal)
        onEnd()
    }

    /// Releases the task that waits. The stream has ended.
    func close() {
        let consumer = state.withLock { state in
            state.isClosed = true
            return state.consumer.take()
        }
        consumer?.resume(returning: .closed)
    }
}
