import Synchronization

/// Limits repeated log events, such as a failure that affects every request. It admits the first event of a key, and
/// then at most one event per interval.
package final class LogThrottle<Key: Hashable & Sendable>: Sendable {
    private struct Last {
        let time: ContinuousClock.Instant
        var heldBack = 0
    }

    private let interval: Duration
    private let lasts = Mutex<[Key: Last]>([:])

    /// Creates a throttle.
    /// - Parameter interval: The minimum time between two admitted events of a key.
    package init(_ interval: Duration) {
        self.interval = interval
    }

    /// Admits or suppresses an event.
    /// - Returns: The number of events that were suppressed since the last admitted event; `nil` if this event is
    ///   suppressed.
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
