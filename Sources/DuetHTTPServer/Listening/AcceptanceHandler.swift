import NIOCore

/// The first handler of a listening socket. It limits the number of connections, registers them, and stops accepting
/// without losing a connection that has been accepted, but whose pipeline is not complete.
final class AcceptanceHandler: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never
    typealias OutboundOut = Never

    /// The event that makes the handler stop accepting, and then close the socket.
    struct StopAccepting: Sendable {}

    /// The maximum number of connections that are accepted in a turn of the event loop. The loop also answers requests,
    /// so a turn can take long.
    private static let maximumPerRead = 256

    private let limit: ConnectionLimit
    private let connections: OpenConnections
    /// The accepted connections whose pipelines are not complete.
    private var pending: Set<ObjectIdentifier> = []
    /// The accepted connections for which there is no room. Another socket has used it since this one began to wait for
    /// connections.
    private var held = CircularBuffer<NIOAny>()
    private var context: ChannelHandlerContext?
    private var resumeLater: (@Sendable () -> Void)?
    private var isWaiting = false
    private var isStopping = false
    private var perRead: Int?

    init(limit: ConnectionLimit, connections: OpenConnections) {
        self.limit = limit
        self.connections = connections
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let eventLoop = context.eventLoop
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        self.resumeLater = { eventLoop.execute { bound.value.resume() } }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        self.resumeLater = nil
    }

    func channelRegistered(context: ChannelHandlerContext) {
        // The socket reads only after this event, so the last handler sees all connections.
        let last = CompletedConnectionHandler { [unowned self] in self.complete(ObjectIdentifier($0)) }
        try? context.pipeline.syncOperations.addHandler(last, position: .last)
        context.fireChannelRegistered()
    }

    // MARK: Connections

    func read(context: ChannelHandlerContext) {
        guard !self.isStopping, !self.isWaiting, let resumeLater else { return }
        let free = self.limit.free(orNotify: resumeLater)
        guard free > 0 else {
            self.isWaiting = true
            return
        }
        let count = min(free, Self.maximumPerRead)
        if count != self.perRead {
            self.perRead = count
            try? context.channel.syncOptions?.setOption(.maxMessagesPerRead, value: UInt(count))
        }
        context.read()
    }

    private func resume() {
        guard let context, let resumeLater else { return }
        while let next = self.held.first {
            guard self.limit.open(orNotify: resumeLater) else { return }
            self.held.removeFirst()
            self.admit(next, context)
        }
        self.isWaiting = false
        self.read(context: context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard self.held.isEmpty, let resumeLater, self.limit.open(orNotify: resumeLater) else {
            self.held.append(data)
            self.isWaiting = true
            return
        }
        self.admit(data, context)
    }

    private func admit(_ data: NIOAny, _ context: ChannelHandlerContext) {
        let channel = self.unwrapInboundIn(data)
        let identifier = ObjectIdentifier(channel)
        self.pending.insert(identifier)
        self.connections.hold(channel)
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        channel.closeFuture.whenComplete { [limit, connections, eventLoop = context.eventLoop] _ in
            limit.closed()
            connections.release(channel)
            // The setup of the connection may have failed.
            eventLoop.execute { bound.value.complete(identifier) }
        }
        context.fireChannelRead(data)
    }

    private func complete(_ connection: ObjectIdentifier) {
        self.pending.remove(connection)
        self.closeIfComplete()
    }

    // MARK: The end

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is StopAccepting else { return context.fireUserInboundEventTriggered(event) }
        self.isStopping = true
        try? context.channel.syncOptions?.setOption(.autoRead, value: false)
        while let next = self.held.popFirst() {
            self.limit.forceOpen()
            self.admit(next, context)
        }
        self.closeIfComplete()
    }

    private func closeIfComplete() {
        if self.isStopping, self.pending.isEmpty { self.context?.close(promise: nil) }
    }
}

/// The last handler of a listening socket, which receives each connection whose pipeline is complete.
private final class CompletedConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel

    private let complete: (any Channel) -> Void

    init(_ complete: @escaping (any Channel) -> Void) { self.complete = complete }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let channel = self.unwrapInboundIn(data)
        // The connection is registered at its event loop before the socket can be closed.
        context.fireChannelRead(data)
        self.complete(channel)
    }
}
