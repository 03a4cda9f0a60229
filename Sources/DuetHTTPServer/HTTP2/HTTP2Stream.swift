import DuetHTTPSemantics
import HTTPTypes
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOHTTPTypes

/// A stream of an HTTP/2 connection: one request and its response (RFC 9113, section 8.1). The limits of a request of
/// HTTP/1 apply to it.
final class HTTP2Stream {
    private enum Reading {
        /// The head has been passed to the application, but not the end.
        case body
        /// The request is complete, or the rest of it is discarded.
        case nothing
    }

    private enum Response {
        case none
        case begun(hasBody: Bool)
        case ended
    }

    let id: HTTP2StreamID
    private unowned let connection: HTTP2ConnectionHandler
    private let responder: SequentialResponder
    private var isHead = false
    private var reading = Reading.nothing
    /// True if the end of the request has arrived.
    private var hasRequestEnded = false
    private var response = Response.none
    /// The last frame of the response that has been written by the application. It waits for the next part, so that the
    /// last frame with content ends the stream.
    private var pending: HTTP2Frame.FramePayload?
    /// The number of bytes of content that the connection has not sent.
    private(set) var unsentBytes = 0
    private var hadNoSpace = false
    /// The time at which the request must have ended.
    private var requestDeadline: NIODeadline?
    private var writes: WriteWatch
    /// The part of the window for the request's body that is not given back to the client yet.
    private var heldWindow = 0
    /// True if an update of the window has not been sent.
    private var isWindowUpdateUnsent = false
    /// True if the work has begun, but not the response.
    private var isUnanswered = false
    private var isReset = false
    private(set) var isClosed = false
    /// True if the connection itself has answered the request. Then the response of the application is dropped.
    private var isRefused = false

    init(_ id: HTTP2StreamID, connection: HTTP2ConnectionHandler) {
        self.id = id
        self.connection = connection
        self.writes = WriteWatch(limits: connection.services.limits)
        self.responder = SequentialResponder(
            respond: connection.services.respond, peer: connection.peer, turn: connection.turn,
            ended: connection.workPromise())
        self.responder.transport = self
    }

    private var limits: RequestLimits { self.connection.services.limits }

    // MARK: The request

    /// Receives the head of the request.
    func receive(_ frame: HTTP2Frame.FramePayload.Headers) {
        self.hasRequestEnded = frame.endStream
        switch RequestHeadReader.read(
            frame.headers, isEncrypted: self.connection.isEncrypted, hasBody: !frame.endStream, self.limits)
        {
        case .refused(let problem):
            self.isHead = frame.headers.first(name: ":method") == "HEAD"
            self.refuse(problem)
        case .request(let request, let traits):
            self.isHead = traits.contains(.head)
            if traits.contains(.expectsContinue) {
                self.connection.write(.headers(.init(headers: [":status": "100"])), of: self.id)
            }
            self.responder.receive(.head(request))
            if frame.endStream {
                self.responder.receive(.end(nil))
            } else {
                self.reading = .body
                let isLong = traits.contains(.longBody)
                self.setRequestDeadline(isLong ? self.limits.longBodyTimeout : self.limits.bodyTimeout)
            }
        }
    }

    /// Receives a part of the body.
    func receive(_ bytes: ByteBuffer, isLast: Bool) {
        if isLast { self.requestEnded() }
        guard self.reading == .body else { return }
        if bytes.readableBytes > 0 { self.responder.receive(.body(bytes)) }
        if isLast { self.endBody(nil) }
    }

    /// Receives the trailers, which end the request.
    func receiveTrailers(_ headers: HPACKHeaders) {
        self.requestEnded()
        guard self.reading == .body else { return }
        self.endBody(HTTPFields(trailers: headers))
    }

    private func requestEnded() {
        self.hasRequestEnded = true
        self.requestDeadline = nil
    }

    private func endBody(_ trailers: HTTPFields?) {
        self.reading = .nothing
        self.responder.receive(.end(trailers))
    }

    /// Handles the end of the parts that have arrived together.
    func readComplete() {
        guard !self.isClosed, !self.isRefused else { return }
        self.responder.readComplete()
    }

