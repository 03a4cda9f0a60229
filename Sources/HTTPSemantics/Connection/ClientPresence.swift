import Synchronization

/// Cancels the work that is done for a connection's client when the client leaves.
final class ClientPresence: Sendable {
    private struct State {
        var work: Task<Void, Never>?
        var hasLeft = false
    }

    private let state = Mutex(State())

    /// Runs the work for the client. Called once for each connection.
    func whilePresent(_ body: @escaping @Sendable () async -> Void) async {
        let work = Task { await body() }
        let hasLeft = state.withLock { state in
            state.work = work
            return state.hasLeft
        }
        if hasLeft { work.cancel() }
        await withTaskCancellationHandler {
            await work.value
        } onCancel: {
            work.cancel()
        }
        state.withLock { $0.work = nil }
    }

    /// The client has left.
    func left() {
        let work = state.withLock { state in
            state.hasLeft = true
            return state.work
        }
        work?.cancel()
    }
}
