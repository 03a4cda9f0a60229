import Synchronization

/// The maximum number of connections that listening sockets accept together.
final class ConnectionLimit: Sendable {
    private struct State {
        var open = 0
        /// The sockets that wait until a connection closes.
        var waiting: [@Sendable () -> Void] = []
    }

    private let maximum: Int
    private let state = Mutex(State())

    init(maximum: Int) { self.maximum = maximum }

    /// Returns the number of connections that can be accepted.
    /// - Parameter notify: Called as soon as the number is positive, if it is 0 now.
    func free(orNotify notify: @escaping @Sendable () -> Void) -> Int {
        self.state.withLock { state in
            let free = max(0, self.maximum - state.open)
            if free == 0 { state.waiting.append(notify) }
            return free
        }
    }

    /// Adds a connection if there is room for it.
    /// - Parameter notify: Called as soon as there is room, if there is none now.
    func open(orNotify notify: @escaping @Sendable () -> Void) -> Bool {
        self.state.withLock { state in
            guard state.open < self.maximum else {
                state.waiting.append(notify)
                return false
            }
            state.open += 1
            return true
        }
    }

    /// Adds a connection, even if there is no room for it.
    func forceOpen() {
        self.state.withLock { $0.open += 1 }
    }

    func closed() {
        let waiting = self.state.withLock { state -> [@Sendable () -> Void] in
            state.open -= 1
            guard state.open < self.maximum, !state.waiting.isEmpty else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for notify in waiting { notify() }
    }
}
