import Synchronization

/// Passes values from a task that receives them to the task that iterates over them. It stores only the newest value,
/// so a slow reader skips to the last state.
final class NewestValue<Value: Sendable, Failure: Error>: Sendable {
    private struct State {
        var value: Value?
        /// The end, after the last value.
        var end: Result<Void, Failure>?
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Stores a value, and replaces a value that was not read.
    func put(_ value: Value) {
        wake { state in
            if state.end == nil { state.value = value }
        }
    }

    /// Ends the sequence after the last value. Only the first call has an effect.
    /// - Parameter failure: The error that the reader receives; `nil` for the regular end.
    func finish(_ failure: Failure? = nil) {
        wake { state in
            if state.end == nil { state.end = failure.map { .failure($0) } ?? .success(()) }
        }
    }

    private func wake(_ change: (inout sending State) -> Void) {
        let waiter = state.withLock { state in
            change(&state)
            return state.waiter.take()
        }
        waiter?.resume()
    }

    private enum Step {
        case value(Value)
        case end(Result<Void, Failure>)
        case wait
    }

    /// Returns the newest value. Waits for it if there is none. Only one task at a time may call this method.
    /// - Returns: `nil` at the end, or if the task is canceled.
    func next() async throws(Failure) -> Value? {
        while true {
            let step = state.withLock { state -> Step in
                if let value = state.value.take() { return .value(value) }
                return state.end.map { .end($0) } ?? .wait
            }
            switch step {
            case .value(let value): return value
            case .end(let end):
                try end.get()
                return nil
            case .wait:
                if Task.isCancelled { return nil }
                await wait()
            }
        }
    }

    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    // The cancellation handler may have been called before.
                    guard state.value == nil, state.end == nil, !Task.isCancelled else { return false }
                    state.waiter = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            wake { _ in }
        }
    }
}
