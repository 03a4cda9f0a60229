import NIOCore
import NIOPosix
import ProcessTesting
import SeededTesting
import Synchronization

/// A proxy between clients and a server that cuts connections at random places.
final class CuttingProxy: HTTPEndpoint {
    /// The place where a connection is cut.
    enum Cut: CaseIterable {
        case beforeRequest, inRequest, afterRequest, beforeAnswer, inAnswer
    }

    private struct State {
        var random: SplitMix64
        var cuts: [Cut: Int] = [:]
        var connections: [ObjectIdentifier: any Channel] = [:]
    }

    let base: String
    private let listener: any Channel
    private let state: Mutex<State>

    private init(_ listener: any Channel, seed: UInt64) {
        self.listener = listener
        state = Mutex(State(random: SplitMix64(seed: seed)))
        base = "http://127.0.0.1:\(listener.localAddress?.port ?? 0)"
    }

    /// The number of cuts at each place.
    var cuts: [Cut: Int] { state.withLock(\.cuts) }

    /// Listens on a free port while the closure runs.
    /// - Parameter target: The port of the server on 127.0.0.1.
    static func with(_ target: Int, seed: UInt64, _ body: (CuttingProxy) async throws -> Void) async throws {
        let accepting = Box()
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { inbound in
                guard let proxy = accepting.proxy.withLock(\.self) else { return inbound.close() }
                proxy.note(inbound)
                return ClientBootstrap(group: inbound.eventLoop)
                    .channelInitializer { outbound in
                        outbound.eventLoop.makeCompletedFuture {
                            try outbound.pipeline.syncOperations.addHandler(Answers(to: inbound))
                        }
                    }
                    .connect(host: "127.0.0.1", port: target)
                    .flatMapThrowing { outbound in
                        try inbound.pipeline.syncOperations.addHandler(Requests(to: outbound, proxy))
                    }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let proxy = CuttingProxy(listener, seed: seed)
        accepting.proxy.withLock { $0 = proxy }
        do {
            try await body(proxy)
        } catch {
            try await proxy.close()
            throw error
        }
        try await proxy.close()
    }

    /// The proxy, which exists only when the listener has a port.
    private final class Box: Sendable {
        let proxy = Mutex<CuttingProxy?>(nil)
    }

    private func close() async throws {
        try await listener.close().get()
        for connection in state.withLock({ Array($0.connections.values) }) { try? await connection.close().get() }
    }

    private func note(_ channel: any Channel) {
        state.withLock { $0.connections[ObjectIdentifier(channel)] = channel }
        channel.closeFuture.whenComplete { [self] _ in
            state.withLock { _ = $0.connections.removeValue(forKey: ObjectIdentifier(channel)) }
        }
    }

    /// Returns where the connection of the next request is cut, and the length of the part that is forwarded.
    fileprivate func next(_ length: Int) -> (cut: Cut?, length: Int) {
        state.withLock { state in
            guard state.random.chance(perThousand: 500) else { return (nil, length) }
            let cut = Cut.allCases[state.random.below(Cut.allCases.count)]
            state.cuts[cut, default: 0] += 1
            return (cut, state.random.below(max(length, 1)))
        }
    }
}

/// Forwards the bytes of a client.
private final class Requests: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let server: any Channel
    private let proxy: CuttingProxy

    init(to server: any Channel, _ proxy: CuttingProxy) {
        self.server = server
        self.proxy = proxy
    }

    func channelActive(context: ChannelHandlerContext) {
        context.channel.setOption(.autoRead, value: true).whenFailure { _ in }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        let (cut, length) = proxy.next(bytes.readableBytes)
        switch cut {
        case .beforeRequest: context.close(promise: nil)
        case .inRequest, .afterRequest:
            if cut == .inRequest, let part = bytes.readSlice(length: length) { bytes = part }
            let channel = context.channel
            server.writeAndFlush(bytes).whenComplete { _ in channel.close(promise: nil) }
        case .beforeAnswer, .inAnswer:
            // Both sides are on one event loop.
            let answers = try? server.pipeline.syncOperations.handler(type: Answers.self)
            answers?.cut = cut
            server.writeAndFlush(bytes, promise: nil)
        case nil: server.writeAndFlush(bytes, promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        server.close(promise: nil)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// Forwards the bytes of the server.
private final class Answers: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let client: any Channel
    /// The place where the next answer is cut.
    var cut: CuttingProxy.Cut?

    init(to client: any Channel) { self.client = client }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        switch cut {
        case .beforeAnswer: context.close(promise: nil)
        case .inAnswer:
            let channel = context.channel
            let part = bytes.readSlice(length: bytes.readableBytes / 2) ?? bytes
            client.writeAndFlush(part).whenComplete { _ in channel.close(promise: nil) }
        default: client.writeAndFlush(bytes, promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        client.close(promise: nil)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
