import DuetHTTPServer
import NIOCore
import NIOEmbedded
import NIOPosix

/// The connection of a test client to a server.
protocol BytePipe {
    func write(_ bytes: ByteBuffer) async throws

    /// Waits for the next bytes. Returns nil at the end of the connection.
    mutating func read() async throws -> ByteBuffer?

    func closeOutput() async throws
}

/// A connection by a socket.
struct SocketPipe: BytePipe {
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>

    static func with<Value>(
        _ address: SocketAddress, _ body: (SocketPipe) async throws -> Value
    ) async throws -> Value {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connect(to: address) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(isOutboundHalfClosureEnabled: true))
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await body(SocketPipe(inbound: inbound.makeAsyncIterator(), outbound: outbound))
        }
    }

    func write(_ bytes: ByteBuffer) async throws { try await self.outbound.write(bytes) }

    mutating func read() async throws -> ByteBuffer? {
        do {
            return try await self.inbound.next()
        } catch is IOError {
            // The server has reset the connection.
            return nil
        }
    }

    func closeOutput() { self.outbound.finish() }
}

/// A connection without a socket, with a clock that the test controls.
struct ClockedPipe: BytePipe {
    private let channel = NIOAsyncTestingChannel()

    init(_ server: LimitedHTTPChannel) async throws {
        try await self.channel.testingEventLoop.executeInContext { [channel] in
            try channel.pipeline.syncOperations.addHandler(OutputEnd())
            _ = try server.setup(channel: channel)
        }
        try await self.channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).get()
    }

    func advance(by time: TimeAmount) async { await self.channel.testingEventLoop.advanceTime(by: time) }

    func write(_ bytes: ByteBuffer) async throws {
        try await self.channel.writeInbound(bytes)
        await self.channel.testingEventLoop.run()
    }

    func read() async throws -> ByteBuffer? {
        while true {
            // The channel can end after its bytes have been read, so they are read once more.
            let isActive = self.channel.isActive
            await self.channel.testingEventLoop.run()
            if let bytes = try await self.received() { return bytes }
            if !isActive { return nil }
            await Task.yield()
        }
    }

    /// Returns the bytes that the server has sent.
    func received() async throws -> ByteBuffer? {
        var bytes = ByteBuffer()
        while let data = try await self.channel.readOutbound(as: IOData.self) {
            if case .byteBuffer(let piece) = data { bytes.writeImmutableBuffer(piece) }
        }
        return bytes.readableBytes > 0 ? bytes : nil
    }

    func closeOutput() async throws {
        try await self.channel.testingEventLoop.executeInContext { [channel] in
            channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
    }

    /// Begins the shutdown of the server.
    func quiesce() async throws {
        try await self.channel.testingEventLoop.executeInContext { [channel] in
            channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
    }

    /// Closes the connection if the test has not.
    func close() async { _ = try? await self.channel.close() }
}

/// Closes the whole connection when the server closes its output, because the client reads nothing after it.
private final class OutputEnd: ChannelOutboundHandler {
    typealias OutboundIn = IOData

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        context.close(mode: .all, promise: promise)
    }
}
