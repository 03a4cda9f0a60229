import NIOCore
import NIOSSL
import Synchronization

/// The only handler of a connection after the switch to the WebSocket protocol. It passes messages between the socket
/// and the application's ``WebSocketConnection``. ``WebSocketStateMachine`` makes the decisions.
final class WebSocketHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// Identifies a message that waits for space, or a task that waits for a message.
    final class Ticket: Sendable {
        /// True if the waiting task is canceled, possibly before it has begun to wait.
        let isCanceled = Atomic(false)
    }

    private struct Waiting {
        let message: WebSocketMessage
        let ticket: Ticket
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Receiver {
        let ticket: Ticket
        let continuation: CheckedContinuation<WebSocketMessage?, Never>
    }

    private let observe: @Sendable (ConnectionObservation) -> Void
    private let ended: EventLoopPromise<Void>
    /// The task of the application's work.
    private let task: Task<Void, Never>?
    private var state: WebSocketStateMachine
    private var context: ChannelHandlerContext?
    /// The task that waits for the next message.
    private var receiver: Receiver?
    private var isReadHeld = false
    private var isReceiving = false
    /// The messages that wait until the client has read more data.
    private var waiting = CircularBuffer<Waiting>()
    /// The payload of the last ping that has not been answered, because the client reads slowly. Only the last ping
    /// must be answered (RFC 6455 §5.5.3).
    private var unansweredPing: ByteBuffer?
    private var isClosed = false
    /// True if the application's work has ended.
    private var isFinished = false
    private var timer: Scheduled<Void>?
    private var timerDeadline = NIODeadline.distantFuture

    /// Creates a handler.
    /// - Parameters:
    ///   - task: The task of the application's work, which is canceled when the connection is closed.
    ///   - ended: The promise that succeeds after the connection is closed and the application's work has ended.
    init(
        limits: RequestLimits, eventLoop: any EventLoop, observe: @escaping @Sendable (ConnectionObservation) -> Void,
        task: Task<Void, Never>?, ended: EventLoopPromise<Void>
    ) {
        self.state = WebSocketStateMachine(limits: limits, now: eventLoop.now)
        self.observe = observe
        self.task = task
        self.ended = ended
    }

    // MARK: The connection

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        self.updateTimer()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.connectionClosed()
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.connectionClosed()
        context.fireChannelInactive()
    }

    private func connectionClosed() {
        guard !self.isClosed else { return }
        self.isClosed = true
        self.state.closed()
        self.timer?.cancel()
        self.endMessages()
        self.task?.cancel()
        self.endIfDone()
    }

    /// Handles the end of the application's work.
    func finish(_ close: WebSocketClose) {
        self.isFinished = true
        self.close(close)
        self.endIfDone()
    }

    private func endIfDone() {
        if self.isClosed, self.isFinished { self.ended.succeed() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: self.drain()
        case ChannelEvent.inputClosed:
            switch self.state.inputClosed() {
            case .flush: self.end(nil)
            case .close: context.close(promise: nil)
            case .none: break
            }
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// Closes the connection, because the server shuts down.
    func drain() {
        self.close(WebSocketClose(.goingAway, "the server shuts down"))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The end of the client's output follows.
        if case NIOSSLError.uncleanShutdown = error { return }
        context.close(promise: nil)
    }

    // MARK: Input

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        self.state.receive(self.unwrapInboundIn(data), now: context.eventLoop.now)
        self.processInput()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.flush()
        self.updateTimer()
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if self.state.isPaused { self.isReadHeld = true } else { context.read() }
    }

    private func processInput() {
        guard !self.isReceiving, let context else { return }
        self.isReceiving = true
        while let action = self.state.next(now: context.eventLoop.now) {
            switch action {
            case .deliver(let message):
                self.receiver.take()?.continuation.resume(returning: message)
            case .pong(let payload):
                if context.channel.isWritable {
                    self.write(.pong, payload)
                } else {
                    self.unansweredPing = payload
                }
            case .end(let closeFrame):
                self.end(closeFrame)
            }
        }
        self.isReceiving = false
    }

    /// Passes the next message to the application when it arrives.
    func receive(ticket: Ticket, _ continuation: CheckedContinuation<WebSocketMessage?, Never>) {
        guard self.state.isOpen, self.receiver == nil, !ticket.isCanceled.load(ordering: .acquiring), let context
        else { return continuation.resume(returning: nil) }
        self.receiver = Receiver(ticket: ticket, continuation: continuation)
        self.state.resume()
        self.processInput()
        context.flush()
        self.updateTimer()
        self.resumeReading()
    }

    private func resumeReading() {
        guard self.isReadHeld, !self.state.isPaused else { return }
        self.isReadHeld = false
        self.context?.read()
    }

    // MARK: Output

    /// Sends a message when there is space for it.
    func send(_ message: WebSocketMessage, ticket: Ticket, _ continuation: CheckedContinuation<Void, any Error>) {
        guard self.state.isOpen, let context else { return continuation.resume(throwing: WebSocketEnded()) }
        if self.waiting.isEmpty, context.channel.isWritable {
            self.write(message)
            context.flush()
            continuation.resume()
        } else if ticket.isCanceled.load(ordering: .acquiring) {
            continuation.resume(throwing: CancellationError())
        } else {
            self.waiting.append(Waiting(message: message, ticket: ticket, continuation: continuation))
        }
    }

    /// Ends the waiting of a task.
    func cancel(_ ticket: Ticket) {
        if let receiver, receiver.ticket === ticket {
            self.receiver = nil
            self.state.pause()
            return receiver.continuation.resume(returning: nil)
        }
        guard let index = self.waiting.firstIndex(where: { $0.ticket === ticket }) else { return }
        self.waiting.remove(at: index).continuation.resume(throwing: CancellationError())
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        self.state.writabilityChanged(
            context.channel.isWritable, bufferedBytes: self.bufferedBytes, now: context.eventLoop.now)
        if context.channel.isWritable {
            if let payload = self.unansweredPing.take(), self.state.isOpen { self.write(.pong, payload) }
            while context.channel.isWritable, let first = self.waiting.popFirst() {
                self.write(first.message)
                first.continuation.resume()
            }
            context.flush()
        }
        self.updateTimer()
        context.fireChannelWritabilityChanged()
    }

    private func write(_ message: WebSocketMessage) {
        switch message {
        case .text(let bytes): self.write(.text, bytes)
        case .binary(let bytes): self.write(.binary, bytes)
        }
    }

    /// The maximum size in bytes of a payload that is copied into the buffer of its header.
    private static let maximumCopiedPayload = 16 << 10

    private func write(_ opcode: WebSocketOpcode, _ payload: ByteBuffer) {
        guard let context else { return }
        let isCopied = payload.readableBytes <= Self.maximumCopiedPayload
        var frame = context.channel.allocator.buffer(capacity: 10 + (isCopied ? payload.readableBytes : 0))
        frame.writeWebSocketHeader(opcode, length: payload.readableBytes)
        if isCopied { frame.writeImmutableBuffer(payload) }
        context.write(self.wrapOutboundOut(.byteBuffer(frame)), promise: nil)
        if !isCopied { context.write(self.wrapOutboundOut(.byteBuffer(payload)), promise: nil) }
    }

    // MARK: The end of the connection

    /// Sends a close frame, and waits for that of the client.
    func close(_ close: WebSocketClose) {
        guard let context, let payload = self.state.close(close, now: context.eventLoop.now) else { return }
        self.write(.close, payload)
        context.flush()
        self.endMessages()
        // The rest of the input, which can be held because the application does not read it, can contain the client's
        // close frame.
        self.processInput()
        self.updateTimer()
        self.resumeReading()
    }

    private func end(_ closeFrame: ByteBuffer?) {
        guard let context else { return }
        if let closeFrame { self.write(.close, closeFrame) }
        self.endMessages()
        context.flush(self.wrapOutboundOut(.byteBuffer(ByteBuffer()))) { self.flushed() }
        self.state.flushing(bufferedBytes: self.bufferedBytes, now: context.eventLoop.now)
        self.updateTimer()
        self.resumeReading()
    }

    private func flushed() {
        guard let context else { return }
        context.perform(self.state.flushed(now: context.eventLoop.now))
        self.updateTimer()
    }

    /// Ends the messages in both directions.
    private func endMessages() {
        self.receiver.take()?.continuation.resume(returning: nil)
        self.unansweredPing = nil
        while let first = self.waiting.popFirst() { first.continuation.resume(throwing: WebSocketEnded()) }
    }

    // MARK: Time

    private func updateTimer() {
        guard !self.isClosed, let context, let deadline = self.state.nextDeadline else { return }
        // Each read postpones the deadline of the ping, but does not reschedule the timer. The timer fires at the
        // earlier time, and is then scheduled for the next deadline.
        guard self.timer == nil || deadline < self.timerDeadline else { return }
        self.timer?.cancel()
        self.timerDeadline = deadline
        self.timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) {
            self.timer = nil
            self.deadlineReached()
        }
    }

    private func deadlineReached() {
        guard let context else { return }
        switch self.state.deadlineReached(now: context.eventLoop.now, bufferedBytes: self.bufferedBytes) {
        case .none: break
        case .ping:
            self.write(.ping, ByteBuffer())
            context.flush()
        case .end(let closeFrame):
            self.end(closeFrame)
        case .close(let observation):
            if let observation { self.observe(observation) }
            context.close(promise: nil)
        }
        self.updateTimer()
    }

    private var bufferedBytes: Int {
        (self.context?.channel).map(TransportProgress.unacknowledgedBytes) ?? 0
    }
}

@available(*, unavailable)
extension WebSocketHandler: Sendable {}
