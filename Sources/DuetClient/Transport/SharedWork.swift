import Synchronization

/// Shares work between tasks. If several tasks request the same key at the same time, the work is performed once.
///
/// If a task is canceled, the other tasks continue to wait. By default, the work is canceled when all its tasks are
/// canceled.
final class SharedWork<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: Sendable {
    private typealias Waiter = CheckedContinuation<Result<Value, Failure>, Never>

    /// Work that is running, and the tasks that wait for it.
    private struct Item {
        let number: Int
        let task: Task<Void, Never>
        var waiters: [Int: Waiter]
    }

    private struct State {
        var items: [Key: Item] = [:]
        var lastNumber = 0

        mutating func makeNumber() -> Int {
            lastNumber += 1
            return lastNumber
        }
    }

    private let cancelled: @Sendable () -> Failure
    private let cancelsAbandonedWork: Bool
    private let joined: @Sendable (Int) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - cancelled: Returns the error for a canceled task.
    ///   - cancelsAbandonedWork: False if the work continues after all its tasks are canceled. A later task can then
    ///     wait for its result.
    ///   - joined: Called when a task begins to wait for work. The argument is the number of tasks that wait for this
    ///     work.
    init(
        cancelled: @escaping @Sendable () -> Failure, cancelsAbandonedWork: Bool = true,
        joined: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.cancelled = cancelled
        self.cancelsAbandonedWork = cancelsAbandonedWork
        self.joined = joined
    }

    /// True if no work is running.
    var isIdle: Bool { state.withLock { $0.items.isEmpty } }

    /// Waits for the work for a key, and returns its result. If the work is not running, starts it.
    func value(
        for key: Key, perform: @escaping @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let waiter = state.withLock { $0.makeNumber() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { join(key, waiter, $0, perform) }
        } onCancel: {
            leave(key, waiter)
        }
        return try result.get()
    }

    private func join(
        _ key: Key, _ waiter: Int, _ continuation: Waiter,
        _ perform: @escaping @Sendable () async throws(Failure) -> Value
    ) {
        let count = state.withLock { state -> Int in
            // The task may be canceled before it waits. This check is made under the lock: if the task is canceled
            // after the check, ``leave`` finds its waiter.
            guard !Task.isCancelled else { return 0 }
            if state.items[key] == nil {
                let number = state.makeNumber()
                state.items[key] = Item(number: number, task: start(key, number, perform), waiters: [:])
            }
            state.items[key]?.waiters[waiter] = continuation
            return state.items[key]?.waiters.count ?? 0
        }
        if count == 0 { continuation.resume(returning: .failure(cancelled())) } else { joined(count) }
    }

    private func leave(_ key: Key, _ waiter: Int) {
        let (continuation, task) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
            let continuation = state.items[key]?.waiters.removeValue(forKey: waiter)
            guard cancelsAbandonedWork, continuation != nil, state.items[key]?.waiters.isEmpty == true else {
                return (continuation, nil)
            }
            return (continuation, state.items.removeValue(forKey: key)?.task)
        }
        task?.cancel()
        continuation?.resume(returning: .failure(cancelled()))
    }

    private func start(
        _ key: Key, _ number: Int, _ perform: @escaping @Sendable () async throws(Failure) -> Value
    ) -> Task<Void, Never> {
        Task {
            let result: Result<Value, Failure>
            do throws(Failure) {
                result = .success(try await perform())
            } catch {
                result = .failure(error)
            }
            let waiters = state.withLock { state -> [Waiter] in
                // If all tasks were canceled, different work may already be running for the key.
                guard let item = state.items[key], item.number == number else { return [] }
                state.items[key] = nil
                return Array(item.waiters.values)
            }
            for waiter in waiters { waiter.resume(returning: result) }
        }
    }
}
