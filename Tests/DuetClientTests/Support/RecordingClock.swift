import SeededTesting
import Synchronization

/// A clock whose sleeps return immediately. It records their durations.
final class RecordingClock: Clock {
    struct Instant: InstantProtocol {
        var sinceStart: Duration

        func advanced(by duration: Duration) -> Instant { Instant(sinceStart: sinceStart + duration) }
        func duration(to other: Instant) -> Duration { other.sinceStart - sinceStart }
        static func < (left: Instant, right: Instant) -> Bool { left.sinceStart < right.sinceStart }
    }

    private struct State {
        var now = Instant(sinceStart: .zero)
        var pauses: [Duration] = []
    }

    private let state = Mutex(State())
    /// Sleeps of at least this duration last until they are canceled, and are not recorded.
    private let endless: Duration?

    init(endless: Duration? = nil) { self.endless = endless }

    /// The durations of all sleeps so far.
    var pauses: [Duration] { state.withLock { $0.pauses } }
    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .nanoseconds(1) }

    /// Sets the time to a later time. It records no sleep.
    func advance(by duration: Duration) {
        state.withLock { $0.now = $0.now.advanced(by: duration) }
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        if let endless, now.duration(to: deadline) >= endless {
            await untilCanceled()
            throw CancellationError()
        }
        state.withLock { state in
            state.pauses.append(state.now.duration(to: deadline))
            state.now = max(state.now, deadline)
        }
    }
}
