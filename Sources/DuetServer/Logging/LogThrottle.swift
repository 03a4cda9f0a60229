import Synchronization

/// Lets the first through of what would be logged again and again, such as a failure that touches each request, and then one in a
/// while.
package final class LogThrottle<Key: Hashable & Sendable>: Sendable {
    private struct Last {
        let time: ContinuousClock.Instant
        var heldBack = 0
    }

    private let interval: Duration
    private let lasts = Mutex<[Key: Last]>([:])

    /// - Parameter interval: how long after one line the next may come; of each key.
    package init(_ interval: Duration) {
        self.interval = interval
    }

    /// - Returns: how many were held back since the last that was let through; `nil` if this one is to be held back, too.
    package func admit(_ key: Key, at time: ContinuousClock.Instant = .now) -> Int? {
        lasts.withLock { lasts in
            if let last = lasts[key], time < last.time.advanced(by: interval) {
                lasts[key]?.heldBack += 1
                return nil
            }
            return lasts.updateValue(Last(time: time), forKey: key)?.heldBack ?? 0
        }
    }
}
