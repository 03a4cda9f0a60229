package import Logging
package import NIOCore
import NIOPosix
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Accepts the connections of a server at one or more addresses, which share a limit.
///
/// Hummingbird's server has one address, cannot use the socket of another process, and removes the Unix domain socket
/// of a server that runs.
package final class ConnectionListener: Sendable {
    private struct State {
        var channels: [any Channel] = []
        var files: [OpenUnixSocket] = []
        var isShuttingDown = false
    }

    /// The maximum number of connections that wait in the queue of a socket that the server has created.
    private static let backlog: CInt = 256

    private let addresses: [ListeningAddress]
    private let channel: LimitedHTTPChannel
    private let isEncrypted: Bool
    private let patience: TimeAmount
    private let limit: ConnectionLimit
    private let connections = OpenConnections()
    private let group: any EventLoopGroup
    private let logger: Logger
    private let state = Mutex(State())

    /// Creates a listener.
    /// - Parameters:
    ///   - channel: Serves the connections.
    ///   - isEncrypted: True if the connections are encrypted.
    ///   - maximumConnections: The maximum number of connections. Further connections wait in the queues of sockets.
    ///   - patience: The time after the beginning of a connection for which a shutdown waits for its first request.
    package init(
        _ addresses: [ListeningAddress], channel: LimitedHTTPChannel, isEncrypted: Bool, maximumConnections: Int,
        patience: TimeAmount = .seconds(1), group: any EventLoopGroup, logger: Logger
    ) {
        self.addresses = addresses
        self.channel = channel
        self.isEncrypted = isEncrypted
        self.patience = patience
        self.limit = ConnectionLimit(maximum: maximumConnections)
        self.group = group
        self.logger = logger
    }

    // MARK: Life

    /// Begins to accept connections at all addresses.
    /// - Returns: The addresses, in which a port 0 is replaced by the port that the system has chosen.
    package func start() async throws(ListeningError) -> [SocketAddress] {
        var bound: [SocketAddress] = []
        for address in self.addresses {
            do {
                bound.append(try await self.listen(at: address))
            } catch {
                self.shutDown()
                throw ListeningError(address: address, reason: Self.reason(of: error))
            }
        }
        return bound
    }

    /// Waits until the server is shut down and the work of all connections has ended. If the task is canceled, the
    /// connections are closed at once.
    package func waitForEnd() async {
        await withTaskCancellationHandler {
            for channel in self.state.withLock(\.channels) { try? await channel.closeFuture.get() }
            await self.connections.waitUntilEmpty()
        } onCancel: {
            self.shutDown()
            self.connections.close()
        }
    }

    /// Accepts no further connections. Those that exist end after their current requests.
    package func shutDown() {
        let ended = self.state.withLock { state -> State? in
            guard !state.isShuttingDown else { return nil }
            state.isShuttingDown = true
            return state
        }
        if let ended { self.end(ended) }
    }

    private func end(_ state: State) {
        // A new server can use the path at once.
        for file in state.files { file.removeFile() }
        for channel in state.channels {
            channel.pipeline.fireUserInboundEventTriggered(AcceptanceHandler.StopAccepting())
        }
        self.connections.quiesce()
    }

    // MARK: Addresses

    private func listen(at address: ListeningAddress) async throws -> SocketAddress {
        let bootstrap = self.bootstrap()
        let local: SocketAddress
        let channel: any Channel
        switch address {
        case .tcp(let host, let port):
            channel = try await bootstrap.serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: host, port: port).get()
            local = try channel.localAddress ?? SocketAddress.makeAddressResolvingHost(host, port: port)
        case .unix(let socket):
            local = try SocketAddress(unixDomainSocketPath: socket.path)
            let file = try socket.open(backlog: Self.backlog)
            self.state.withLock { $0.files.append(file) }
            channel = try await bootstrap.withBoundSocket(file.descriptor).get()
            try await self.restoreBacklog(of: file.descriptor, Self.backlog, channel)
        case .inherited(let socket):
            local = socket.localAddress
            channel = try await bootstrap.withBoundSocket(socket.descriptor).get()
            // The system limits the number (net.core.somaxconn).
            try await self.restoreBacklog(of: socket.descriptor, .max, channel)
        }
        let ended = self.state.withLock { state -> State? in
            state.channels.append(channel)
            return state.isShuttingDown ? state : nil
        }
        // The shutdown began before the socket existed.
        if let ended { self.end(ended) }
        // If one of the sockets fails, the server ends.
        channel.closeFuture.whenComplete { _ in self.shutDown() }
        self.logger.info("Listening", metadata: ["address": "\(local.text)"])
        return local
    }

    /// Sets the maximum number of waiting connections, because `withBoundSocket` has replaced it by a lower one.
    private func restoreBacklog(of descriptor: CInt, _ backlog: CInt, _ channel: any Channel) async throws {
        #if canImport(Glibc)
            let failed = Glibc.listen(descriptor, backlog) != 0
        #elseif canImport(Musl)
            let failed = Musl.listen(descriptor, backlog) != 0
        #else
            let failed = Darwin.listen(descriptor, backlog) != 0
        #endif
        guard failed else { return }
        let number = errno
        try? await channel.close()
        throw ListeningError.Reason.system(number)
    }

    private static func reason(of error: any Error) -> ListeningError.Reason {
        switch error {
        case let reason as ListeningError.Reason: reason
        case let error as IOError: error.errnoCode == EADDRINUSE ? .inUse : .system(error.errnoCode)
        case is SocketAddressError.UnknownHost: .unknownHost
        default: .system(EINVAL)
        }
    }

    private func bootstrap() -> ServerBootstrap {
        ServerBootstrap(group: self.group)
            .serverChannelOption(.backlog, value: Self.backlog)
            .serverChannelInitializer { [limit, connections] channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(AcceptanceHandler(limit: limit, connections: connections))
                    try pipeline.addHandler(AcceptBackoffHandler(shouldForwardIOErrorCaught: false))
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { [channel, connections, isEncrypted, patience] connection in
                connection.eventLoop.makeCompletedFuture {
                    try connection.pipeline.syncOperations.addHandler(
                        FirstRequestHandler(isEncrypted: isEncrypted, patience: patience))
                    let ended = try channel.setup(channel: connection)
                    // After the shutdown has begun, this also makes the connection end.
                    connections.hold(connection)
                    ended.whenComplete { _ in connections.release(connection) }
                }
            }
    }
}

extension SocketAddress {
    /// `HOST:PORT`, `[HOST]:PORT`, or the path of a Unix domain socket.
    package var text: String {
        switch self {
        case .unixDomainSocket: self.pathname ?? ""
        case .v4: "\(self.ipAddress ?? ""):\(self.port ?? 0)"
        case .v6: "[\(self.ipAddress ?? "")]:\(self.port ?? 0)"
        }
    }
}
