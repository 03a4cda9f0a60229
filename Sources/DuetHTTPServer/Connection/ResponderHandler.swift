import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// The last handler of a connection of HTTP/1. Its ``SequentialResponder`` answers the requests.
final class ResponderHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    let channel: any Channel
    private let responder: SequentialResponder
    private let turn: EventLoopTurn
    /// The context of the handler. It exists while the responder has this transport.
    private var context: ChannelHandlerContext?

    /// Creates a handler.
    /// - Parameters:
    ///   - channel: The channel of the connection.
    ///   - peer: The client.
    ///   - turn: The turn of the connection's event loop.
    ///   - ended: The promise that succeeds after the connection is closed and the work for its last request has ended.
    init(
        channel: any Channel, respond: @escaping ConnectionResponder, peer: ConnectionPeer, turn: EventLoopTurn,
        ended: EventLoopPromise<Void>
    ) {
        self.channel = channel
        self.turn = turn
        self.responder = SequentialResponder(respond: respond, peer: peer, turn: turn, ended: ended)
    }

    // MARK: The connection

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        self.responder.transport = self
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.responder.close()
        self.responder.transport = nil
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.responder.close()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ClientLeft: self.responder.abandon()
        case ChannelEvent.inputClosed: self.responder.inputClosed()
        case is ConnectionEnding: self.responder.refuseFurtherRequests()
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        self.responder.abort(error)
        guard !(error is RequestAborted) else { return }
        context.flush()
        context.close(promise: nil)
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        self.responder.receive(self.unwrapInboundIn(data))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        self.responder.readComplete()
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if self.responder.mayRead() { context.read() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        self.responder.writabilityChanged()
        context.fireChannelWritabilityChanged()
    }
}

extension ResponderHandler: ResponderTransport {
    var isWritable: Bool { self.channel.isWritable }

    func mayBegin() -> Bool { self.channel.isWritable }

    func workBegan() {}

    func write(_ part: HTTPResponsePart, promise: EventLoopPromise<Void>?) {
        guard let context else { return promise?.fail(ChannelError.ioOnClosedChannel) ?? () }
        context.write(self.wrapOutboundOut(part), promise: promise)
    }

    func flush() { self.context?.flush() }

    func flushInTurn() { self.turn.enqueueFlush(self) }

    func resumeReading() { self.context?.read() }

    func closeOutput() { self.context?.close(mode: .output, promise: nil) }

    func switchToWebSocket(
        _ head: HTTPResponse, task: Task<Void, Never>, ended: EventLoopPromise<Void>
    ) throws -> WebSocketHandler {
        guard let context else { throw WebSocketEnded() }
        let pipeline = context.pipeline.syncOperations
        let limits = try pipeline.context(handlerType: RequestLimitsHandler.self)
        let decoder = try pipeline.context(handlerType: ByteToMessageHandler<RequestDecoder>.self)
        guard
            let (webSocket, isShuttingDown) = (limits.handler as? RequestLimitsHandler)?.switchToWebSocket(
                head, task: task, ended: ended, context: limits)
        else { throw WebSocketEnded() }
        self.responder.switched()
        try pipeline.addHandler(webSocket)
        pipeline.removeHandler(context: limits, promise: nil)
        pipeline.removeHandler(context: context, promise: nil)
        // The decoder is removed last, and passes the bytes that follow the request to the new handler.
        pipeline.removeHandler(context: decoder, promise: nil)
        if isShuttingDown { webSocket.drain() }
        pipeline.read()
        return webSocket
    }
}

@available(*, unavailable)
extension ResponderHandler: Sendable {}

/// An event: no client waits for the response, although the connection is still open.
struct ClientLeft {}

/// An event: the last response has been written. A further response would be dropped.
struct ConnectionEnding {}
