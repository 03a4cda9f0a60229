package import NIOCore

/// The state of one HTTP/1 connection. It decides which requests the application receives, which parts of responses are
/// sent, and when the connection ends.
///
/// Each method handles an event and returns an action. ``RequestLimitsHandler`` calls the methods and performs the
/// actions.
///
/// Requests may be pipelined. A request is pending from its head until the end of its response. The application
/// responds to the pending requests in order. Only the body of the last pending request can be incomplete. The response
/// to a rejected request follows the responses to the pending requests.
package struct RequestLimitsStateMachine {
    private enum Phase: Equatable {
        /// The connection accepts requests and sends responses.
        case open
        /// The response to a rejected request is sent as soon as no request is pending.
        case refusing(ConnectionProblem, withBody: Bool)
        /// The last bytes are being written.
        case flushing
        /// The output is closed, and the client has limited time to close its output (RFC 9112 §9.6).
        case lingering
        case closed
    }

    private enum Reading: Equatable {
        /// No byte of the next request has arrived.
        case nothing
        /// Some bytes of a head have arrived.
        case head
        /// The head of a request has been forwarded, but not its end.
        case body
    }

    private let limits: RequestLimits
    private var phase = Phase.open
    private var reading = Reading.nothing
    private var pending = CircularBuffer<RequestTraits>(initialCapacity: 2)
    /// The properties of the response to the first pending request; `nil` until the head of this response is written.
    private var response: ResponseTraits?
    /// True if further requests are discarded.
    private var refusesRequests = false
    private var isShuttingDown = false
    private var isInputClosed = false
    /// True if bytes after the last accepted request could not be decoded.
    private var hasLostInput = false
    private var sawPart = false
    private var readDeadline: NIODeadline?
    private var writes: WriteWatch
    /// The time at which the first pending request is abandoned. It is set if the client has closed its side of the
    /// connection and the response to this request has not begun.
    private var abandonDeadline: NIODeadline?

    /// Creates the state before the connection opens.
    package init(limits: RequestLimits) {
        self.limits = limits
        self.writes = WriteWatch(limits: limits)
    }

    private struct ResponseTraits {
        let hasBody: Bool
        let endsConnection: Bool
        /// True if only the end of the connection ends the response: HTTP/1.0 without a length.
        let isUnframed: Bool
    }

    /// True if an incomplete response would look complete if the connection were closed now.
    private var isResponseEndedByClosing: Bool {
        !self.isEnding && self.response?.isUnframed == true
    }

    /// The time of the next call of ``deadlineReached(now:bufferedBytes:)``; `nil` without a deadline.
    package var nextDeadline: NIODeadline? {
        [self.readDeadline, self.writes.deadline, self.abandonDeadline].compactMap(\.self).min()
    }

    /// True if input is discarded until the client closes the connection or the time limit is reached.
    package var isLingering: Bool {
        self.phase == .lingering
    }

    /// True if the connection sends no further response of the application, because it is ending or has ended.
    package var isEnding: Bool {
        switch self.phase {
        case .open, .refusing: false
        case .flushing, .lingering, .closed: true
        }
    }

    /// Handles the opening of the connection.
    package mutating func opened(now: NIODeadline) {
        self.readDeadline = now + self.limits.headTimeout
    }

    /// Handles the end of the connection in both directions.
    ///
    /// - Returns: True if the application may be reading the body of a request. The body must then throw an error.
    package mutating func closed() -> Bool {
        defer { self.end() }
        return self.phase != .closed && self.reading == .body
    }

    private mutating func end() {
        self.phase = .closed
        self.readDeadline = nil
        self.writes.end()
        self.abandonDeadline = nil
    }

    // MARK: Requests

    /// The action after the head of a request.
    package enum HeadAction: Equatable {
        /// Forward the head to the application. Send 100 before it if `sendContinue` is true.
        case forward(sendContinue: Bool)
        /// Discard the request.
        case discard
    }

    /// Handles a well-formed head.
    /// - Parameter traits: The properties of the request.
    package mutating func readHead(_ traits: RequestTraits) -> HeadAction {
        self.sawPart = true
        guard self.phase == .open, !self.refusesRequests else { return .discard }
        self.pending.append(traits)
        self.reading = .body
        self.readDeadline = nil
        self.refusesRequests = traits.contains(.last)
        return .forward(sendContinue: traits.contains(.expectsContinue) && self.pending.count == 1)
    }

    /// Handles a part of a body.
    /// - Returns: True if the part is forwarded to the application.
    package mutating func readBody() -> Bool {
        self.sawPart = true
        return self.phase == .open && self.reading == .body
    }

    /// Handles the end of a request.
    /// - Returns: True if the end is forwarded to the application.
    package mutating func readEnd() -> Bool {
        self.sawPart = true
        guard self.phase == .open, self.reading == .body else { return false }
        self.reading = .nothing
        self.readDeadline = nil
        return true
    }

    /// Handles the end of a read. The read may end within a part.
    package mutating func readComplete(now: @autoclosure () -> NIODeadline) {
        defer { self.sawPart = false }
        guard self.phase == .open, self.pending.count < 2 else { return }
        switch self.reading {
        case .nothing:
            guard !self.sawPart, !self.refusesRequests, self.pending.isEmpty else { return }
            self.reading = .head
            let deadline = now() + self.limits.headTimeout
            self.readDeadline = self.readDeadline.map { min($0, deadline) } ?? deadline
        case .head:
            return
        case .body:
            guard self.pending.count == 1, self.readDeadline == nil else { return }
            let isLong = self.pending.last?.contains(.longBody) == true
            self.readDeadline = now() + (isLong ? self.limits.longBodyTimeout : self.limits.bodyTimeout)
        }
    }

    /// The action after the rejection of a request.
    package enum FailureAction: Equatable {
        /// Respond with the problem. Call ``flushed(now:)`` after the response is written.
        case answer(ConnectionProblem, withBody: Bool)
        /// Close the connection immediately.
        case close
        /// Do nothing. The request receives no response, or its response is sent after the responses to the pending
        /// requests.
        case none
    }

    /// Rejects the current incoming request.
    ///
    /// - Parameters:
    ///   - problem: The problem that the response reports. If a response to this request has already begun, the
    ///     connection is closed instead.
    ///   - isHead: True for a HEAD request, whose response has no body.
    /// - Returns: The action, and true if the application is reading the body of the request. The body must then throw
    ///   an error.
    package mutating func refuse(_ problem: ConnectionProblem, isHead: Bool = false) -> (
        FailureAction, abortsBody: Bool
    ) {
        guard self.phase == .open, !self.refusesRequests || self.reading == .body else {
            self.hasLostInput = true
            return (.none, false)
        }
        self.readDeadline = nil
        self.refusesRequests = true
        var withBody = !isHead
        let abortsBody = self.reading == .body
        if abortsBody, let traits = self.pending.last {
            if self.pending.count == 1, self.response != nil {
                self.end()
                return (.close, true)
            }
            self.pending.removeLast()
            withBody = !traits.contains(.head)
        }
        self.reading = .nothing
        if self.pending.isEmpty {
            self.phase = .flushing
            return (.answer(problem, withBody: withBody), abortsBody)
        }
        self.phase = .refusing(problem, withBody: withBody)
        return (.none, abortsBody)
    }

    // MARK: Responses

    /// The action after the head of a response.
    package enum ResponseHeadAction: Equatable {
        /// Write the head with this `Connection` field.
        case write(Persistence, asHTTP10: Bool)
        /// Write an informational head.
        case writeInformational
        /// Do not write the head.
        case drop
    }

    /// The `Connection` field of a response.
    package enum Persistence: Equatable {
        /// The field is not changed: if the application's head has the field, the response has it, too. An HTTP/1.1
        /// connection persists by default.
        case unstated
        /// `keep-alive`, for an HTTP/1.0 client that requested it.
        case keepAlive
        /// `close`.
        case close
    }

    /// Handles the head of a response from the application.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - hasLength: True if the head has a `Content-Length` field.
    ///   - wantsClose: True if the `Connection` field is `close`.
    package mutating func writeHead(status: Int, hasLength: Bool, wantsClose: Bool) -> ResponseHeadAction {
        guard !self.isEnding, self.response == nil, let request = self.pending.first else { return .drop }
        if status < 200 {
            return request.contains(.http10) ? .drop : .writeInformational
        }
        let hasBody = !request.contains(.head) && status != 204 && status != 304
        let isUnframed = request.contains(.http10) && hasBody && !hasLength
        // An early response begins before the end of the request body. The server does not wait for the rest of the
        // body, and `Connection: close` makes the client stop sending it.
        let isEarly = self.pending.count == 1 && self.reading == .body
        let isLast = self.pending.count == 1 && self.phase == .open && (self.isShuttingDown || self.isInputClosed)
        let endsConnection = wantsClose || request.contains(.last) || isUnframed || isEarly || isLast
        self.response = ResponseTraits(hasBody: hasBody, endsConnection: endsConnection, isUnframed: isUnframed)
        self.abandonDeadline = nil
        if endsConnection { self.refusesRequests = true }
        let persistence: Persistence =
            endsConnection ? .close : request.contains(.http10) ? .keepAlive : .unstated
        return .write(persistence, asHTTP10: request.contains(.http10))
    }

    /// The action after a part of a response body.
    package enum ResponseBodyAction: Equatable {
        /// Write the part.
        case write
        /// The response has no body. Treat the part as written.
        case skip
        /// Do not write the part.
        case drop
    }

    /// Returns the action for a part of a response body from the application.
    package func writeBody() -> ResponseBodyAction {
        guard !self.isEnding, let response else { return .drop }
        return response.hasBody ? .write : .skip
    }

    /// The action after the end of a response.
    package enum ResponseEndAction: Equatable {
        /// Write the end if the response has a body. With or without a body, perform `then` afterwards.
        case write(hasBody: Bool, then: AfterResponse)
        /// Do not write the end.
        case drop
    }

    /// The action that follows a ``ResponseEndAction/write(hasBody:then:)``.
    package enum AfterResponse: Equatable {
        /// Continue with the next request.
        case goOn
        /// Flush, then call ``flushed(now:)``.
        case close
        /// Respond with the problem, flush, then call ``flushed(now:)``.
        case answer(ConnectionProblem, withBody: Bool)
    }

    /// Handles the end of a response from the application.
    package mutating func writeEnd(now: NIODeadline) -> ResponseEndAction {
        guard !self.isEnding, let response, !self.pending.isEmpty else { return .drop }
        self.response = nil
        self.pending.removeFirst()
        self.watchForLeaving(now: now)
        return .write(hasBody: response.hasBody, then: self.afterResponse(response, now: now))
    }

    private mutating func afterResponse(_ response: ResponseTraits, now: NIODeadline) -> AfterResponse {
        if response.endsConnection {
            self.beginFlushing()
            return .close
        }
        guard self.pending.isEmpty else {
            if self.pending.count == 1, self.reading == .body { self.readDeadline = now + self.limits.bodyTimeout }
            return .goOn
        }
        if case .refusing(let problem, let withBody) = self.phase {
            self.beginFlushing()
            return .answer(problem, withBody: withBody)
        }
        if self.isShuttingDown || self.isInputClosed {
            self.beginFlushing()
            return .close
        }
        self.readDeadline = now + self.limits.idleTimeout
        return .goOn
    }

    // MARK: Other protocols

    /// Handles the response 101 to the only pending request. After it, the connection has another state machine.
    /// - Returns: `nil` if the response must not be sent, because the request cannot switch protocols, or because the
    ///   client has left or has sent too much before the response. Otherwise, true if the server is shutting down.
    package mutating func switchProtocols() -> Bool? {
        guard self.phase == .open, self.pending.count == 1, self.pending.first?.contains(.upgrade) == true,
            self.reading == .nothing, self.response == nil, !self.isInputClosed, !self.hasLostInput
        else { return nil }
        self.end()
        return self.isShuttingDown
    }

    // MARK: The end of the connection

    /// The action after an event that can end the connection.
    package enum EndAction: Equatable {
        /// Flush, then call ``flushed(now:)``.
        case flush
        /// Close the connection immediately.
        case close
        /// Reset the connection immediately, so that the client detects the incomplete response.
        case reset
        /// Do nothing.
        case none
    }

    /// Handles the end of the client's output.
    ///
    /// The client may have disconnected, or it may wait for its responses. The server cannot distinguish a client that
    /// has closed both directions from a client that has only closed its output. Therefore the response must begin
    /// within ``RequestLimits/abandonTimeout``.
    package mutating func inputClosed(now: NIODeadline) -> EndAction {
        self.isInputClosed = true
        self.watchForLeaving(now: now)
        guard self.phase == .lingering else { return self.endIfNothingPending() }
        self.end()
        return .close
    }

    private mutating func watchForLeaving(now: NIODeadline) {
        guard self.isInputClosed, !self.isEnding, self.response == nil, !self.pending.isEmpty else { return }
        self.abandonDeadline = now + self.limits.abandonTimeout
    }

    /// Handles the shutdown of the server. The connection still responds to pending requests.
    package mutating func shutDown() -> EndAction {
        self.isShuttingDown = true
        return self.endIfNothingPending()
    }

    /// Handles the end of the application's output.
    package mutating func outputFinished() -> EndAction {
        guard !self.isEnding else { return .none }
        if self.isResponseEndedByClosing {
            self.end()
            return .reset
        }
        self.beginFlushing()
        return .flush
    }

    private mutating func endIfNothingPending() -> EndAction {
        guard self.phase == .open, self.pending.isEmpty else { return .none }
        self.beginFlushing()
        return .flush
    }

    private mutating func beginFlushing() {
        self.phase = .flushing
        self.refusesRequests = true
        self.readDeadline = nil
    }

    /// Handles the end of the last flush.
    package mutating func flushed(now: NIODeadline) -> FlushedAction {
        guard self.phase == .flushing else { return .none }
        if self.isInputClosed {
            self.end()
            return .close
        }
        self.phase = .lingering
        self.readDeadline = now + self.limits.lingerTimeout
        self.writes.end()
        return .closeOutput
    }

    // MARK: Time

    /// Handles a change of the space in the channel's buffer.
    ///
    /// - Parameters:
    ///   - isWritable: True if the buffer has space.
    ///   - bufferedBytes: The number of unwritten bytes.
    package mutating func writabilityChanged(_ isWritable: Bool, bufferedBytes: Int, now: NIODeadline) {
        self.writes.writabilityChanged(
            isWritable, isLastFlush: self.phase == .flushing, bufferedBytes: bufferedBytes, now: now)
    }

    /// Handles the beginning of the last flush. From now on, the client must accept
    /// ``RequestLimits/minimumWriteProgress`` bytes within each ``RequestLimits/writeTimeout``.
    /// - Parameter bufferedBytes: The number of unwritten bytes.
    package mutating func flushing(bufferedBytes: Int, now: NIODeadline) {
        guard self.phase == .flushing else { return }
        self.writes.begin(bufferedBytes: bufferedBytes, now: now)
        // Without unwritten bytes, the flush ends at once, except during a TLS handshake, which the client may never
        // end.
        if self.writes.deadline == nil { self.readDeadline = now + self.limits.lingerTimeout }
    }

    /// The action after a deadline.
    package enum DeadlineAction: Equatable {
        /// Do nothing.
        case none
        /// Cancel the work for the response, because the client has closed its output and the response has not begun in
        /// time.
        case abandon
        /// Respond with the problem. Call ``flushed(now:)`` after the response is written.
        case answer(ConnectionProblem, withBody: Bool)
        /// Close the connection immediately. The observation is the reason; `nil` for a regular end.
        case close(ConnectionObservation?)
    }

    /// Handles the expiration of the timer. The deadline may have been postponed after the timer was scheduled.
    ///
    /// - Parameter bufferedBytes: The number of unwritten bytes.
    /// - Returns: The action, and true if the application is reading the body of a request. The body must then throw an
    ///   error.
    package mutating func deadlineReached(now: NIODeadline, bufferedBytes: Int) -> (DeadlineAction, abortsBody: Bool) {
        if let deadline = self.abandonDeadline, now >= deadline {
            self.abandonDeadline = nil
            return (.abandon, false)
        }
        if self.writes.isStalled(bufferedBytes: bufferedBytes, now: now) {
            let abortsBody = self.reading == .body
            self.end()
            return (.close(.stalledReader), abortsBody)
        }
        guard let deadline = self.readDeadline, now >= deadline else { return (.none, false) }
        if self.phase == .lingering || self.phase == .flushing {
            let abortsBody = self.reading == .body
            self.end()
            return (.close(nil), abortsBody)
        }
        if self.reading == .nothing {
            // The application has ended the response, but the client is still reading it.
            if bufferedBytes > 0 {
                self.writes.begin(bufferedBytes: bufferedBytes, now: now)
                self.readDeadline = now + self.limits.idleTimeout
                return (.none, false)
            }
            self.end()
            return (.close(.idle), false)
        }
        let (action, abortsBody) = self.refuse(.requestTimeout)
        return switch action {
        case .answer(let problem, let withBody): (.answer(problem, withBody: withBody), abortsBody)
        case .close: (.close(.refused(.requestTimeout)), abortsBody)
        case .none: (.none, abortsBody)
        }
    }
}
