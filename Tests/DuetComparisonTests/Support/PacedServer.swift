import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A server with one thread. It responds to each request with `{}`, at the time that the ``Pace`` of the request sets.
final class PacedServer: Sendable {
    /// The time at which the server responds to a request.
    enum Pace: Sendable {
        /// Immediately, after it has called a closure.
        case atOnce(@Sendable () -> Void)
        case after(TimeAmount)
        /// After a delay. The delay starts when the given number of requests with this pace is waiting.
        case together(Int, then: TimeAmount)

        static let atOnce = Pace.atOnce {}
    }

    /// Returns the pace of a request by its number, from 1.
    typealias Pacing = @Sendable (_ number: Int) -> Pace

    /// Returns a pacing with the same delay for each request.
    static func delaying(_ time: TimeAmount) -> Pacing { { _ in .after(time) } }

    private struct State {
        var requests = 0
        var inFlight = 0
        var greatest = 0
        var waiting: [any Channel] = []
    }

    private let pace: Pacing
    private let state = Mutex(State())

    private init(pace: @escaping Pacing) {
        self.pace = pace
    }

    /// The greatest number of concurrent requests so far.
    var greatestInFlight: Int { state.withLock(\.greatest) }

    /// Starts a server, calls a closure, and stops the server.
    /// - Parameter body: Receives `http://127.0.0.1:PORT` and the server.
    static func with(
        pace: @escaping Pacing,
        _ body: (_ base: String, _ server: PacedServer) async throws -> Void
    ) async throws {
        let server = PacedServer(pace: pace)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let channel = try await ServerBootstrap(group: group)
            .childChannelInitializer { channel in
                channel.pipeline.configureHTTPServerPipeline().flatMap {
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Handler(server: server))
                    }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let result: Result<Void, any Error>
        do {
            result = .success(try await body("http://127.0.0.1:\(channel.localAddress?.port ?? 0)", server))
        } catch {
            result = .failure(error)
        }
        try await channel.close()
        try await group.shutdownGracefully()
        try result.get()
    }

    private func begin() -> Pace {
        pace(
            state.withLock { state in
                state.requests += 1
                state.inFlight += 1
                state.greatest = max(state.greatest, state.inFlight)
                return state.requests
            })
    }

    /// - Returns: The channels on which the server sends a response now. Empty until enough channels are waiting.
    private func gather(_ channel: any Channel, _ count: Int) -> [any Channel] {
        state.withLock { state in
            state.waiting.append(channel)
            guard state.waiting.count >= count else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    private func end() { state.withLock { $0.inFlight -= 1 } }

    private final class Handler: ChannelInboundHandler, Sendable {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let server: PacedServer

        init(server: PacedServer) {
            self.server = server
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .end = unwrapInboundIn(data) else { return }
            let channel = context.channel
            switch server.begin() {
            case .atOnce(let body):
                body()
                answer(channel)
            case .after(let time): context.eventLoop.scheduleTask(in: time) { self.answer(channel) }
            case .together(let count, let time):
                for one in server.gather(channel, count) {
                    context.eventLoop.scheduleTask(in: time) { self.answer(one) }
                }
            }
        }

        private func answer(_ channel: any Channel) {
            server.end()
            let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Length": "2"])
            channel.write(HTTPServerResponsePart.head(head), promise: nil)
            channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: "{}"))), promise: nil)
            channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
        }
    }
}
