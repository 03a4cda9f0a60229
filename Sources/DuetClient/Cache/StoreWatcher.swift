import Synchronization

/// Waits for changes of the values of a query. Each iteration over a watched query has its own watcher.
final class StoreWatcher: Sendable {
    private struct State {
        var dependencies: [CacheKey: [ResolvedSelection]] = [:]
        var isAwake = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// The records that the query reads.
    var dependencies: [CacheKey: [ResolvedSelection]] { state.withLock { $0.dependencies } }

    /// Sets the records that the query reads.
    func depend(on dependencies: [CacheKey: [ResolvedSelection]]) {
        state.withLock { $0.dependencies = dependencies }
    }

    /// Returns true if the query reads one of the changed fields.
    func depends(on changes: [CacheKey: [FieldKey]]) -> Bool {
        state.withLock { state in
            // Iterate over the smaller dictionary and look up its keys in the larger one.
            if changes.count < state.dependencies.count {
                return changes.contains { key, fields in Self.intersects(state.dependencies[key], fields) }
            }
            return state.dependencies.contains { key, selections in
                changes[key].map { Self.intersects(selections, $0) } ?? false
            }
        }
    }

    private static func intersects(_ selections: [ResolvedSelection]?, _ fields: [FieldKey]) -> Bool {
        guard let selections else { return false }
        return fields.contains { field in selections.contains { $0.keys.contains(field) } }
    }

    /// Ends the current wait. If no task is waiting, the next wait ends immediately.
    func wake() {
        let waiter = state.withLock { state in
            state.isAwake = state.waiter == nil
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Waits until ``wake()`` is called or the task is canceled. Returns immediately if ``wake()`` was called after the
    /// end of the last wait.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isAwake = state.withLock { state in
                    if state.isAwake {
                        state.isAwake = false
                        return true
                    }
                    state.waiter = continuation
                    return false
                }
                if isAwake { continuation.resume() }
            }
        } onCancel: {
            wake()
        }
    }
}