    /// Gives the window of the request's body back to the client, as soon as the application reads on.
    func windowChanged(by increment: Int) {
        // If the connection is not writable, NIO keeps an update, and reports the old window again.
        guard !self.hasRequestEnded, !self.isClosed, !self.isWindowUpdateUnsent else { return }
        self.heldWindow = increment
        if case .ended = self.response { return }
        // Before the work begins, the client can send only as much as the first window.
        let isRead = self.reading == .nothing || self.responder.isReadingBody && self.responder.mayRead()
        if isRead { self.resumeReading() }
    }

    func windowUpdateSent() { self.isWindowUpdateUnsent = false }

    // MARK: The end

    /// Handles the end of the stream, or of its connection.
    func closed() {
        guard !self.isClosed else { return }
        self.isClosed = true
        self.answered()
        if self.reading == .body { self.responder.abort(RequestAborted(problem: nil)) }
        self.responder.close()
        self.responder.transport = nil
        self.pending = nil
    }

    /// Rejects the request, or ends a response that has begun.
    private func refuse(_ problem: ConnectionProblem) {
        let hasResponse = if case .none = self.response { false } else { true }
        self.isRefused = true
        if self.reading == .body {
            self.reading = .nothing
            self.responder.abort(RequestAborted(problem: problem))
        }
        guard !hasResponse else {
            self.connection.services.observe(.refused(problem))
            return self.reset(.cancel)
        }
        let response = self.connection.services.refuse(problem)
        self.send(.head(response.head))
        self.send(.body(response.body))
        self.send(.end(nil))
    }

    /// Ends the stream at once.
    func reset(_ code: NIOHTTP2.HTTP2ErrorCode) {
        guard !self.isClosed, !self.isReset else { return }
        self.isReset = true
        self.pending = nil
        self.response = .ended
        self.requestDeadline = nil
        self.writes.end()
        self.answered()
        self.connection.write(.rstStream(code), of: self.id)
    }

    // MARK: Time

    private func setRequestDeadline(_ timeout: TimeAmount) {
        let deadline = self.connection.channel.eventLoop.now + timeout
        self.requestDeadline = deadline
        self.connection.schedule(deadline)
    }

    /// The time of the next call of ``deadlineReached(now:)``.
    var nextDeadline: NIODeadline? {
        switch (self.requestDeadline, self.writes.deadline) {
        case (let body?, let write?): min(body, write)
        case (let body, let write): body ?? write
        }
    }

    /// Handles the expiration of the timer.
    func deadlineReached(now: NIODeadline) {
        if self.writes.isStalled(bufferedBytes: self.unsentBytes, now: now) {
            self.connection.services.observe(.stalledReader)
            return self.reset(.cancel)
        }
        guard let requestDeadline, now >= requestDeadline else { return }
        if case .ended = self.response {
            // The client is told to stop sending (RFC 9113, section 8.1). This would drop unsent content.
            guard self.unsentBytes > 0 else { return self.reset(.noError) }
            self.setRequestDeadline(self.limits.lingerTimeout)
        } else {
            self.refuse(.requestTimeout)
        }
    }

    /// Abandons the response if it has not begun, because the client has closed its output.
    func abandon() {
        if case .none = self.response { self.responder.abandon() }
    }

    /// Handles the end of the client's output.
    func inputClosed() { self.responder.inputClosed() }

    // MARK: The response

    /// Handles the sending of content.
    func sent(_ count: Int) { self.unsentBytes -= count }

    /// Handles the sending of the written frames. If some content could not be sent, the client must open its window in
    /// time.
    func flushed() {
        if self.isReset { return }
        if self.unsentBytes > 0 {
            let now = self.connection.channel.eventLoop.now
            self.writes.begin(bufferedBytes: self.unsentBytes, now: now)
            if let deadline = self.writes.deadline { self.connection.schedule(deadline) }
        } else {
            self.writes.end()
        }
        if self.hadNoSpace, self.hasSpace {
            self.hadNoSpace = false
            self.responder.writabilityChanged()
        }
    }

