package import NIOCore

/// Decides what happens on one HTTP/1 connection: which requests reach the application, which responses go out and
/// how each ends, when time is up. It is told of everything and returns what to do; ``RequestLimitsHandler`` does it.
///
/// Requests may be pipelined. Those that were passed on and whose response has not ended are `pending`; the first of
/// them is the one being answered, the last may still be sending its body. A request that has to be refused is
/// answered when the responses before it have ended.
package struct RequestLimitsStateMachine {
    private enum Phase: Equatable {
        /// Requests come in, responses go out.
        case open
        /// A request is to be refused as soon as no response is pending.
        case refusing(ConnectionProblem, withBody: Bool)
        /// All has been said; the last bytes are on their way.
        case flushing
        /// The output is closed, and the client is given a moment to close its own (RFC 9112 §9.6).
        case lingering
        case closed
    }

    private enum Reading: Equatable {
        /// Nothing of the next request has come.
        case nothing
        /// Some bytes of a head.
        case head
        /// The head was passed on, the end was not.
        case body
    }

    private let limits: RequestLimits
    private var phase = Phase.open
    private var reading = Reading.nothing
    private var pending = CircularBuffer<RequestTraits>(initialCapacity: 2)
    /// The first pending request's response has its head, and these are its traits.
    private var response: ResponseTraits?
    /// Whether a further request would be dropped.
    private var refusesRequests = false
    private var isShuttingDown = false
    private var isInputClosed = false
    private var sawPart = false
    private var readDeadline: NIODeadline?
    private var writeDeadline: NIODeadline?
    /// When a client that has closed its side is taken to be gone, if the response has not begun by then.
    private var abandonDeadline: NIODeadline?
    /// The bytes that were waiting to be written when ``writeDeadline`` was set.
    private var bytesAtWriteDeadline = 0

    package init(limits: RequestLimits) {
        self.limits = limits
    }

    private struct ResponseTraits {
        let hasBody: Bool
        let endsConnection: Bool
        /// The end of the connection is its end: HTTP/1.0 without a length.
        let isUnframed: Bool
    }

    /// Whether to close the connection now would make a response that is under way look complete.
    private var isResponseEndedByClosing: Bool {
        !self.isEnding && self.response?.isUnframed == true
    }

    /// The next moment at which ``deadlineReached(now:bufferedBytes:)`` wants to be called.
    package var nextDeadline: NIODeadline? {
        [self.readDeadline, self.writeDeadline, self.abandonDeadline].compactMap(\.self).min()
    }

    /// Whether what comes in is thrown away until the client closes.
    package var isLingering: Bool {
        self.phase == .lingering
    }

    /// Whether the connection is past its last response.
    package var isEnding: Bool {
        switch self.phase {
        case .open, .refusing: false
        case .flushing, .lingering, .closed: true
        }
    }

    package mutating func opened(now: NIODeadline) {
        self.readDeadline = now + self.limits.headTimeout
    }

    /// The connection is closed in both directions.
    ///
    /// - Returns: Whether the application may be reading a request's body and must be told.
    package mutating func closed() -> Bool {
        defer { self.end() }
        return self.phase != .closed && self.reading == .body
    }

    private mutating func end() {
        self.phase = .closed
        self.readDeadline = nil
        self.writeDeadline = nil
        self.abandonDeadline = nil
    }

    // MARK: Requests

    package enum HeadAction: Equatable {
        /// Pass the head on, after telling the client to send the body if it waits for that.
        case forward(sendContinue: Bool)
        case discard
    }

    /// A well-formed head was read.
    package mutating func readHead(_ traits: RequestTraits) -> HeadAction {
        self.sawPart = true
        guard self.phase == .open, !self.refusesRequests else { return .discard }
        self.pending.append(traits)
        self.reading = .body
        self.readDeadline = nil
        self.refusesRequests = traits.contains(.last)
        return .forward(sendContinue: traits.contains(.expectsContinue) && self.pending.count == 1)
    }

    /// Whether to pass a part of the body on.
    package mutating func readBody() -> Bool {
        self.sawPart = true
        return self.phase == .open && self.reading == .body
    }

    /// Whether to pass the end of a request on.
    package mutating func readEnd() -> Bool {
        self.sawPart = true
        guard self.phase == .open, self.reading == .body else { return false }
        self.reading = .nothing
        self.readDeadline = nil
        return true
    }

    /// All bytes that had come were read, complete parts or not.
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
            self.readDeadline = now() + self.limits.bodyTimeout
        }
    }

    package enum FailureAction: Equatable {
        /// Answer with the problem, then call ``flushed(now:)`` once it is written.
        case answer(ConnectionProblem, withBody: Bool)
        /// End the connection at once.
        case close
        case none
    }

    /// The request that is being read cannot be carried out.
    ///
    /// - Parameters:
    ///   - problem: What the client is told, if no response to this request has begun.
    ///   - isHead: Whether it is known to be a HEAD request, to which the answer has no body.
    /// - Returns: What to do, and whether the application is reading the request's body and must be told.
    package mutating func refuse(_ problem: ConnectionProblem, isHead: Bool = false) -> (
        FailureAction, abortsBody: Bool
    ) {
        guard self.phase == .open, !self.refusesRequests || self.reading == .body else { return (.none, false) }
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

    package enum ResponseHeadAction: Equatable {
        /// Write the head, with this `Connection` field in place of its own.
        case write(Persistence, asHTTP10: Bool)
        /// Write an informational head.
        case writeInformational
        case drop
    }

    /// What a response says about the connection after it.
    package enum Persistence: Equatable {
        /// Nothing: HTTP/1.1 goes on by default.
        case unstated
        /// To a client of HTTP/1.0 that asked for it.
        case keepAlive
        case close
    }

    /// The application writes the head of a response.
    ///
    /// - Parameters:
    ///   - status: Its status code.
    ///   - hasLength: Whether it has a `Content-Length` field.
    ///   - wantsClose: Whether its `Connection` field says `close`.
    package mutating func writeHead(status: Int, hasLength: Bool, wantsClose: Bool) -> ResponseHeadAction {
        guard !self.isEnding, self.response == nil, let request = self.pending.first else { return .drop }
        if status < 200 {
            return request.contains(.http10) ? .drop : .writeInformational
        }
        let hasBody = !request.contains(.head) && status != 204 && status != 304
        let isUnframed = request.contains(.http10) && hasBody && !hasLength
        // Answered before the end of the body: the client is told not to send the rest, and it is not waited for.
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

    package enum ResponseBodyAction: Equatable {
        case write
        /// The response has no body: take it for written.
        case skip
        case drop
    }

    /// The application writes a part of a response's body.
    package func writeBody() -> ResponseBodyAction {
        guard !self.isEnding, let response else { return .drop }
        return response.hasBody ? .write : .skip
    }

    package enum ResponseEndAction: Equatable {
        /// Write the end, or skip it for a response without a body, and then do what follows.
        case write(hasBody: Bool, then: AfterResponse)
        case drop
    }

    package enum AfterResponse: Equatable {
        case goOn
        /// Flush, then call ``flushed(now:)``.
        case close
        /// Answer with the problem, flush, then call ``flushed(now:)``.
        case answer(ConnectionProblem, withBody: Bool)
    }

    /// The application ends a response.
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

    // MARK: The end of the connection

    package enum EndAction: Equatable {
        /// Flush, then call ``flushed(now:)``.
        case flush
        /// End the connection at once.
        case close
        /// End the connection at once, and so that the client sees it did not end well.
        case reset
        case none
    }

    /// The client will send nothing more. It may have gone, or wait for its responses: who has closed both sides cannot be
    /// told from who has closed one, so it is given a moment.
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

    /// The server shuts down: pending requests are still answered.
    package mutating func shutDown() -> EndAction {
        self.isShuttingDown = true
        return self.endIfNothingPending()
    }

    /// The application will write nothing more.
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

    package enum FlushedAction: Equatable {
        /// Close the output and throw away what still comes in: to close at once could make the client's system drop
        /// the response before it is read.
        case closeOutput
        case close
        case none
    }

    /// The last byte has been written.
    package mutating func flushed(now: NIODeadline) -> FlushedAction {
        guard self.phase == .flushing else { return .none }
        if self.isInputClosed {
            self.end()
            return .close
        }
        self.phase = .lingering
        self.readDeadline = now + self.limits.lingerTimeout
        self.writeDeadline = nil
        return .closeOutput
    }

    // MARK: Time

    package mutating func writabilityChanged(_ isWritable: Bool, bufferedBytes: Int, now: NIODeadline) {
        if isWritable {
            // While the rest is flushed there is no further write that would make the channel unwritable again.
            if self.phase != .flushing { self.writeDeadline = nil }
        } else if self.writeDeadline == nil {
            self.watchWrites(bufferedBytes: bufferedBytes, now: now)
        }
    }

    /// Starts to watch that the client takes what is waiting, if anything is.
    package mutating func flushing(bufferedBytes: Int, now: NIODeadline) {
        guard self.phase == .flushing, bufferedBytes > 0, self.writeDeadline == nil else { return }
        self.watchWrites(bufferedBytes: bufferedBytes, now: now)
    }

    private mutating func watchWrites(bufferedBytes: Int, now: NIODeadline) {
        self.bytesAtWriteDeadline = bufferedBytes
        self.writeDeadline = now + self.limits.writeTimeout
    }

    package enum DeadlineAction: Equatable {
        case none
        /// Nobody waits for the response any more: give up what is done for it.
        case abandon
        case answer(ConnectionProblem, withBody: Bool)
        /// End the connection at once, because of this.
        case close(ConnectionObservation?)
    }

    /// A deadline may have passed.
    ///
    /// - Parameter bufferedBytes: The bytes that wait to be written.
    /// - Returns: What to do, and whether the application is reading a request's body and must be told.
    package mutating func deadlineReached(now: NIODeadline, bufferedBytes: Int) -> (DeadlineAction, abortsBody: Bool) {
        if let deadline = self.abandonDeadline, now >= deadline {
            self.abandonDeadline = nil
            return (.abandon, false)
        }
        if let deadline = self.writeDeadline, now >= deadline {
            if bufferedBytes > 0, bufferedBytes > self.bytesAtWriteDeadline - self.limits.minimumWriteProgress {
                let abortsBody = self.reading == .body
                self.end()
                return (.close(.stalledReader), abortsBody)
            }
            self.writeDeadline = nil
            if bufferedBytes > 0 { self.watchWrites(bufferedBytes: bufferedBytes, now: now) }
        }
        guard let deadline = self.readDeadline, now >= deadline else { return (.none, false) }
        if self.phase == .lingering {
            let abortsBody = self.reading == .body
            self.end()
            return (.close(nil), abortsBody)
        }
        if self.reading == .nothing {
            // The response has ended for the application, but the client is still reading it.
            if bufferedBytes > 0 {
                if self.writeDeadline == nil { self.watchWrites(bufferedBytes: bufferedBytes, now: now) }
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
