import NIOCore
import NIOPosix
import Synchronization

/// A TCP relay between a client and a server. It counts all bytes of the connections: the heads and bodies of HTTP
/// messages, and their framing.
final class Relay: Sendable {
    /// The number of bytes in both directions.
    struct Count {
        /// The number of bytes from the client to the server.
        var sent = 0
        /// The number of bytes from the server to the client.
        var received = 0
    }

    private typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    private let count = Mutex(Count())
    private let server: (host: String, port: Int)

    private init(host: String, port: Int) { server = (host, port) }

    /// Runs a relay that listens on a local port while the closure runs.
    /// - Parameter body: Receives the relay and its port.
    static func run(
        to host: String, port: Int, _ body: @Sendable (Relay, Int) async throws -> Void
    ) async throws {
        let relay = Relay(host: host, port: port)
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture { try Connection(wrappingChannelSynchronously: channel) }
            }
        try await listener.executeThenClose { clients in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    await withDiscardingTaskGroup { connections in
                        // An error in a connection or in the listener does not end the relay.
                        do {
                            for try await client in clients {
                                connections.addTask { try? await relay.join(client) }
                            }
                        } catch {}
                    }
                }
                try await body(relay, listener.channel.localAddress?.port ?? 0)
                group.cancelAll()
            }
        }
    }

    /// Returns the number of bytes since the last call of this method.
    func take() -> Count {
        count.withLock { count in
            defer { count = Count() }
            return count
        }
    }

    private func join(_ client: Connection) async throws {
        let server = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connect(host: server.host, port: server.port) { channel in
                channel.eventLoop.makeCompletedFuture { try Connection(wrappingChannelSynchronously: channel) }
            }
        try await client.executeThenClose { clientIn, clientOut in
            try await server.executeThenClose { serverIn, serverOut in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        for try await bytes in clientIn {
                            self.count.withLock { $0.sent += bytes.readableBytes }
                            try await serverOut.write(bytes)
                        }
                    }
                    group.addTask {
                        for try await bytes in serverIn {
                            self.count.withLock { $0.received += bytes.readableBytes }
                            try await clientOut.write(bytes)
                        }
                    }
                    // Wait until the client or the server closes the connection.
                    try await group.next()
                    group.cancelAll()
                }
            }
        }
    }
}
