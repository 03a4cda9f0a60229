import NIOCore
import Synchronization

/// A turn of an event loop has three steps: it reads from all sockets that have data, answers the requests that have arrived, and sends the
/// responses. This is the second step and the third.
///
/// Each step runs the same code for one connection after the other, so the code stays in the processor's caches. And the responses are sent
/// together, because sending one wakes a thread of the client, which takes the processor and the caches from the rest of the turn.
/// [small-requests.md](../../../docs/small-requests.md) has the figures.
final class EventLoopTurn {
    /// The time after which responses are sent before the next connection is answered.
    private static let maximumDelay = TimeAmount.microseconds(500)

    private let eventLoop: any EventLoop
    private let answering: TurnWork
    /// The connections that have requests.
    private var unanswered = CircularBuffer<ResponderHandler>()
    /// The connections that have responses.
    private var unsent = CircularBuffer<ResponderHandler>()
    /// The time at which the first of the responses has waited long enough.
    private var deadline = NIODeadline.distantFuture
    private var isScheduled = false

    /// - Parameter answering: Runs the second step.
    init(eventLoop: any EventLoop, answering: @escaping TurnWork) {
        self.eventLoop = eventLoop
        self.answering = answering
    }

    /// Lets a connection answer its requests after the loop has read from all sockets.
    func enqueueAnswer(_ handler: ResponderHandler) {
        self.unanswered.append(handler)
        self.schedule()
    }

    /// Lets a connection send its responses after other connections have answered theirs, or earlier if that takes long.
    func enqueueSend(_ handler: ResponderHandler) {
        if self.unsent.isEmpty { self.deadline = self.eventLoop.now + Self.maximumDelay }
        self.unsent.append(handler)
        self.schedule()
    }

    private func schedule() {
        guard !self.isScheduled else { return }
        self.isScheduled = true
        // Tasks run after all sockets of a turn.
        self.eventLoop.assumeIsolated().execute { self.run() }
    }

    private func run() {
        // Requests that arrive from now on are those of the next turn.
        let count = self.unanswered.count
        if count > 0 { self.answering { self.answer(count) } }
        self.isScheduled = false
        self.sendAll()
        if !self.unanswered.isEmpty { self.schedule() }
    }

    private func answer(_ count: Int) {
        for _ in 0..<count {
            self.unanswered.removeFirst().answer()
            // Also after a request that has no response yet, because it waits.
            if !self.unsent.isEmpty, self.eventLoop.now >= self.deadline { self.sendAll() }
        }
    }

    private func sendAll() {
        while let handler = self.unsent.popFirst() { handler.send() }
    }
}

@available(*, unavailable)
extension EventLoopTurn: Sendable {}

/// Runs a closure that answers the requests that have arrived in one turn of an event loop, on that loop. It must run it once, before it returns.
package typealias TurnWork = @Sendable (_ answer: () -> Void) -> Void

/// The turns of the event loops of a server.
final class EventLoopTurns: Sendable {
    private let answering: TurnWork
    private let turns = Mutex<[ObjectIdentifier: NIOLoopBound<EventLoopTurn>]>([:])

    init(answering: @escaping TurnWork) {
        self.answering = answering
    }

    /// The turn of an event loop. The caller must be on it.
    subscript(eventLoop: any EventLoop) -> EventLoopTurn {
        self.turns.withLock { turns in
            let identifier = ObjectIdentifier(eventLoop)
            if let turn = turns[identifier] { return turn }
            let turn = EventLoopTurn(eventLoop: eventLoop, answering: self.answering)
            let bound = NIOLoopBound(turn, eventLoop: eventLoop)
            turns[identifier] = bound
            return bound
        }.value
    }
}
