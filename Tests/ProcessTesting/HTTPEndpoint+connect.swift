import NIOCore
import NIOPosix

extension HTTPEndpoint {
    /// Connects to the endpoint, and closes the connection after the closure.
    package func connect<Value>(
        _ body: (inout WebSocketTestClient) async throws -> Value
    ) async throws -> Value {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: Int(port) ?? 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            var client = WebSocketTestClient(bytes: inbound.makeAsyncIterator(), outbound: outbound)
            return try await body(&client)
        }
    }
}
