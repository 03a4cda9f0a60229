import NIOCore

/// The first handler of a new connection. A client that has connected just before the shutdown of the server sends its
/// first request at the same time. Without this handler, the connection would end before the request arrives, although
/// the client could not know about the shutdown.
///
/// If the connection is not encrypted, its first bytes are those of the first request, and the handler removes itself.
final class FirstRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private static let pause = TimeAmount.milliseconds(20)

    private let isEncrypted: Bool
    private let deadline: NIODeadline
    /// The time at which the connection learns about the shutdown.
    private var delay: Scheduled<Void>?

    /// - Parameter patience: The time from now for which a shutdown waits for the first request.
    init(isEncrypted: Bool, patience: TimeAmount) {
        self.isEncrypted = isEncrypted
        self.deadline = .now() + patience
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is ChannelShouldQuiesceEvent else { return context.fireUserInboundEventTriggered(event) }
        guard self.delay == nil else { return }
        let eventLoop = context.eventLoop.assumeIsolated()
        // A busy machine can stop the thread of the event loop for so long that the time has passed before the loop has
        // read from the connection. After a pause, the loop reads first.
        self.delay = eventLoop.scheduleTask(deadline: max(self.deadline, .now() + Self.pause)) {
            self.delay = eventLoop.scheduleTask(in: Self.pause) { context.fireUserInboundEventTriggered(event) }
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.fireChannelRead(data)
        guard !self.isEncrypted else { return }
        // The request has begun, so the connection answers it before it ends.
        if self.delay != nil { context.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.delay?.cancel()
    }
}
