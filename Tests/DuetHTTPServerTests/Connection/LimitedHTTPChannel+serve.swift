import DuetHTTPServer
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

extension LimitedHTTPChannel {
    /// Runs a server on a free port while `body` runs. The server is shut down afterwards.
    /// - Parameter body: Receives the address of the server, and the group that can shut it down earlier.
    func serve(_ body: (SocketAddress, ServiceGroup) async throws -> Void) async throws {
        let (addresses, continuation) = AsyncStream.makeStream(of: SocketAddress.self)
        let server = self.server(
            configuration: ServerConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                if let address = channel.localAddress { continuation.yield(address) }
                continuation.finish()
            },
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: Logger(label: "test"))
        let group = ServiceGroup(services: [server], logger: Logger(label: "test"))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            for await address in addresses { try await body(address, group) }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }
}
