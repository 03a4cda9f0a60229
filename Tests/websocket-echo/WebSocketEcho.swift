import DuetHTTPServer
import Foundation
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix

/// A server that returns each WebSocket message, for `scripts/autobahn.sh`. The port is the first argument; it is
/// printed as soon as the server accepts connections.
@main
enum WebSocketEcho {
    static func main() async throws {
        let port = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 0
        var limits = RequestLimits()
        limits.webSocket.maximumMessageSize = 64 << 20
        let channel = LimitedHTTPChannel(
            limits: limits,
            problemResponse: { ProblemResponse(status: $0.status, body: ByteBuffer(string: "{}")) },
            respond: { request, _ in try Self.respond(to: request) })
        let logger = Logger(label: "websocket-echo")
        let listener = ConnectionListener(
            [.tcp(host: "127.0.0.1", port: port)], channel: channel, isEncrypted: false, maximumConnections: 1_000,
            group: MultiThreadedEventLoopGroup.singleton, logger: logger)
        let addresses = try await listener.start()
        FileHandle.standardOutput.write(Data("\(addresses[0].port ?? port)\n".utf8))
        await listener.waitForEnd()
    }

    private static func respond(to request: Request) throws -> Response {
        guard let handshake = try WebSocketHandshake(request.head) else { return Response(status: .notFound) }
        return handshake.response { connection in
            for await message in connection.messages { try await connection.send(message) }
        }
    }
}
