import DuetHTTPSemantics
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOSSL

/// Connects NIO's HTTP/1 decoder to the application, and encodes the responses. It replaces NIO's encoder,
/// `HTTP1ToHTTPServerCodec` and Hummingbird's `HTTPConnectionStateHandler`.
///
/// It converts NIO's request parts to `HTTPTypes` parts, and the `HTTPTypes` parts of responses to bytes. It enforces
/// ``RequestLimits``, and responds to requests that are rejected before the application receives them.
/// ``RequestLimitsStateMachine`` makes the decisions.
final class RequestLimitsHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = IOData

    private let services: ConnectionServices
    private let isEncrypted: Bool
    private let overhead: ChunkOverhead
    private var state: RequestLimitsStateMachine
    private var encoder = ResponseEncoder()
    /// An encoded head that is not written yet. A short body is appended to it, and both are written together.
    private var unwritten: ByteBuffer?
    private var timer = DeadlineTimer()

    /// Creates a handler.
    /// - Parameters:
    ///   - isEncrypted: True if the connection is encrypted.
    ///   - overhead: The counter of chunk overhead, which the handler shares with the preceding decoder.
    init(_ services: ConnectionServices, isEncrypted: Bool, overhead: ChunkOverhead) {
        self.services = services
        self.isEncrypted = isEncrypted
        self.overhead = overhead
        self.state = RequestLimitsStateMachine(limits: services.limits)
    }

    // MARK: The connection

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { self.opened(context: context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        self.opened(context: context)
        context.fireChannelActive()
    }

    private func opened(context: ChannelHandlerContext) {
        self.state.opened(now: context.eventLoop.now)
        self.updateTimer(context: context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if self.state.closed() { context.fireErrorCaught(RequestAborted(problem: nil)) }
        self.timer.cancel()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.timer.cancel()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent:
            self.end(self.state.shutDown(), context: context)
        case ChannelEvent.inputClosed:
            let action = self.state.inputClosed(now: context.eventLoop.now)
            context.fireUserInboundEventTriggered(event)
            self.end(action, context: context)
            self.updateTimer(context: context)
        default:
            context.fireUserInboundEventTriggered(event)
        }
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch self.unwrapInboundIn(data) {
        case .head(let head):
            self.readHead(head, context: context)
        case .body(let bytes):
            self.overhead.receive(bytes.readableBytes)
            if self.state.readBody() { context.fireChannelRead(self.wrapInboundOut(.body(bytes))) }
        case .end(let trailers):
            self.overhead.endBody()
            guard self.state.readEnd() else { return }
            context.fireChannelRead(self.wrapInboundOut(.end(trailers.map { HTTPFields($0, splitCookie: false) })))
        }
    }

    private func readHead(_ head: HTTPRequestHead, context: ChannelHandlerContext) {
        switch RequestHeadReader.read(head, isEncrypted: self.isEncrypted, self.services.limits) {
        case .refused(let problem):
            self.refuse(problem, isHead: head.method == .HEAD, context: context)
        case .request(let request, let traits):
            if traits.contains(.chunked) { self.overhead.beginBody() }
            guard case .forward(let sendContinue) = self.state.readHead(traits) else { return }
            if sendContinue {
                self.write(HTTPResponse(status: .continue), context: context, promise: nil)
                self.flush(context: context)
            }
            context.fireChannelRead(self.wrapInboundOut(.head(request)))
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if self.state.isLingering {
            // The application no longer reads. The handler reads and discards the remaining bytes.
            context.read()
        }
        self.state.readComplete(now: context.eventLoop.now)
        self.updateTimer(context: context)
        context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case is RequestTargetTooLong:
            self.refuse(.targetTooLong, context: context)
        case is UnknownMethod:
            self.refuse(.unknownMethod, context: context)
        case is HandshakeDetector.NotEncrypted:
            self.refuse(.notEncrypted, context: context)
        case is ChunkOverhead.TooLarge:
            self.refuse(.chunkOverheadTooLarge, context: context)
        case HTTPParserError.headerOverflow:
            self.refuse(.fieldsTooLarge, context: context)
        case is HTTPParserError:
            self.refuse(.malformedRequest, context: context)
        case NIOSSLError.uncleanShutdown:
            // The client has closed its output without the alert of TLS that announces it. The lengths of requests show
            // whether they are complete, and an event follows, as without TLS.
            break
        case ByteToMessageDecoderError.dataReceivedInErrorState:
            // These bytes follow the bytes that could not be decoded.
            break
        default:
            context.fireErrorCaught(error)
        }
    }

    private func refuse(_ problem: ConnectionProblem, isHead: Bool = false, context: ChannelHandlerContext) {
        let (action, abortsBody) = self.state.refuse(problem, isHead: isHead)
        if abortsBody { context.fireErrorCaught(RequestAborted(problem: problem)) }
        switch action {
        case .answer(let problem, let withBody):
            self.answer(problem, withBody: withBody, context: context)
        case .close:
            self.services.observe(.refused(problem))
            context.close(promise: nil)
        case .none:
            break
        }
    }

    // MARK: Responses

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch self.unwrapOutboundIn(data) {
        case .head(let head):
            self.writeHead(head, context: context, promise: promise)
        case .body(let bytes):
            switch self.state.writeBody() {
            case .write: self.writeBody(bytes, context: context, promise: promise)
            case .skip: promise?.succeed()
            case .drop: promise?.fail(RequestAborted(problem: nil))
            }
        case .end(let trailers):
            self.writeEnd(trailers, context: context, promise: promise)
        }
    }

    private func writeHead(_ response: HTTPResponse, context: ChannelHandlerContext, promise: EventLoopPromise<Void>?) {
        let action = self.state.writeHead(
            status: response.status.code,
            hasLength: response.headerFields.contains(.contentLength),
            wantsClose: response.headerFields.saysClose)
        switch action {
        case .write(let persistence, let asHTTP10):
            let connection: StaticString? =
                switch persistence {
                case .unstated: nil
                case .keepAlive: "keep-alive"
                case .close: "close"
                }
            self.write(response, connection: connection, asHTTP10: asHTTP10, context: context, promise: promise)
        case .writeInformational:
            self.write(response, context: context, promise: promise)
        case .drop:
            promise?.fail(RequestAborted(problem: nil))
        }
    }

    // MARK: Bytes

    /// The capacity in bytes of a new buffer for a head. It is sufficient for the head and the body of most small
    /// responses.
    private static let headCapacity = 2_048
    /// The maximum size in bytes of a body that is copied into the buffer of its head. A larger body remains a separate
    /// buffer.
    private static let maximumCopiedBody = 16 << 10

    private func write(
        _ head: HTTPResponse, connection: StaticString? = nil, asHTTP10: Bool = false, context: ChannelHandlerContext,
        promise: EventLoopPromise<Void>?
    ) {
        self.writeUnwritten(context: context)
        var buffer = context.channel.allocator.buffer(capacity: Self.headCapacity)
        self.encoder.encode(head, connection: connection, asHTTP10: asHTTP10, into: &buffer)
        if let promise {
            context.write(self.wrapOutboundOut(.byteBuffer(buffer)), promise: promise)
        } else {
            self.unwritten = buffer
        }
    }

    private func writeBody(_ bytes: ByteBuffer, context: ChannelHandlerContext, promise: EventLoopPromise<Void>?) {
        if promise == nil, self.encoder.framing == .length, bytes.readableBytes <= Self.maximumCopiedBody,
            var buffer = self.unwritten.take()
        {
            buffer.writeImmutableBuffer(bytes)
            self.unwritten = buffer
            return
        }
        self.writeUnwritten(context: context)
        // An empty chunk would end the body.
        guard self.encoder.framing == .chunked, bytes.readableBytes > 0 else {
            context.write(self.wrapOutboundOut(.byteBuffer(bytes)), promise: promise)
            return
        }
        var line = context.channel.allocator.buffer(capacity: 32)
        ResponseEncoder.encodeChunkSize(bytes.readableBytes, into: &line)
        context.write(self.wrapOutboundOut(.byteBuffer(line)), promise: nil)
        context.write(self.wrapOutboundOut(.byteBuffer(bytes)), promise: nil)
        // A chunk ends with CRLF, as its size line does, so the last two bytes of the line are written again.
        line.moveReaderIndex(to: line.writerIndex - 2)
        context.write(self.wrapOutboundOut(.byteBuffer(line)), promise: promise)
    }

    private func writeLast(_ trailers: HTTPFields?, context: ChannelHandlerContext, promise: EventLoopPromise<Void>?) {
        self.writeUnwritten(context: context)
        guard self.encoder.framing == .chunked else {
            promise?.succeed()
            return
        }
        var last = context.channel.allocator.buffer(capacity: 32)
        ResponseEncoder.encodeLastChunk(trailers, into: &last)
        context.write(self.wrapOutboundOut(.byteBuffer(last)), promise: promise)
    }

    private func writeUnwritten(context: ChannelHandlerContext) {
        guard let unwritten = self.unwritten.take() else { return }
        context.write(self.wrapOutboundOut(.byteBuffer(unwritten)), promise: nil)
    }

    func flush(context: ChannelHandlerContext) {
        self.writeUnwritten(context: context)
        context.flush()
    }

    // MARK: Other protocols

    /// Ends HTTP on the connection: sends the head of a response 101. The caller must then replace the handlers.
    /// - Parameters:
    ///   - task: The task of the work that uses the new protocol.
    ///   - ended: The promise that succeeds after the end of the connection and of the work.
    /// - Returns: The handler of the new protocol, and true if the server is shutting down; `nil` if the connection
    ///   cannot switch.
    func switchToWebSocket(
        _ head: HTTPResponse, task: Task<Void, Never>, ended: EventLoopPromise<Void>, context: ChannelHandlerContext
    ) -> (WebSocketHandler, isShuttingDown: Bool)? {
        guard let isShuttingDown = self.state.switchProtocols() else { return nil }
        self.timer.cancel()
        self.write(head, context: context, promise: nil)
        self.flush(context: context)
        let handler = WebSocketHandler(
            limits: self.services.limits, eventLoop: context.eventLoop, observe: self.services.observe, task: task,
            ended: ended)
        return (handler, isShuttingDown)
    }

    // MARK: The end of a response

    private func writeEnd(_ trailers: HTTPFields?, context: ChannelHandlerContext, promise: EventLoopPromise<Void>?) {
        guard case .write(let hasBody, let next) = self.state.writeEnd(now: context.eventLoop.now) else {
            promise?.fail(RequestAborted(problem: nil))
            return
        }
        if hasBody {
            self.writeLast(trailers, context: context, promise: promise)
        } else {
            self.writeUnwritten(context: context)
            // Without a body, there is no last chunk. This includes the response to HEAD.
            promise?.succeed()
        }
        switch next {
        case .goOn: self.updateTimer(context: context)
        case .close: self.flushAndClose(context: context)
        case .answer(let problem, let withBody): self.answer(problem, withBody: withBody, context: context)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        let bufferedBytes = self.bufferedBytes(context: context)
        self.state.writabilityChanged(
            context.channel.isWritable, bufferedBytes: bufferedBytes, now: context.eventLoop.now)
        self.updateTimer(context: context)
        context.fireChannelWritabilityChanged()
    }

    // MARK: The end of the connection

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        switch mode {
        case .output:
            // The call is not forwarded. If the client has closed its side, NIO would close the whole connection and
            // drop unwritten bytes.
            self.end(self.state.outputFinished(), context: context)
            promise?.succeed()
        case .all where self.state.isEnding:
            // The connection already ends in bounded time, and the client can still read the last response.
            if let promise { context.channel.closeFuture.cascade(to: promise) }
        case .all, .input:
            context.close(mode: mode, promise: promise)
        }
    }

    private func end(_ action: RequestLimitsStateMachine.EndAction, context: ChannelHandlerContext) {
        switch action {
        case .flush: self.flushAndClose(context: context)
        case .close: context.close(promise: nil)
        case .reset:
            // The end of the connection would look like the end of the response. A reset shows the client that the
            // response is incomplete.
            (context.channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
                .whenFailure { _ in }
            if self.isEncrypted {
                context.triggerUserOutboundEvent(ConnectionReset(), promise: nil)
            } else {
                context.close(promise: nil)
            }
        case .none: break
        }
    }

    private func answer(_ problem: ConnectionProblem, withBody: Bool, context: ChannelHandlerContext) {
        let (head, body) = self.services.refuse(problem)
        self.write(head, connection: "close", context: context, promise: nil)
        if withBody { self.writeBody(body, context: context, promise: nil) }
        self.flushAndClose(context: context)
    }

    private func flushAndClose(context: ChannelHandlerContext) {
        context.fireUserInboundEventTriggered(ConnectionEnding())
        self.writeUnwritten(context: context)
        context.flush(self.wrapOutboundOut(.byteBuffer(ByteBuffer()))) { self.flushed(context: context) }
        self.state.flushing(bufferedBytes: self.bufferedBytes(context: context), now: context.eventLoop.now)
        self.updateTimer(context: context)
    }

    private func flushed(context: ChannelHandlerContext) {
        context.perform(self.state.flushed(now: context.eventLoop.now))
        self.updateTimer(context: context)
    }

    // MARK: Time

    private func updateTimer(context: ChannelHandlerContext) {
        guard let deadline = self.state.nextDeadline else { return }
        self.timer.schedule(deadline, on: context.eventLoop) {
            self.timer.fired()
            self.deadlineReached(context: context)
        }
    }

    private func deadlineReached(context: ChannelHandlerContext) {
        let (action, abortsBody) = self.state.deadlineReached(
            now: context.eventLoop.now, bufferedBytes: self.bufferedBytes(context: context))
        if abortsBody { context.fireErrorCaught(RequestAborted(problem: .requestTimeout)) }
        switch action {
        case .none:
            self.updateTimer(context: context)
        case .abandon:
            context.fireUserInboundEventTriggered(ClientLeft())
            self.updateTimer(context: context)
        case .answer(let problem, let withBody):
            self.answer(problem, withBody: withBody, context: context)
        case .close(let observation):
            if let observation { self.services.observe(observation) }
            context.close(promise: nil)
        }
    }

    private func bufferedBytes(context: ChannelHandlerContext) -> Int {
        TransportProgress.unacknowledgedBytes(of: context.channel)
    }
}

@available(*, unavailable)
extension RequestLimitsHandler: Sendable {}

extension HTTPFields {
    /// True if the value of a `Connection` field is `close`.
    fileprivate var saysClose: Bool {
        let name = HTTPField.Name.connection
        return self.contains { field in
            field.name == name && field.withUnsafeBytesOfValue { $0.equalsIgnoringCase("close") }
        }
    }
}
