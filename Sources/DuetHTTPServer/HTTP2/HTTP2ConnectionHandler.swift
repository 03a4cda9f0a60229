import Foundation
import HTTPTypes
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOHTTPTypes
import NIOSSL

/// The last handler of an HTTP/2 connection (RFC 9113). It follows NIO's `NIOHTTP2Handler`, which decodes and encodes
/// the frames, and limits floods of them.
///
/// Each stream is an ``HTTP2Stream`` in a table of this handler, and not a channel of its own: a stream costs no
/// pipeline, and the limits of all streams together are decided in one place. The responses of all streams are sent
/// together, once in each turn of the event loop; see ``EventLoopTurn``.
final class HTTP2ConnectionHandler: ChannelInboundHandler, TurnOutput {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    let channel: any Channel
    let services: ConnectionServices
    let peer: ConnectionPeer
    let turn: EventLoopTurn
    let isEncrypted: Bool
    private let ended: EventLoopPromise<Void>
    private let frames: FrameTracker
    private var context: ChannelHandlerContext?
    private var streams: [HTTP2StreamID: HTTP2Stream] = [:]
    /// The streams that have received frames since the last end of a read.
    private var received: [HTTP2Stream] = []
    /// The streams that have written frames since the last call of ``settle()``.
    private var written: [HTTP2Stream] = []
    private var lastStreamID = HTTP2StreamID.rootStream
    private var phase = Phase.open
    /// The code of the error that ends the connection.
    private var failure: NIOHTTP2.HTTP2ErrorCode?
    /// The sum of the bytes that the streams have written and the connection has not sent.
    private var unsentBytes = 0
    private var hadNoSpace = false
    private var isFlushEnqueued = false
    private var isOutputClosed = false
    /// The time at which the connection ends, or continues to end, unless a stream begins.
    private var readDeadline: NIODeadline?
    /// The time at which a frame that has begun to arrive must be complete.
    private var frameDeadline: NIODeadline?
    private var writes: WriteWatch
    private var timer = DeadlineTimer()
    /// The number of streams whose work has not ended.
    private var workCount = 0
    /// The number of streams whose work has begun, but not their response.
    private var unansweredCount = 0
    /// True if the work of a stream waits for the responses of others.
    private var isBeginHeld = false
    /// True if an update of the connection's window has not been sent.
    private var isWindowUpdateUnsent = false

    private enum Phase: Equatable {
        /// The connection accepts streams.
        case open
        /// The client has been told that the connection ends, and still opens streams until it answers a ping.
        case announced
        /// The client opens no further streams.
        case draining
        /// The output is closed, and the client has limited time to close its output.
        case closing
        case closed
    }

    /// The content of the ping that follows the announcement of the end.
    private static let endPing = HTTP2PingData(withInteger: 0x64_75_65_74_65_6E_64_73)

    private var limits: RequestLimits { self.services.limits }

    /// Creates a handler.
    /// - Parameters:
    ///   - frames: The handler that precedes NIO's `NIOHTTP2Handler`.
    ///   - ended: The promise that succeeds after the connection is closed and the work for its requests has ended.
    init(
        channel: any Channel, services: ConnectionServices, peer: ConnectionPeer, isEncrypted: Bool,
        frames: FrameTracker, ended: EventLoopPromise<Void>
    ) {
        self.channel = channel
        self.services = services
        self.peer = peer
        self.turn = services.turns[channel.eventLoop]
        self.isEncrypted = isEncrypted
        self.frames = frames
        self.ended = ended
        self.writes = WriteWatch(limits: services.limits)
    }

