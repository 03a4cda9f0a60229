import DuetHTTPServer
import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOPosix
import ProcessTesting

/// A server whose requests with a WebSocket handshake run a closure.
struct WebSocketTestServer: Sendable {
    let address: SocketAddress
    fileprivate let listener: ConnectionListener
    fileprivate let observed: Recorder<ConnectionObservation>

    /// The connections that the server closed because of a limit.
    var observations: [ConnectionObservation] { self.observed.all }

    /// Begins the shutdown.
    func shutDown() { self.listener.shutDown() }

    /// The limits of a server, and the work for each WebSocket connection.
    struct Setup: Sendable {
        var limits = RequestLimits.patient
        var subprotocol: String?
        /// By default, each message is returned to the client.
        var work: @Sendable (WebSocketConnection) async throws -> Void = { connection in
            for await message in connection.messages { try await connection.send(message) }
        }

        /// Runs a server while `body` runs. The server is shut down afterwards.
        func run(body: (WebSocketTestServer) async throws -> Void) async throws {
            let observed = Recorder<ConnectionObservation>()
            let channel = LimitedHTTPChannel(
                limits: self.limits,
                problemResponse: { ProblemResponse(status: $0.status, body: ByteBuffer(string: "{}")) },
                observe: { observed.append($0) },
                respond: { request, _ in self.respond(to: request) })
            try await channel.serve { address, listener in
                try await body(WebSocketTestServer(address: address, listener: listener, observed: observed))
            }
        }

        private func respond(to request: Request) -> Response {
            do throws(WebSocketHandshake.Problem) {
                guard let handshake = try WebSocketHandshake(request.head) else {
                    return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: "no handshake")))
                }
                let response = handshake.response(subprotocol: self.subprotocol, run: self.work)
                // The writer of the body is wrapped, as by a server that counts the bytes of responses.
                return Response(status: response.status, headers: response.headers, body: response.body.map { $0 })
            } catch {
                switch error {
                case .invalidKey: return Response(status: .badRequest)
                case .unsupportedVersion:
                    return Response(status: .upgradeRequired, headers: WebSocketHandshake.versionFields)
                }
            }
        }
    }

    /// Connects a client.
    /// - Parameter receiveBuffer: The size in bytes of the system's buffer for unread data.
    func connect(
        receiveBuffer: ChannelOptions.Types.SocketOption.Value? = nil,
        _ body: (inout WebSocketTestClient) async throws -> Void
    ) async throws {
        var bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.allowRemoteHalfClosure, value: true)
        if let receiveBuffer {
            bootstrap = bootstrap.channelOption(.socketOption(.so_rcvbuf), value: receiveBuffer)
        }
        let channel =
            try await bootstrap
            .connect(to: self.address) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(isOutboundHalfClosureEnabled: true))
                }
            }
        try await channel.executeThenClose { inbound, outbound in
            var client = WebSocketTestClient(bytes: inbound.makeAsyncIterator(), outbound: outbound)
            try await body(&client)
        }
    }

    /// Connects a client that has finished the handshake.
    func open(
        receiveBuffer: ChannelOptions.Types.SocketOption.Value? = nil,
        _ body: (inout WebSocketTestClient) async throws -> Void
    ) async throws {
        try await self.connect(receiveBuffer: receiveBuffer) { client in
            try await client.send(WebSocketTestClient.handshake)
            let head = try await client.head()
            guard head.hasPrefix("HTTP/1.1 101 ") else { throw UnexpectedHead(head: head) }
            try await body(&client)
        }
    }

    struct UnexpectedHead: Error {
        let head: String
    }
}
