import NIOCore
import NIOPosix

/// A TCP proxy that simulates a round-trip time. It delays each byte, in each direction, by half of that time. It does
/// not limit the bandwidth. It does not delay the opening of a connection, because clients reuse their connections.
package enum DelayingProxy {
    /// Runs a proxy for the duration of a closure.
    /// - Parameters:
    ///   - roundTrip: The simulated round-trip time.
    ///   - host: The host of the server.
    ///   - port: The port of the server.
    ///   - body: Receives the address of the proxy: `http://127.0.0.1:PORT`.
    /// - Throws: `IOError` if the proxy cannot listen on a port, and any error of the closure.
    package static func with<Value>(
        roundTrip: Duration, to host: String, port: Int, _ body: (_ base: String) async throws -> Value
    ) async throws -> Value {
        let delay = TimeAmount(roundTrip / 2)
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { client in
                ClientBootstrap(group: client.eventLoop)
                    .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                    .channelOption(.autoRead, value: false)
                    .connect(host: host, port: port)
                    .flatMap { server in
                        client.eventLoop.makeCompletedFuture {
                            try client.pipeline.syncOperations.addHandler(
                                DelayingHandler(partner: server, delay: delay))
                            try server.pipeline.syncOperations.addHandler(
                                DelayingHandler(partner: client, delay: delay))
                        }.flatMap { server.setOption(.autoRead, value: true) }
                    }
                    .flatMap { client.setOption(.autoRead, value: true) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let result: Result<Value, any Error>
        do {
            result = .success(try await body("http://127.0.0.1:\(channel.localAddress?.port ?? 0)"))
        } catch {
            result = .failure(error)
        }
        try await channel.close()
        return try result.get()
    }
}

/// Forwards received bytes to the partner channel after a delay. Both channels use the same event loop, which
/// runs tasks with the same delay in the order of their scheduling. The order of the bytes therefore does not change.
private final class DelayingHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let partner: any Channel
    private let delay: TimeAmount

    init(partner: any Channel, delay: TimeAmount) {
        self.partner = partner
        self.delay = delay
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let (partner, bytes) = (partner, unwrapInboundIn(data))
        context.eventLoop.scheduleTask(in: delay) { partner.writeAndFlush(bytes, promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        let partner = partner
        context.eventLoop.scheduleTask(in: delay) { partner.close(promise: nil) }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
