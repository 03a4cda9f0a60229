import Synchronization

/// Counts what happens on several tasks and threads.
final class Counter: Sendable {
    private let count = Mutex(0)

    /// How often ``increment()`` was called.
    var value: Int { count.withLock { $0 } }

    /// Counts one more.
    /// - Returns: the count.
    @discardableResult
    func increment() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
