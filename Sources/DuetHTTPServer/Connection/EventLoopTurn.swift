import NIOCore
import NIOPosix

/// Runs the second and the third step of each turn of an event loop. A turn has three steps. First, the loop reads from
/// all sockets that have data. Second, it answers the requests that have arrived. Third, it sends the responses.
///
/// Each step runs the same code for all connections, so the code stays in the processor's caches. There is another
/// reason for the separate third step. If the client runs on the same machine, each sent response wakes a thread of the
/// client. If responses were sent during the second step, this thread would take the processor and the caches from the
/// rest of the step. [small-requests.md](../../../docs/small-requests.md) contains measurements.
final class EventLoopTurn {
    /// The maximum delay of a response within a turn. After this time, responses are sent before the requests of the
    /// next connection are answered.
    private static let maximumDelay = TimeAmount.microseconds(500)

    private let eventLoop: any EventLoop
    private let answering: TurnWork
    /// The connections with unanswered requests.
    private var unanswered = CircularBuffer<SequentialResponder>()
    /// The connections with unsent responses.
    private var unsent = CircularBuffer<any TurnOutput>()
    /// The time at which the unsent responses must be sent.
    private var deadline = NIODeadline.distantFuture
    private var isScheduled = false

    /// Creates the turn of an event loop.
    /// - Parameter answering: Runs the closure that performs the second step.
    init(eventLoop: any EventLoop, answering: @escaping TurnWork) {
        self.eventLoop = eventLoop
        self.answering = answering
    }

    /// Schedules the second step for a connection. It runs after the loop has read from all sockets.
    func enqueueAnswer(_ responder: SequentialResponder) {
        self.unanswered.append(responder)
        self.schedule()
    }

    /// Schedules the third step for a connection. It runs after the second step of all connections, or earlier if the
    /// second step takes long.
    func enqueueFlush(_ output: any TurnOutput) {
        if self.unsent.isEmpty { self.deadline = self.eventLoop.now + Self.maximumDelay }
        self.unsent.append(output)
        self.schedule()
    }

    private func schedule() {
        guard !self.isScheduled else { return }
        self.isScheduled = true
        // An event loop runs its tasks after it has read from all sockets.
        self.eventLoop.assumeIsolated().execute { self.run() }
    }

    private func run() {
        // Requests that arrive from now on belong to the next turn.
        let count = self.unanswered.count
        if count > 0 { self.answering { self.answer(count) } }
        self.isScheduled = false
        self.sendAll()
        if !self.unanswered.isEmpty { self.schedule() }
    }

    private func answer(_ count: Int) {
        for _ in 0..<count {
            self.unanswered.removeFirst().answer()
            // This check also runs after a request whose response is not ready yet.
            if !self.unsent.isEmpty, self.eventLoop.now >= self.deadline { self.sendAll() }
        }
    }

    private func sendAll() {
        while let output = self.unsent.popFirst() { output.flush() }
    }
}

@available(*, unavailable)
extension EventLoopTurn: Sendable {}

/// A function that runs the closure `answer`, which answers the requests of one turn of an event loop. The function
/// must call the closure exactly once, on the event loop, before it returns.
package typealias TurnWork = @Sendable (_ answer: () -> Void) -> Void

/// A connection that sends its written parts in the third step of a turn.
protocol TurnOutput: AnyObject {
    /// Sends the written parts.
    func flush()
}

/// Moves the current task from an event loop to a thread of Swift's executor. Call it before long work, which must not
/// block an event loop.
package func leaveEventLoop() async {
    // `Task.yield` enqueues the task on Swift's executor, which does not use event loops.
    if MultiThreadedEventLoopGroup.currentEventLoop != nil { await Task.yield() }
}
