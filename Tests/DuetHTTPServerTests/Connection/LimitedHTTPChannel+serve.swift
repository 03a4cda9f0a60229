import DuetHTTPServer
import Logging
import NIOCore
import NIOPosix

extension LimitedHTTPChannel {
    /// Runs a server on a free port while `body` runs. The server is shut down afterwards.
    /// - Parameter body: Receives the address of the server, and the listener that can shut it down earlier.
    func serve(_ body: (SocketAddress, ConnectionListener) async throws -> Void) async throws {
        let listener = ConnectionListener(
            [.tcp(host: "127.0.0.1", port: 0)], channel: self, isEncrypted: false, maximumConnections: 1_000,
            patience: .zero, group: MultiThreadedEventLoopGroup.singleton, logger: Logger(label: "test"))
        try await listener.run { addresses in try await body(addresses[0], listener) }
    }
}

extension ConnectionListener {
    /// Accepts connections while `body` runs, and is shut down afterwards.
    /// - Parameter body: Receives the addresses.
    func run(_ body: ([SocketAddress]) async throws -> Void) async throws {
        let addresses = try await self.start()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await self.waitForEnd() }
            do {
                try await body(addresses)
            } catch {
                tasks.cancelAll()
                throw error
            }
            self.shutDown()
            try await tasks.waitForAll()
        }
    }
}