    // MARK: The connection

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        self.setReadDeadline(self.limits.headTimeout)
        self.isWindowUpdateUnsent = true
        self.write(
            .windowUpdate(windowSizeIncrement: self.limits.http2ConnectionWindow - 65_535), of: .rootStream)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.close()
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.close()
        context.fireChannelInactive()
    }

    private func close() {
        guard self.phase != .closed else { return }
        self.phase = .closed
        self.timer.cancel()
        for stream in self.streams.values { stream.closed() }
        self.streams.removeAll()
        self.unsentBytes = 0
        self.endIfIdle()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let event as StreamClosedEvent:
            self.streamClosed(event.streamID)
        case let event as NIOHTTP2WindowUpdatedEvent:
            if let window = event.inboundWindowSize { self.windowChanged(event.streamID, to: window) }
        case is ChannelShouldQuiesceEvent:
            self.announceEnd()
        case ChannelEvent.inputClosed:
            self.inputClosed()
        default:
            break
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case NIOSSLError.uncleanShutdown:
            // The client has closed its output without the alert of TLS that announces it. An event follows.
            break
        case let error as NIOHTTP2Errors.StreamError:
            // A frame of the response was not valid.
            self.streams[error.streamID]?.reset(.internalError)
        case is NIOHTTP2Errors.UnableToSerializeFrame:
            // The head of a response is longer than a frame, and NIO writes no CONTINUATION. The compression table of
            // the client may no longer be that of the server.
            self.endConnection()
        case is any NIOHTTP2Error where self.failure == nil:
            // The error of a stream, which has been reset.
            break
        case is any NIOHTTP2Error:
            guard self.phase != .closing, self.phase != .closed else { return }
            self.services.observe(.protocolError)
            self.endConnection()
        default:
            context.close(promise: nil)
        }
    }

    // MARK: Frames

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard self.phase != .closing, self.phase != .closed else { return }
        let frame = self.unwrapInboundIn(data)
        switch frame.payload {
        case .headers(let headers):
            self.receive(headers, of: frame.streamID)
        case .data(let data):
            guard case .byteBuffer(let bytes) = data.data, let stream = self.streams[frame.streamID] else { return }
            stream.receive(bytes, isLast: data.endStream)
            if self.received.last !== stream { self.received.append(stream) }
        case .ping(Self.endPing, ack: true):
            if self.phase == .announced { self.drain() }
        default:
            break
        }
    }

    private func receive(_ headers: HTTP2Frame.FramePayload.Headers, of id: HTTP2StreamID) {
        if let stream = self.streams[id] {
            stream.receiveTrailers(headers.headers)
            return self.received.append(stream)
        }
        guard self.phase != .draining else {
            return self.write(.rstStream(.refusedStream), of: id)
        }
        let stream = HTTP2Stream(id, connection: self)
        self.streams[id] = stream
        self.lastStreamID = max(self.lastStreamID, id)
        self.workCount += 1
        if self.phase == .open { self.readDeadline = nil }
        self.frameDeadline = nil
        stream.receive(headers)
        self.received.append(stream)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        for stream in self.received { stream.readComplete() }
        self.received.removeAll(keepingCapacity: true)
        self.watchFrames()
        self.settle()
        context.fireChannelReadComplete()
    }

    /// Limits the time for the rest of a frame, or of the header of a request, that has begun to arrive.
    private func watchFrames() {
        guard self.streams.isEmpty, self.phase == .open, self.frames.isWithinFrame else {
            self.frameDeadline = nil
            return
        }
        guard self.frameDeadline == nil else { return }
        let deadline = self.channel.eventLoop.now + self.limits.headTimeout
        self.frameDeadline = deadline
        self.schedule(deadline)
    }

    /// Writes a frame. It is sent by ``flush()``.
    func write(_ payload: HTTP2Frame.FramePayload, of id: HTTP2StreamID) {
        guard let context else { return }
        context.write(self.wrapOutboundOut(HTTP2Frame(streamID: id, payload: payload)), promise: nil)
        self.flushInTurn()
    }

    // MARK: Streams

    /// Returns a promise for the end of the work of a stream.
    func workPromise() -> EventLoopPromise<Void> {
        let promise = self.channel.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenComplete { _ in
            self.workCount -= 1
            self.endIfIdle()
        }
        return promise
    }

    private func endIfIdle() {
        if self.phase == .closed, self.workCount == 0 { self.ended.succeed() }
    }

    private func streamClosed(_ id: HTTP2StreamID) {
        guard let stream = self.streams.removeValue(forKey: id) else { return }
        self.unsentBytes -= stream.unsentBytes
        stream.closed()
        guard self.streams.isEmpty else { return }
        if self.phase == .open { self.setReadDeadline(self.limits.idleTimeout) }
        // The connection ends after its last frames have been sent.
        if self.phase == .draining { self.flushInTurn() }
    }

    /// Gives the window for bodies back to the client as soon as half of it is used (section 6.9).
    private func windowChanged(_ id: HTTP2StreamID, to window: Int) {
        let size = id == .rootStream ? self.limits.http2ConnectionWindow : self.limits.http2StreamWindow
        guard window <= size / 2 else { return }
        if id == .rootStream {
            // If the connection is not writable, NIO keeps the update, and reports the old window again.
            guard !self.isWindowUpdateUnsent else { return }
            self.isWindowUpdateUnsent = true
            self.write(.windowUpdate(windowSizeIncrement: size - window), of: id)
        } else {
            self.streams[id]?.windowChanged(by: size - window)
        }
    }

    /// Returns true if the work of a stream may begin. If not, it is asked again later. Until their responses begin, a
    /// connection does not know how much memory they need, so their number is limited.
    func mayBegin() -> Bool {
        guard self.unansweredCount < self.limits.maximumUnansweredStreams else {
            self.isBeginHeld = true
            return false
        }
        return self.hasSpace()
    }

    /// Handles the beginning of the work of a stream.
    func workBegan() { self.unansweredCount += 1 }

    /// Handles the beginning of a response, or the end of its stream without one.
    func workAnswered() {
        self.unansweredCount -= 1
        if self.isBeginHeld { self.flushInTurn() }
    }

    /// Handles content that a stream has written.
    func accepted(_ count: Int) { self.unsentBytes += count }

    /// Returns true if the streams may write more content. If not, they are informed later.
    func hasSpace() -> Bool {
        if !self.hasSpaceNow { self.hadNoSpace = true }
        return self.hasSpaceNow
    }

    private var hasSpaceNow: Bool {
        self.channel.isWritable && self.unsentBytes < Self.maximumUnsentBytes
    }

    /// The number of unsent bytes of content of all streams from which they accept no more.
    private static let maximumUnsentBytes = 1 << 20

    // MARK: Sending

    /// Sends the written frames of all streams, now and not at the end of the turn.
    func flush(_ stream: HTTP2Stream) {
        self.written.append(stream)
        self.flush()
    }

    /// Sends the written frames of all streams at the end of the turn.
    func flushInTurn(_ stream: HTTP2Stream) {
        self.written.append(stream)
        self.flushInTurn()
    }

    private func flushInTurn() {
        guard !self.isFlushEnqueued else { return }
        self.isFlushEnqueued = true
        self.turn.enqueueFlush(self)
    }

    func flush() {
        self.isFlushEnqueued = false
        self.context?.flush()
        self.settle()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        self.writes.writabilityChanged(
            context.channel.isWritable, isLastFlush: self.phase == .closing,
            bufferedBytes: TransportProgress.unacknowledgedBytes(of: self.channel), now: context.eventLoop.now)
        if let deadline = self.writes.deadline { self.schedule(deadline) }
        self.settle()
        context.fireChannelWritabilityChanged()
    }

    /// Handles the frames that have been sent, and the ends of streams.
    private func settle() {
        let written = self.written
        self.written.removeAll()
        for stream in written where !stream.isClosed { stream.flushed() }
        let mayBegin = self.isBeginHeld && self.unansweredCount < self.limits.maximumUnansweredStreams
        if self.hadNoSpace || mayBegin, self.hasSpaceNow {
            self.hadNoSpace = false
            if mayBegin { self.isBeginHeld = false }
            // In the order of the requests, because not all of them may find space.
            for id in self.streams.keys.sorted() { self.streams[id]?.connectionHasSpace() }
        }
        if self.phase == .draining, self.streams.isEmpty { self.endConnection() }
    }

    // MARK: The end of the connection

    /// Tells the client that the connection ends. The client may have sent requests that have not arrived, so the
    /// connection serves further streams until the client answers a ping (section 6.8).
    private func announceEnd() {
        guard self.phase == .open else { return }
        self.phase = .announced
        self.frames.sendEnd(last: .maxID)
        self.write(.ping(Self.endPing, ack: false), of: .rootStream)
        self.setReadDeadline(self.limits.lingerTimeout)
    }

    /// Refuses further streams, and ends the connection after the present ones.
    private func drain() {
        guard self.phase == .open || self.phase == .announced else { return }
        self.phase = .draining
        self.readDeadline = nil
        self.frames.sendEnd(last: self.lastStreamID)
        self.flushInTurn()
    }

    /// Handles the end of the client's output. The client may still read, so responses that have begun are completed,
    /// and the others must begin in time; see ``RequestLimits/abandonTimeout``.
    private func inputClosed() {
        guard self.phase != .closing else {
            if self.isOutputClosed { self.context?.close(promise: nil) }
            return
        }
        self.drain()
        self.setReadDeadline(self.limits.abandonTimeout)
        for stream in self.streams.values { stream.inputClosed() }
    }

    /// Closes the output, and waits until the client closes its output.
    private func endConnection() {
        guard let context, self.phase != .closing, self.phase != .closed else { return }
        self.phase = .closing
        // A client that floods the connection must not cost more than the memory of the socket.
        self.frames.discardInput(stopsReading: self.failure != nil)
        self.readDeadline = nil
        for stream in self.streams.values { stream.closed() }
        self.streams.removeAll()
        self.frames.closeOutput {
            self.isOutputClosed = true
            self.setReadDeadline(self.limits.lingerTimeout)
        }
        self.writes.begin(
            bufferedBytes: TransportProgress.unacknowledgedBytes(of: self.channel), now: context.eventLoop.now)
        if let deadline = self.writes.deadline { self.schedule(deadline) }
    }

    // MARK: Time

    private func setReadDeadline(_ timeout: TimeAmount) {
        guard self.phase != .closed else { return }
        let deadline = self.channel.eventLoop.now + timeout
        self.readDeadline = deadline
        self.schedule(deadline)
    }

    /// Schedules the timer for a deadline of the connection or of a stream.
    func schedule(_ deadline: NIODeadline) {
        guard self.phase != .closed else { return }
        self.timer.schedule(deadline, on: self.channel.eventLoop) {
            self.timer.fired()
            self.deadlineReached(now: self.channel.eventLoop.now)
        }
    }

    private func deadlineReached(now: NIODeadline) {
        let bufferedBytes = TransportProgress.unacknowledgedBytes(of: self.channel)
        if self.writes.isStalled(bufferedBytes: bufferedBytes, now: now) {
            self.services.observe(.stalledReader)
            self.context?.close(promise: nil)
            return
        }
        if let frameDeadline, now >= frameDeadline {
            self.frameDeadline = nil
            self.services.observe(.refused(.requestTimeout))
            self.drain()
        }
        if let readDeadline, now >= readDeadline {
            self.readDeadline = nil
            self.readDeadlineReached(bufferedBytes: bufferedBytes, now: now)
        }
        for stream in self.streams.values where stream.nextDeadline.map({ $0 <= now }) == true {
            stream.deadlineReached(now: now)
        }
        let own = [self.readDeadline, self.frameDeadline, self.writes.deadline]
        let deadlines = own + self.streams.values.map(\.nextDeadline)
        if let next = deadlines.compactMap(\.self).min() { self.schedule(next) }
    }

    private func readDeadlineReached(bufferedBytes: Int, now: NIODeadline) {
        switch self.phase {
        case .open where !self.streams.isEmpty:
            break
        case .open where bufferedBytes > 0:
            // The last response has been written, but the client is still reading it.
            self.writes.begin(bufferedBytes: bufferedBytes, now: now)
            self.setReadDeadline(self.limits.idleTimeout)
        case .open:
            self.services.observe(.idle)
            if self.lastStreamID == .rootStream { self.drain() } else { self.announceEnd() }
        case .announced:
            self.drain()
        case .draining:
            for stream in self.streams.values { stream.abandon() }
        case .closing:
            self.context?.close(promise: nil)
        case .closed:
            break
        }
    }
}

