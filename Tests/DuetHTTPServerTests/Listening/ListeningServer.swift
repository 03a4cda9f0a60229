import DuetHTTPServer
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ProcessTesting
import Synchronization

/// A server at the addresses of a test. Each response is empty.
final class ListeningServer: Sendable {
    let listener: ConnectionListener
    private let log: TargetLog

    /// The targets of the requests, in order.
    var targets: [String] { self.log.targets.withLock(\.self) }

    private final class TargetLog: Sendable {
        let targets = Mutex<[String]>([])
    }

    /// - Parameter patience: The time for which a shutdown waits for the first request of a connection.
    init(_ addresses: [ListeningAddress], maximumConnections: Int = 100, patience: TimeAmount = .hours(1)) {
        let log = TargetLog()
        self.log = log
        self.listener = ConnectionListener(
            addresses,
            channel: LimitedHTTPChannel(
                limits: .patient,
                problemResponse: { ProblemResponse(status: $0.status, body: ByteBuffer(string: "refused")) },
                respond: { request, _ in
                    log.targets.withLock { $0.append(request.uri.string) }
                    return Response(status: .ok, headers: [.contentLength: "0"])
                }),
            isEncrypted: false, maximumConnections: maximumConnections, patience: patience,
            group: MultiThreadedEventLoopGroup.singleton, logger: Logger(label: "test"))
    }

    /// Runs the server while `body` runs. The server is shut down afterwards.
    /// - Parameter body: Receives the addresses.
    func run(_ body: ([SocketAddress]) async throws -> Void) async throws {
        try await self.listener.run(body)
    }

    /// Connects a client, and closes the connection after the closure.
    static func connect(
        to address: SocketAddress, _ body: (inout WebSocketTestClient) async throws -> Void
    ) async throws {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(to: address) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        try await channel.executeThenClose { inbound, outbound in
            var client = WebSocketTestClient(bytes: inbound.makeAsyncIterator(), outbound: outbound)
            try await body(&client)
        }
    }

    /// Returns the head of the response to a request on a new connection.
    @discardableResult
    static func get(_ target: String, at address: SocketAddress) async throws -> String {
        var head = ""
        try await Self.connect(to: address) { head = try await $0.get(target) }
        return head
    }
}

extension WebSocketTestClient {
    /// Sends a request, and returns the head of the response, which has no content.
    mutating func get(_ target: String) async throws -> String {
        try await self.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
        return try await self.head()
    }
}
