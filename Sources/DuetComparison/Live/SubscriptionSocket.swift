import DuetJSON
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// A WebSocket connection with the protocol graphql-transport-ws
/// (<https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md>) and one subscription.
struct SubscriptionSocket: Sendable {
    /// The base address of the server: `http://127.0.0.1:PORT`.
    let base: String
    /// Counts the bytes of the connection, including those of the request that opens it.
    let counter: ByteCounter

    private typealias FrameChannel = NIOAsyncChannel<WebSocketFrame, WebSocketFrame>

    private static let maximumFrameSize = 256 << 20

    /// Receives the results of a subscription until the task is canceled.
    /// - Throws: ``UnexpectedAnswer`` if the server refuses the connection or the subscription, or ends it.
    func run(
        _ payload: JSONValue, _ receive: (_ result: JSONValue, _ time: ContinuousClock.Instant) throws -> Void
    ) async throws {
        try await open().executeThenClose { inbound, outbound in
            func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer) async throws {
                try await outbound.write(WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data))
            }
            func send(_ message: JSONValue) async throws {
                try await send(.text, ByteBuffer(string: message.compactText))
            }
            try await send(["type": "connection_init"])
            // The server sends each message in one frame.
            for try await frame in inbound {
                let time = ContinuousClock.now
                switch frame.opcode {
                case .text:
                    let message = try JSONValue(parsing: frame.data.readableBytesView)
                    switch message["type"] {
                    case "connection_ack": try await send(["id": "1", "type": "subscribe", "payload": payload])
                    case "next": try receive(try message.member("payload"), time)
                    case "ping": try await send(["type": "pong"])
                    default: throw UnexpectedAnswer("the WebSocket message is \(message.compactText)")
                    }
                case .ping: try await send(.pong, frame.data)
                case .connectionClose:
                    var data = frame.data
                    let code = data.readInteger(as: UInt16.self).map { " with the code \($0)" } ?? ""
                    throw UnexpectedAnswer("the server closes the connection\(code): \(String(buffer: data))")
                default: break
                }
            }
            try Task.checkCancellation()
            throw UnexpectedAnswer("the server has closed the connection")
        }
    }

    private func open() async throws -> FrameChannel {
        guard let url = URL(string: base), let host = url.host, let port = url.port else {
            throw UnexpectedAnswer("\(base) is no address with a port")
        }
        let head = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: "/graphql",
            headers: ["Host": "\(host):\(port)", "Sec-WebSocket-Protocol": "graphql-transport-ws"])
        let opening = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connect(host: host, port: port) { [counter] channel in
                counter.attach(to: channel).flatMapThrowing {
                    try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(
                        configuration: Self.pipeline(head))
                }
            }
        return try await opening.get()
    }

    private static func pipeline(_ head: HTTPRequestHead) -> NIOUpgradableHTTPClientPipelineConfiguration<FrameChannel>
    {
        let upgrader = NIOTypedWebSocketClientUpgrader<FrameChannel>(maxFrameSize: maximumFrameSize) { channel, _ in
            channel.eventLoop.makeCompletedFuture { try FrameChannel(wrappingChannelSynchronously: channel) }
        }
        let upgrade = NIOTypedHTTPClientUpgradeConfiguration<FrameChannel>(
            upgradeRequestHead: head, upgraders: [upgrader]
        ) { channel in
            channel.eventLoop.makeFailedFuture(UnexpectedAnswer("the server refuses the WebSocket connection"))
        }
        var configuration = NIOUpgradableHTTPClientPipelineConfiguration(upgradeConfiguration: upgrade)
        // The server can send frames together with its response.
        configuration.leftOverBytesStrategy = .forwardBytes
        return configuration
    }
}
