import NIOCore
import Synchronization

/// The three steps of a turn of an event loop: read from all sockets that have data, answer the requests that have arrived, send the responses.
///
/// Each step runs the same code for one connection after the other, so the code stays in the processor's caches. And the responses are sent together,
/// because sending one wakes a thread of the client, which takes the processor and the caches from the rest of the turn.
/// [performance.md](../../../docs/performance.md) has the figures.
final class EventLoopTurn {
    /// The maximum time that a response waits for those of other connections, apart from the time of the request that is being answered then.
    private static let maximumDelay = TimeAmount.microseconds(500)

    private let eventLoop: any EventLoop
    /// The connections with new requests.
    private var asked = CircularBuffer<ResponderHandler>()
    /// The connections with responses to send.
    private var answered = CircularBuffer<ResponderHandler>()
    /// The time at which responses are sent although the turn has not ended.
    private var deadline = NIODeadline.distantFuture
    private var isScheduled = false

    init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// Answers the requests of a connection after the loop has read from all sockets.
    func answer(_ handler: ResponderHandler) {
        self.asked.append(handler)
        self.schedule()
    }

    /// Sends the responses of a connection at the end of the turn.
    func send(_ handler: ResponderHandler) {
        let now = NIODeadline.now()
        if self.answered.isEmpty { self.deadline = now + Self.maximumDelay }
        self.answered.append(handler)
        if now < self.deadline { self.schedule() } else { self.sendAll() }
    }

    private func schedule() {
        guard !self.isScheduled else { return }
        self.isScheduled = true
        // Tasks run after all sockets of a turn.
        self.eventLoop.assumeIsolated().execute { self.end() }
    }

    private func end() {
        while let handler = self.asked.popFirst() { handler.answer() }
        self.isScheduled = false
        self.sendAll()
    }

    private func sendAll() {
        while let handler = self.answered.popFirst() { handler.send() }
    }
}

@available(*, unavailable)
extension EventLoopTurn: Sendable {}

/// The turns of the event loops of a server.
final class EventLoopTurns: Sendable {
    private let turns = Mutex<[ObjectIdentifier: NIOLoopBound<EventLoopTurn>]>([:])

    /// The turn of an event loop. The caller must be on it.
    subscript(eventLoop: any EventLoop) -> EventLoopTurn {
        self.turns.withLock { turns in
            let identifier = ObjectIdentifier(eventLoop)
            let turn = turns[identifier] ?? NIOLoopBound(EventLoopTurn(eventLoop: eventLoop), eventLoop: eventLoop)
            turns[identifier] = turn
            return turn
        }.value
    }
}