    /// Handles new space in the buffer of the connection.
    func connectionHasSpace() { self.responder.writabilityChanged() }

    private var hasSpace: Bool { self.unsentBytes < Self.maximumUnsentBytes }

    /// The number of unsent bytes of content from which a stream accepts no more.
    private static let maximumUnsentBytes = 64 << 10

    /// Writes a part of the response.
    private func send(_ part: HTTPResponsePart) {
        switch part {
        case .head(let head):
            let headers = HPACKHeaders(head)
            guard head.status.code >= 200 else { return self.write(.headers(.init(headers: headers))) }
            self.answered()
            self.response = .begun(hasBody: !self.isHead && head.status.code != 204 && head.status.code != 304)
            self.pending = .headers(.init(headers: headers))
        case .body(let bytes):
            guard case .begun(hasBody: true) = self.response, bytes.readableBytes > 0 else { return }
            self.writePending()
            self.pending = .data(.init(data: .byteBuffer(bytes)))
        case .end(let trailers):
            self.end(trailers)
        }
    }

    private func end(_ trailers: HTTPFields?) {
        guard case .begun(let hasBody) = self.response else { return }
        self.response = .ended
        if hasBody, let trailers, !trailers.isEmpty {
            self.writePending()
            self.write(.headers(.init(headers: HPACKHeaders(trailers), endStream: true)))
        } else {
            switch self.pending.take() {
            case .headers(var headers):
                headers.endStream = true
                self.write(.headers(headers))
            case .data(var data):
                data.endStream = true
                self.write(.data(data))
            default:
                self.write(.data(.init(data: .byteBuffer(ByteBuffer()), endStream: true)))
            }
        }
        // The client has limited time to end its request. It can send as much as its window permits.
        if !self.hasRequestEnded { self.setRequestDeadline(self.limits.lingerTimeout) }
    }

    private func answered() {
        guard self.isUnanswered else { return }
        self.isUnanswered = false
        self.connection.workAnswered()
    }

    private func writePending() {
        if let pending = self.pending.take() { self.write(pending) }
    }

    private func write(_ payload: HTTP2Frame.FramePayload) {
        if case .data(let data) = payload {
            self.unsentBytes += data.data.readableBytes
            self.connection.accepted(data.data.readableBytes)
        }
        self.connection.write(payload, of: self.id)
    }
}

extension HTTP2Stream: ResponderTransport {
    var channel: any Channel { self.connection.channel }

    var isWritable: Bool {
        guard self.hasSpace else {
            self.hadNoSpace = true
            return false
        }
        return self.connection.hasSpace()
    }

    func mayBegin() -> Bool { !self.isReset && self.connection.mayBegin() }

    func workBegan() {
        self.isUnanswered = true
        self.connection.workBegan()
        self.resumeReading()
    }

    func write(_ part: HTTPResponsePart, promise: EventLoopPromise<Void>?) {
        guard !self.isClosed, !self.isRefused, !self.isReset else {
            return promise?.fail(RequestAborted(problem: nil)) ?? ()
        }
        self.send(part)
        promise?.succeed()
    }

    func flush() {
        guard !self.isClosed else { return }
        self.writePending()
        self.connection.flush(self)
    }

    func flushInTurn() {
        guard !self.isClosed else { return }
        self.writePending()
        self.connection.flushInTurn(self)
    }

    func resumeReading() {
        guard self.heldWindow > 0, !self.isClosed, !self.hasRequestEnded else { return }
        self.isWindowUpdateUnsent = true
        self.connection.write(.windowUpdate(windowSizeIncrement: self.heldWindow), of: self.id)
        self.heldWindow = 0
    }

    func closeOutput() {
        if case .ended = self.response { return }
        self.reset(.internalError)
    }

    func switchToWebSocket(
        _ head: HTTPResponse, task: Task<Void, Never>, ended: EventLoopPromise<Void>
    ) throws -> WebSocketHandler {
        throw WebSocketEnded()
    }
}

@available(*, unavailable)
extension HTTP2Stream: Sendable {}
