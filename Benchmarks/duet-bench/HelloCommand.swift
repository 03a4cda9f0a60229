import ArgumentParser
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix

/// `duet-bench hello`: a server that returns the same short response to every request. It uses only SwiftNIO, or
/// Hummingbird. Any other server that uses the library cannot be faster, so the rates of Duet for small requests are
/// compared with the rates of this server.
struct HelloCommand: AsyncParsableCommand {
    enum Library: String, CaseIterable, ExpressibleByArgument {
        case nio, hummingbird
    }

    static let configuration = CommandConfiguration(
        commandName: "hello", abstract: "Serve a short response, to measure a floor.", shouldDisplay: false)

    @Option(help: "The library that the server is built on.")
    var library: Library
    @Option(help: "The port on 127.0.0.1.")
    var port: Int

    private static let body = #"{"status":"live"}"#

    func run() async throws {
        switch library {
        case .hummingbird: try await runHummingbird()
        case .nio: try await runNIO()
        }
    }

    private func runHummingbird() async throws {
        let router = Router()
        router.get("/health/live") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: .init(byteBuffer: ByteBuffer(string: Self.body)))
        }
        var application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)))
        application.logger.logLevel = .warning
        try await application.run()
    }

    private func runNIO() async throws {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 1024)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: false)
                    try channel.pipeline.syncOperations.addHandler(Handler())
                }
            }
            .bind(host: "127.0.0.1", port: port).get()
        try await channel.closeFuture.get()
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .end = unwrapInboundIn(data) else { return }
            let body = ByteBuffer(string: HelloCommand.body)
            let headers: HTTPHeaders = [
                "Content-Type": "application/json", "Content-Length": "\(body.readableBytes)",
            ]
            context.write(
                wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .ok, headers: headers))), promise: nil
            )
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}
