import NIOCore
import Synchronization

/// The open connections of a server.
final class OpenConnections: Sendable {
    private struct State {
        var addresses: [Int: SocketAddress?] = [:]
        var nextNumber = 0
        var waiters: [Waiter] = []
    }

    /// A task that waits until all connections before a given connection have ended.
    private struct Waiter {
        let last: SocketAddress?
        let continuation: CheckedContinuation<Void, Never>

        /// Returns true if the given connection exists and all connections before it have ended.
        func isDone(_ addresses: [Int: SocketAddress?]) -> Bool {
            guard let last = addresses.first(where: { $0.value == last }) else { return false }
            return !addresses.keys.contains { $0 < last.key }
        }
    }

    private let state = Mutex(State())

    /// Adds a connection.
    /// - Parameter address: The address of the client.
    /// - Returns: The number of the connection.
    func begin(_ address: SocketAddress?) -> Int {
        change { state in
            state.nextNumber += 1
            state.addresses[state.nextNumber] = .some(address)
            return state.nextNumber
        }
    }

    /// Removes a connection.
    func end(_ number: Int) {
        change { $0.addresses[number] = nil }
    }

    /// Waits until a connection is accepted and all connections before it have ended.
    func waitUntilAllEnded(before last: SocketAddress?) async {
        await withCheckedContinuation { continuation in
            change { $0.waiters.append(Waiter(last: last, continuation: continuation)) }
        }
    }

    private func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
        let (value, done) = state.withLock { state in
            let value = body(&state)
            let done = state.waiters.filter { $0.isDone(state.addresses) }
            state.waiters.removeAll { $0.isDone(state.addresses) }
            return (value, done)
        }
        for waiter in done { waiter.continuation.resume() }
        return value
    }
}
