import Synchronization

/// Whether a connection's client is still there, and the work that is done for it: that is cancelled when the client leaves, so
/// that no statement goes on for nobody.
final class ClientPresence: Sendable {
    private struct State {
        var work: Task<Void, Never>?
        var hasLeft = false
    }

    private let state = Mutex(State())

    /// Runs what is done for the client; once for each connection.
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

    /// The client is gone.
    func left() {
        let work = state.withLock { state in
            state.hasLeft = true
            return state.work
        }
        work?.cancel()
    }
}