extension HTTP2ConnectionHandler: NIOHTTP2FrameDelegate {
    func wroteFrame(_ frame: HTTP2Frame) {
        switch frame.payload {
        case .data(let data):
            guard let stream = self.streams[frame.streamID] else { return }
            stream.sent(data.data.readableBytes)
            self.unsentBytes -= data.data.readableBytes
            self.written.append(stream)
        case .windowUpdate:
            if frame.streamID == .rootStream { self.isWindowUpdateUnsent = false }
            self.streams[frame.streamID]?.windowUpdateSent()
        case .goAway(_, let code, _) where code != .noError:
            self.failure = code
        default:
            break
        }
    }
}

extension NIOHTTP2Handler.ConnectionConfiguration {
    /// NIO's limits of floods apply, and the limits of requests.
    init(_ limits: RequestLimits) {
        self.init()
        // A header that exceeds the limits of a request must arrive, because its response says so. If it exceeds twice
        // these limits, the connection ends.
        let maximumHeaderSize = 2 * limits.maximumHeadSize
        self.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: limits.maximumStreams),
            HTTP2Setting(parameter: .maxHeaderListSize, value: maximumHeaderSize),
            HTTP2Setting(parameter: .initialWindowSize, value: limits.http2StreamWindow),
        ]
        self.maximumSequentialContinuationFrames = maximumHeaderSize / (16 << 10) + 1
        // Frames of streams that the server has reset can still arrive.
        self.maximumRecentlyResetStreams = 2 * limits.maximumStreams
    }
}

@available(*, unavailable)
extension HTTP2ConnectionHandler: Sendable {}
