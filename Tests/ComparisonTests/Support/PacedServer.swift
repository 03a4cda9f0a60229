import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A server of one thread that answers every request with `{}`, as slowly as it is told.
final class PacedServer: Sendable {
    /// What it does with a request before it answers.
    enum Pace: Sendable {
        case atOnce
        case after(TimeAmount)
        /// It does nothing at all for so many seconds, for nobody.
        case stalling(Double)
    }

    /// What it does with the first request, 1, and those that follow.
    typealias Pacing = @Sendable (_ number: Int) -> Pace

    /// The same for each request.
    static func delaying(_ time: TimeAmount) -> Pacing { { _ in .after(time) } }

    private struct Counts {
        var requests = 0
        var inFlight = 0
        var greatest = 0
    }

    private let pace: Pacing
    private let counts = Mutex(Counts())

    private init(pace: @escaping Pacing) {
        self.pace = pace
    }

    /// How many requests it had at most at once.
    var greatestInFlight: Int { counts.withLock(\.greatest) }

    /// - Parameter body: is given `http://127.0.0.1:PORT`, too.
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
            counts.withLock { counts in
                counts.requests += 1
                counts.inFlight += 1
                counts.greatest = max(counts.greatest, counts.inFlight)
                return counts.requests
            })
    }

    private func end() { counts.withLock { $0.inFlight -= 1 } }

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
            case .atOnce: answer(channel)
            case .after(let time): context.eventLoop.scheduleTask(in: time) { self.answer(channel) }
            case .stalling(let seconds):
                Thread.sleep(forTimeInterval: seconds)
                answer(channel)
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
