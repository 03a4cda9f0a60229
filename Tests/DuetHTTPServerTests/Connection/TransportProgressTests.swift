import DuetHTTPServer
import NIOCore
import NIOPosix
import Testing

@Suite("Transport progress of a connection")
struct TransportProgressTests {
    @Test("The number of unacknowledged bytes decreases when a slow client reads from its socket")
    func slowReader() async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let accepted = group.next().makePromise(of: (any Channel).self)
        let server = try await ServerBootstrap(group: group)
            .childChannelInitializer { channel in
                accepted.succeed(channel)
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let address = try #require(server.localAddress)
        let client = try await ClientBootstrap(group: group).channelOption(.autoRead, value: false)
            .channelOption(.socketOption(.so_rcvbuf), value: 64 * 1024).connect(to: address).get()
        let channel = try await accepted.futureResult.get()
        @Sendable func unacknowledged() async throws -> Int {
            try await channel.eventLoop.submit { TransportProgress.unacknowledgedBytes(of: channel) }.get()
        }
        #expect(try await unacknowledged() == 0)
        let size = 32 << 20
        channel.writeAndFlush(ByteBuffer(repeating: 0x61, count: size), promise: nil)
        let before = try await unacknowledged()
        // The operating system of the client may acknowledge a few bytes before the client reads.
        #expect(before > size / 2 && before <= size)
        // Each read frees buffer space. The operating system of the client reports the free space when it is large
        // enough.
        var after = before
        for _ in 0..<100_000 where after > before - 4096 {
            client.read()
            after = try await unacknowledged()
        }
        #expect(after <= before - 4096)
        try await client.close()
        try? await channel.close()
        try await server.close()
    }
}
