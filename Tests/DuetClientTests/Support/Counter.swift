import Synchronization

/// Counts events on several tasks and threads.
final class Counter: Sendable {
    private let count = Mutex(0)

    /// The number of calls of ``increment()``.
    var value: Int { count.withLock { $0 } }

    /// Increments the count.
    /// - Returns: The new count.
    @discardableResult
    func increment() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
