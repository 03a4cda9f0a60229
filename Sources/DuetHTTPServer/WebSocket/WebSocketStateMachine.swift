package import NIOCore

/// The state of one WebSocket connection. It decides which messages the application receives, which frames the server
/// sends on its own, and when the connection ends.
///
/// Each method handles an event. ``WebSocketHandler`` calls the methods and performs the returned actions.
package struct WebSocketStateMachine {
    private enum Phase {
        /// Messages are received and sent.
        case open
        /// The server has sent a close frame and waits for that of the client.
        case closing
        /// The last bytes are being written. Input is discarded.
        case flushing
        /// The output is closed, and the client has limited time to close its output.
        case lingering
        case closed
    }

    private let limits: RequestLimits
    private var parser: WebSocketParser
    private var phase = Phase.open
    private var isInputClosed = false
    /// The time at which the client must have ended its message, its close frame or its output.
    private var readDeadline: NIODeadline?
    /// The time at which a ping is sent or must have been answered.
    private var pingDeadline: NIODeadline?
    private var writes: WriteWatch
    /// The number of unwritten bytes at the ping that the client has not answered.
    private var bytesAtPing: Int?

    /// True while the application does not wait for a message. In this time, no further input is handled. Therefore the
    /// application can answer a message before the connection ends because of an error in the bytes that follow.
    package private(set) var isPaused = true

    /// Creates the state of an open connection.
    package init(limits: RequestLimits, now: NIODeadline) {
        self.limits = limits
        self.writes = WriteWatch(limits: limits)
        self.parser = WebSocketParser(maximumMessageSize: limits.webSocket.maximumMessageSize)
        self.pingDeadline = now + limits.webSocket.pingInterval
    }

    /// True if the application can send messages.
    package var isOpen: Bool { self.phase == .open }

    /// The time of the next call of ``deadlineReached(now:bufferedBytes:)``; `nil` without a deadline.
    package var nextDeadline: NIODeadline? {
        [self.readDeadline, self.pingDeadline, self.writes.deadline].compactMap(\.self).min()
    }

    // MARK: Input

    /// The action after input.
    package enum InputAction: Equatable {
        /// Pass a message to the application. The connection is paused afterwards.
        case deliver(WebSocketMessage)
        /// Send a pong.
        case pong(ByteBuffer)
        /// Send the payload of a close frame, unless it is nil. Then flush, and call ``flushed(now:)``.
        case end(closeFrame: ByteBuffer?)
    }

    /// Handles bytes from the client. Call ``next(now:)`` afterwards until it returns `nil`.
    package mutating func receive(_ bytes: ByteBuffer, now: NIODeadline) {
        guard self.phase == .open || self.phase == .closing else { return }
        self.parser.receive(bytes)
        guard self.phase == .open else { return }
        self.bytesAtPing = nil
        self.pingDeadline = now + self.limits.webSocket.pingInterval
    }

    /// Returns the next action; `nil` if more input is needed, or while the connection is paused.
    package mutating func next(now: NIODeadline) -> InputAction? {
        while !self.isPaused, self.phase == .open || self.phase == .closing {
            do throws(WebSocketClose) {
                guard let event = try self.parser.next() else { break }
                if let action = self.action(after: event) { return action }
            } catch {
                return self.end(closeFrame: error.payload)
            }
        }
        self.watchMessage(now: now)
        return nil
    }

    private mutating func action(after event: WebSocketParser.Event) -> InputAction? {
        switch event {
        case .close(let close): self.end(closeFrame: close.map { WebSocketClose($0.code).payload } ?? ByteBuffer())
        case .message(let message) where self.phase == .open: self.deliver(message)
        case .ping(let payload) where self.phase == .open: .pong(payload)
        // After its close frame, the server sends no frame, and the application receives no message.
        case .message, .ping, .pong: nil
        }
    }

    private mutating func deliver(_ message: WebSocketMessage) -> InputAction {
        self.pause()
        return .deliver(message)
    }

    private mutating func end(closeFrame: ByteBuffer?) -> InputAction {
        let action = InputAction.end(closeFrame: self.phase == .open ? closeFrame : nil)
        self.phase = .flushing
        self.parser = WebSocketParser(maximumMessageSize: 0)
        self.isPaused = false
        self.readDeadline = nil
        self.pingDeadline = nil
        return action
    }

    private mutating func watchMessage(now: NIODeadline) {
        guard self.phase == .open else { return }
        if self.isPaused || !self.parser.isInside {
            self.readDeadline = nil
        } else if self.readDeadline == nil {
            self.readDeadline = now + self.limits.webSocket.messageTimeout
        }
    }

    /// Handles the application's wish to receive the next message. Call ``next(now:)`` afterwards until it returns
    /// `nil`.
    package mutating func resume() {
        self.isPaused = false
    }

    /// Handles the end of the application's wish to receive the next message.
    package mutating func pause() {
        guard self.phase == .open else { return }
        self.isPaused = true
        self.readDeadline = nil
    }

    // MARK: The end of the connection

    /// Handles the server's wish to close the connection.
    /// - Returns: The payload of the close frame; `nil` if no close frame is sent. The rest of the input must be
    ///   handled by calling ``next(now:)`` until it returns `nil`.
    package mutating func close(_ close: WebSocketClose, now: NIODeadline) -> ByteBuffer? {
        guard self.phase == .open else { return nil }
        self.phase = .closing
        self.isPaused = false
        self.pingDeadline = nil
        self.readDeadline = now + self.limits.webSocket.closeTimeout
        return close.payload
    }

    /// The action after the end of the client's output.
    package enum InputClosedAction: Equatable {
        /// Flush, then call ``flushed(now:)``.
        case flush
        /// Close the connection.
        case close
        /// Do nothing, because the last bytes are already being written.
        case none
    }

    /// Handles the end of the client's output. Without a close frame, the connection is lost (RFC 6455 §7.1.5), even
    /// if the client could still read.
    package mutating func inputClosed() -> InputClosedAction {
        self.isInputClosed = true
        switch self.phase {
        case .open, .closing:
            _ = self.end(closeFrame: nil)
            return .flush
        case .lingering:
            self.closed()
            return .close
        case .flushing, .closed:
            return .none
        }
    }

    /// Handles the end of the connection in both directions.
    package mutating func closed() {
        self.phase = .closed
        self.isPaused = false
        self.readDeadline = nil
        self.pingDeadline = nil
        self.writes.end()
    }

    /// Handles the end of the last flush.
    package mutating func flushed(now: NIODeadline) -> FlushedAction {
        guard self.phase == .flushing else { return .none }
        if self.isInputClosed {
            self.closed()
            return .close
        }
        self.phase = .lingering
        self.readDeadline = now + self.limits.lingerTimeout
        self.writes.end()
        return .closeOutput
    }

    // MARK: Time

    /// Handles a change of the space in the channel's buffer.
    /// - Parameter bufferedBytes: The number of unwritten bytes.
    package mutating func writabilityChanged(_ isWritable: Bool, bufferedBytes: Int, now: NIODeadline) {
        self.writes.writabilityChanged(
            isWritable, isLastFlush: self.phase == .flushing, bufferedBytes: bufferedBytes, now: now)
    }

    /// Handles the beginning of the last flush.
    /// - Parameter bufferedBytes: The number of unwritten bytes.
    package mutating func flushing(bufferedBytes: Int, now: NIODeadline) {
        guard self.phase == .flushing else { return }
        self.writes.begin(bufferedBytes: bufferedBytes, now: now)
    }

    /// The action after a deadline.
    package enum DeadlineAction: Equatable {
        /// Do nothing.
        case none
        /// Send a ping.
        case ping
        /// Send the payload of a close frame. Then flush, and call ``flushed(now:)``.
        case end(closeFrame: ByteBuffer?)
        /// Close the connection immediately. The observation is the reason; `nil` for a regular end.
        case close(ConnectionObservation?)
    }

    /// Handles the expiration of the timer. The deadline may have been postponed after the timer was scheduled.
    /// - Parameter bufferedBytes: The number of unwritten bytes.
    package mutating func deadlineReached(now: NIODeadline, bufferedBytes: Int) -> DeadlineAction {
        if self.writes.isStalled(bufferedBytes: bufferedBytes, now: now) {
            self.closed()
            return .close(.stalledReader)
        }
        if let deadline = self.readDeadline, now >= deadline { return self.readDeadlineReached(now, bufferedBytes) }
        if let deadline = self.pingDeadline, now >= deadline { return self.pingDeadlineReached(now, bufferedBytes) }
        return .none
    }

    private mutating func readDeadlineReached(_ now: NIODeadline, _ bufferedBytes: Int) -> DeadlineAction {
        self.readDeadline = nil
        switch self.phase {
        case .open:
            let close = WebSocketClose(.policyViolation, "a message did not arrive in time")
            guard case .end(let frame) = self.end(closeFrame: close.payload) else { return .none }
            return .end(closeFrame: frame)
        case .closing where bufferedBytes > 0:
            // The client is still reading the messages before the close frame.
            self.writes.begin(bufferedBytes: bufferedBytes, now: now)
            self.readDeadline = now + self.limits.webSocket.closeTimeout
            return .none
        case .closing, .lingering:
            self.closed()
            return .close(nil)
        case .flushing, .closed:
            return .none
        }
    }

    private mutating func pingDeadlineReached(_ now: NIODeadline, _ bufferedBytes: Int) -> DeadlineAction {
        // While the connection is paused, the server does not read, so it does not see whether the client answers.
        guard !self.isPaused else {
            self.bytesAtPing = nil
            self.pingDeadline = now + self.limits.webSocket.pingInterval
            return .none
        }
        self.pingDeadline = now + self.limits.webSocket.pongTimeout
        guard let bytesAtPing else {
            self.bytesAtPing = bufferedBytes
            return .ping
        }
        // The ping is behind other bytes, which the client may be reading.
        if bytesAtPing > 0, self.limits.hasAccepted(bufferedBytes, since: bytesAtPing) {
            self.bytesAtPing = bufferedBytes
            return .none
        }
        self.closed()
        return .close(.idle)
    }
}
