import NIOCore
import NIOPosix
import Synchronization

/// A local HTTP server that answers each request with the bytes of a script, for responses that Duet does not send.
struct KeyServer: Sendable {
    /// The response to a request for a path.
    enum Response: Sendable {
        /// The bytes of a response. The connection is then closed.
        case bytes(String)
        /// The bytes of an incomplete response. The connection stays open.
        case incomplete(String)

        /// A complete response.
        static func response(_ status: String = "200 OK", _ fields: [String] = [], _ body: String = "") -> Response {
            let lines = (fields + ["Content-Length: \(body.utf8.count)", "Connection: close"]).map { "\($0)\r\n" }
            return .bytes("HTTP/1.1 \(status)\r\n\(lines.joined())\r\n\(body)")
        }
    }

    let base: String
    private let count: Counter

    /// The number of requests.
    var requests: Int { count.value.withLock { $0 } }
    /// The head of the last request.
    var lastRequest: String { count.lastRequest.withLock { $0 } }

    private final class Counter: Sendable {
        let value = Mutex(0)
        let lastRequest = Mutex("")
    }

    /// Runs the server while a closure runs.
    static func with(
        _ script: @escaping @Sendable (_ path: String) -> Response, _ body: (KeyServer) async throws -> Void
    ) async throws {
        let count = Counter()
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        Answerer { path, request in
                            count.value.withLock { $0 += 1 }
                            count.lastRequest.withLock { $0 = request }
                            return script(path)
                        })
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let server = KeyServer(base: "http://127.0.0.1:\(listener.localAddress?.port ?? 0)", count: count)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(server))
        } catch {
            result = .failure(error)
        }
        try await listener.close().get()
        try result.get()
    }

    private final class Answerer: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let script: @Sendable (_ path: String, _ request: String) -> Response
        private var received = ""

        init(_ script: @escaping @Sendable (_ path: String, _ request: String) -> Response) { self.script = script }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            received += String(buffer: unwrapInboundIn(data))
            guard received.contains("\r\n\r\n") else { return }
            let path = received.split(separator: " ").dropFirst().first.map(String.init) ?? ""
            let request = received
            received = ""
            switch script(path, request) {
            case .bytes(let text):
                let channel = context.channel
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text))).whenComplete { _ in
                    channel.close(promise: nil)
                }
            case .incomplete(let text):
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
