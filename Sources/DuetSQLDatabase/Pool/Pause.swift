import Synchronization

/// A pause of a task that can be ended early.
final class Pause: Sendable {
    private struct State {
        var sleep: Task<Void, Never>?
        /// True if the current or the next pause has been ended early.
        var isEnded = false
    }

    private let state = Mutex(State())

    /// Ends the current pause, or otherwise the next one.
    func end() {
        state.withLock { state in
            state.isEnded = true
            state.sleep?.cancel()
        }
    }

    /// Waits for a time, until ``end()`` is called, or until the task is canceled.
    /// - Returns: True if ``end()`` was called.
    func wait(for time: Duration) async -> Bool {
        let sleep = state.withLock { state -> Task<Void, Never>? in
            guard !state.isEnded else { return nil }
            state.sleep = Task { try? await Task.sleep(for: time) }
            return state.sleep
        }
        await withTaskCancellationHandler {
            await sleep?.value
        } onCancel: {
            sleep?.cancel()
        }
        return state.withLock { state in
            defer { state = State() }
            return state.isEnded
        }
    }
}
