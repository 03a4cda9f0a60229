import Synchronization

/// The task that receives the values of one live query. It starts with the first value that is requested.
final class LiveTask: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var isEnded = false
    }

    private let state = Mutex(State())

    /// Starts the task, unless it was started or ended before.
    func start(_ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            guard state.task == nil, !state.isEnded else { return }
            state.task = Task { await work() }
        }
    }

    /// Cancels the task.
    func end() {
        state.withLock { state in
            state.isEnded = true
            return state.task
        }?.cancel()
    }
}
