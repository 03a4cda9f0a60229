import Dispatch
import Foundation
import Synchronization

/// What a ``Watchdog`` sees of a connection over a network: whether a call into the C library goes on, and how long it may.
final class ConnectionWatch: Sendable {
    /// Odd while a call waits for the server, even otherwise; another number for each call.
    private let calls = Atomic<UInt>(0)
    /// Seconds a call may wait; 0 for no bound.
    private let limit = Atomic<Int>(0)
    /// A descriptor of our own for the connection's socket. The library closes its descriptor when it likes, and the number
    /// may be another connection's a moment later.
    private let socket: Mutex<Int32?>
    private let givenUp = Atomic<Bool>(false)

    init(socket: Int32) {
        let own = dup(socket)
        self.socket = Mutex(own < 0 ? nil : own)
    }

    deinit {
        close()
    }

    /// Runs a call that may wait for the server. Only the connection's thread does.
    @inline(__always)
    func waiting<Value>(_ call: () throws -> Value) rethrows -> Value {
        let number = calls.load(ordering: .relaxed)
        calls.store(number &+ 1, ordering: .relaxed)
        defer { calls.store(number &+ 2, ordering: .relaxed) }
        return try call()
    }

    /// - Parameter timeout: after so many nanoseconds the server ends a statement by itself; `nil` for none.
    func setLimit(afterServers timeout: UInt64?) {
        // The server is given a moment more than it needs.
        limit.store(timeout.map { Int(clamping: $0 / 1_000_000_000) + 5 } ?? 0, ordering: .relaxed)
    }

    /// The call that waits now, and the seconds it may.
    var current: (call: UInt, limit: Int)? {
        let call = calls.load(ordering: .relaxed)
        return call % 2 == 1 ? (call, limit.load(ordering: .relaxed)) : nil
    }

    /// Ends whatever waits: the socket reads as closed by the server.
    func breakOff() {
        socket.withLock { socket in
            if let socket { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    /// Breaks the connection off because the server has not answered in time.
    func giveUp() {
        givenUp.store(true, ordering: .relaxed)
        breakOff()
    }

    /// Returns true if the server has not answered in time, so that the connection was broken off.
    var isGivenUp: Bool { givenUp.load(ordering: .relaxed) }

    /// The connection is done with: gives the descriptor back.
    func close() {
        socket.withLock { socket in
            if let socket { Foundation.close(socket) }
            socket = nil
        }
    }
}

/// Breaks connections off whose server does not answer, neither in the time after which it should have ended the statement
/// itself, nor to a `KILL`. A server that hangs, or a network that swallows everything, would hold their threads for ever.
final class Watchdog: Sendable {
    private struct Watched {
        let watch: ConnectionWatch
        let interrupt: Interrupt
        var call: UInt = 0
        /// How often in a row the same call was seen; about the seconds it has waited.
        var sightings = 0
        var sightingsStopped = 0
    }

    private struct State {
        var watched: [ObjectIdentifier: Watched] = [:]
        var timer: (any DispatchSourceTimer)?
    }

    /// Seconds between a cancellation or deadline and the end of a call that no `KILL` has ended.
    private static let patience = 3
    private let state = Mutex(State())

    /// Looks after a connection, once a second.
    func add(_ watch: ConnectionWatch, _ interrupt: Interrupt) {
        state.withLock { state in
            state.watched[ObjectIdentifier(watch)] = Watched(watch: watch, interrupt: interrupt)
            guard state.timer == nil else { return }
            let timer = DispatchSource.makeTimerSource(queue: .global())
            timer.schedule(deadline: .now() + 1, repeating: 1)
            timer.setEventHandler { [weak self] in self?.look() }
            timer.resume()
            state.timer = timer
        }
    }

    func remove(_ watch: ConnectionWatch) {
        state.withLock { state in
            state.watched[ObjectIdentifier(watch)] = nil
            guard state.watched.isEmpty else { return }
            state.timer?.cancel()
            state.timer = nil
        }
    }

    private func look() {
        state.withLock { state in
            for (key, var watched) in state.watched {
                guard let (call, limit) = watched.watch.current, call == watched.call else {
                    watched.call = watched.watch.current?.call ?? 0
                    watched.sightings = 0
                    watched.sightingsStopped = 0
                    state.watched[key] = watched
                    continue
                }
                watched.sightings += 1
                if watched.interrupt.reason != nil { watched.sightingsStopped += 1 }
                state.watched[key] = watched
                if limit > 0 && watched.sightings > limit || watched.sightingsStopped > Self.patience {
                    watched.watch.giveUp()
                }
            }
        }
    }
}
