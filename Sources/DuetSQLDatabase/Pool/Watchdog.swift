import Dispatch
import Foundation
import Synchronization

/// The state of a network connection that a ``Watchdog`` observes: the current call into the C library and its time
/// limit.
final class ConnectionWatch: Sendable {
    /// The number of the current call: odd while a call waits for the server, and even otherwise.
    private let calls = Atomic<UInt>(0)
    /// The time limit of a call in seconds; 0 is no limit.
    private let limit = Atomic<Int>(0)
    /// A duplicate of the connection's socket descriptor. A duplicate is needed because the library can close its
    /// descriptor at any time, and another connection may then get the same descriptor number.
    private let socket: Mutex<Int32?>
    private let givenUp = Atomic<Bool>(false)

    init(socket: Int32) {
        let own = dup(socket)
        self.socket = Mutex(own < 0 ? nil : own)
    }

    deinit {
        close()
    }

    /// Runs a call that may wait for the server. Only the connection's thread calls this function.
    @inline(__always)
    func waiting<Value>(_ call: () throws -> Value) rethrows -> Value {
        let number = calls.load(ordering: .relaxed)
        calls.store(number &+ 1, ordering: .relaxed)
        defer { calls.store(number &+ 2, ordering: .relaxed) }
        return try call()
    }

    /// Sets the time limit of the following calls.
    /// - Parameter timeout: The server's statement timeout in nanoseconds; `nil` for none.
    func setLimit(afterServers timeout: UInt64?) {
        // The limit is about 5 seconds longer than the server's timeout, so that the server can end the statement
        // first.
        limit.store(timeout.map { Int(clamping: $0 / 1_000_000_000) + 5 } ?? 0, ordering: .relaxed)
    }

    /// The number of the waiting call and its time limit in seconds; nil if no call waits.
    var current: (call: UInt, limit: Int)? {
        let call = calls.load(ordering: .relaxed)
        return call % 2 == 1 ? (call, limit.load(ordering: .relaxed)) : nil
    }

    /// Ends the waiting call by shutting down the socket: the library then detects a lost connection.
    func breakOff() {
        socket.withLock { socket in
            if let socket { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    /// Ends the waiting call because the server has not answered in time.
    func giveUp() {
        givenUp.store(true, ordering: .relaxed)
        breakOff()
    }

    /// True if a call was ended because the server had not answered in time.
    var isGivenUp: Bool { givenUp.load(ordering: .relaxed) }

    /// Closes the descriptor after the connection's end.
    func close() {
        socket.withLock { socket in
            if let socket { Foundation.close(socket) }
            socket = nil
        }
    }
}

/// A timer that shuts down a connection if its server does not end a statement after the statement's timeout, or does
/// not react to a `KILL`. Without the watchdog, a server that hangs or a network that drops packets would block the
/// threads forever.
final class Watchdog: Sendable {
    private struct Watched {
        let watch: ConnectionWatch
        let interrupt: Interrupt
        var call: UInt = 0
        /// The number of consecutive checks that found the same call, which is approximately the duration of the call
        /// in seconds.
        var sightings = 0
        var sightingsStopped = 0
    }

    private struct State {
        var watched: [ObjectIdentifier: Watched] = [:]
        var timer: (any DispatchSourceTimer)?
    }

    /// The time in seconds between the interruption of a job and the shutdown of its connection, if `KILL` has not
    /// ended the call.
    private static let patience = 3
    private let state = Mutex(State())

    /// Adds a connection, which is then checked once a second.
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

    /// Shuts down the connections with a call that waits for the server.
    func breakOffWaiting() {
        state.withLock { state in
            for watched in state.watched.values where watched.watch.current != nil { watched.watch.breakOff() }
        }
    }

    /// Shuts down the connections with a call that has waited since a previous check.
    func breakOffLongWaiting() {
        state.withLock { state in
            for watched in state.watched.values
            where watched.sightings > 0 && watched.watch.current?.call == watched.call {
                watched.watch.breakOff()
            }
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
