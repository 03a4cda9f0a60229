import Synchronization

/// The events of a page. A test can read the past events or wait for further events.
final class EventLog: Sendable {
    private struct State {
        var events: [DevTools.Event] = []
        var followers: [AsyncStream<DevTools.Event>.Continuation] = []
    }

    private let state = Mutex(State())

    var events: [DevTools.Event] { state.withLock { $0.events } }

    func note(_ event: DevTools.Event) {
        let followers = state.withLock { state in
            state.events.append(event)
            return state.followers
        }
        for follower in followers { follower.yield(event) }
    }

    /// Removes the events so far, and ends their streams.
    func removeAll() {
        let followers = state.withLock { state in
            defer { state = State() }
            return state.followers
        }
        for follower in followers { follower.finish() }
    }

    /// Returns a stream of the events from now on.
    func following() -> AsyncStream<DevTools.Event> {
        let (events, follower) = AsyncStream<DevTools.Event>.makeStream()
        state.withLock { $0.followers.append(follower) }
        return events
    }
}
