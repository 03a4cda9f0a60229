import NIOCore
import NIOPosix

/// A TCP connection point on the loopback interface in front of a server, by which a test separates a client from the
/// server.
///
/// While the relay is separated, it passes no bytes on and closes no connection, as if the network lost each packet. It
/// still accepts connections, as a server does that hangs.
package struct Relay: Sendable {
    private let state: NIOLoopBound<State>
    private let eventLoop: any EventLoop
    private let listener: any Channel
    /// The port of the relay.
    package let port: Int

    /// The state, which is used on the event loop only.
    private final class State {
        var target: Int
        var isSeparated = false
        var channels: [ObjectIdentifier: any Channel] = [:]

        init(target: Int) {
            self.target = target
        }

        func add(_ channel: any Channel) -> EventLoopFuture<Void> {
            channels[ObjectIdentifier(channel)] = channel
            return channel.setOption(.autoRead, value: !isSeparated)
        }
    }

    /// Runs relays for the duration of a closure.
    /// - Parameter ports: The port of the server of each relay, on the loopback interface.
    package static func with<Value>(to ports: [Int], _ body: ([Relay]) async throws -> Value) async throws -> Value {
        var relays: [Relay] = []
        let result: Result<Value, any Error>
        do {
            for port in ports { relays.append(try await Relay(to: port)) }
            result = .success(try await body(relays))
        } catch {
            result = .failure(error)
        }
        for relay in relays { try await relay.close() }
        return try result.get()
    }

    private init(to port: Int) async throws {
        let eventLoop = MultiThreadedEventLoopGroup.singleton.any()
        let state = try await eventLoop.submit { NIOLoopBound(State(target: port), eventLoop: eventLoop) }.get()
        listener = try await ServerBootstrap(group: eventLoop)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { client in
                ClientBootstrap(group: eventLoop)
                    .channelOption(.autoRead, value: false)
                    .connect(host: "127.0.0.1", port: state.value.target)
                    .flatMapThrowing { server in
                        try client.pipeline.syncOperations.addHandler(Forwarder(to: server, state))
                        try server.pipeline.syncOperations.addHandler(Forwarder(to: client, state))
                        return server
                    }
                    .flatMap { server in state.value.add(server).flatMap { state.value.add(client) } }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        self.state = state
        self.eventLoop = eventLoop
        self.port = listener.localAddress?.port ?? 0
    }

    private func close() async throws {
        try await listener.close()
        try await eventLoop.submit { [state] in
            for channel in state.value.channels.values { channel.close(promise: nil) }
        }.get()
    }

    /// Stops the transfer of bytes, or continues it.
    package func setSeparated(_ isSeparated: Bool) async throws {
        try await eventLoop.submit { [state] in
            state.value.isSeparated = isSeparated
            for channel in state.value.channels.values { _ = channel.setOption(.autoRead, value: !isSeparated) }
        }.get()
    }

    /// Connects the clients that come from now on with another server. Existing connections continue.
    package func redirect(to port: Int) async throws {
        try await eventLoop.submit { [state] in state.value.target = port }.get()
    }

    /// Passes the bytes of one channel to another one.
    private final class Forwarder: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let partner: any Channel
        private let state: NIOLoopBound<State>

        init(to partner: any Channel, _ state: NIOLoopBound<State>) {
            self.partner = partner
            self.state = state
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            partner.writeAndFlush(unwrapInboundIn(data), promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            state.value.channels[ObjectIdentifier(context.channel)] = nil
            partner.close(promise: nil)
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }
}
