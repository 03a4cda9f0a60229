import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// Stands between a database's client and its server, on one port all its life, and can be cut and mended.
final class TCPProxy: Sendable {
    let port: Int
    private let target: Int
    private let state: Mutex<State>
    /// Ports that other proxies have, or had: one that is cut must find its own free when it is mended.
    private static let taken = Mutex<Set<Int>>([])

    private struct State {
        var listener: (any Channel)?
        var connections: [ObjectIdentifier: any Channel] = [:]
        var isFrozen = false
        /// Bytes of clients after which their connections get no further answer.
        var withheld: [UInt8]?
    }

    private init(port: Int, target: Int) {
        self.port = port
        self.target = target
        state = Mutex(State())
    }

    /// Listens on a free port for the closure's time.
    /// - Parameter target: the port of the server, on 127.0.0.1.
    static func with(_ target: Int, _ body: (TCPProxy) async throws -> Void) async throws {
        let proxy = try await listening(target)
        do {
            try await body(proxy)
        } catch {
            try await proxy.cut()
            throw error
        }
        try await proxy.cut()
    }

    /// On a port below the range from which connections take theirs: a connection of somebody else must not have it
    /// when the proxy is mended.
    private static func listening(_ target: Int) async throws -> TCPProxy {
        var attempts = 0
        while true {
            let port = Int.random(in: 12_000..<20_000)
            guard taken.withLock({ $0.insert(port).inserted }) else { continue }
            let proxy = TCPProxy(port: port, target: target)
            do {
                try await proxy.mend()
                return proxy
            } catch let error as IOError where error.errnoCode == EADDRINUSE && attempts < 10 {
                attempts += 1
            }
        }
    }

    /// Refuses connections, and ends those there are.
    func cut() async throws {
        let (listener, connections) = state.withLock { state in
            defer { state = State() }
            return (state.listener, state.connections.values)
        }
        try await listener?.close().get()
        for connection in connections { try? await connection.close().get() }
    }

    /// Takes what clients send and passes nothing on, without a word: as a server does that hangs.
    func freeze() {
        let connections = state.withLock { state in
            state.isFrozen = true
            return state.connections.values
        }
        for connection in connections { connection.setOption(.autoRead, value: false).whenFailure { _ in } }
    }

    /// From now on, passes on what clients send, but no answer on a connection whose client has sent that text.
    func withholdAnswers(to text: String) {
        state.withLock { $0.withheld = Array(text.utf8) }
    }

    fileprivate func mustWithholdAnswers(to bytes: ByteBuffer) -> Bool {
        guard let text = state.withLock(\.withheld) else { return false }
        return bytes.readableBytesView.firstRange(of: text) != nil
    }

    /// Takes connections again.
    func mend() async throws {
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { [self] inbound in
                note(inbound)
                if state.withLock({ $0.isFrozen }) { return inbound.eventLoop.makeSucceededVoidFuture() }
                return ClientBootstrap(group: inbound.eventLoop)
                    .channelOption(.autoRead, value: false)
                    .channelInitializer { outbound in
                        outbound.eventLoop.makeCompletedFuture {
                            try outbound.pipeline.syncOperations.addHandler(Relay(to: inbound))
                        }
                    }
                    .connect(host: "127.0.0.1", port: target)
                    .flatMapThrowing { outbound in
                        try inbound.pipeline.syncOperations.addHandler(Relay(to: outbound, begins: true, proxy: self))
                    }
            }
            .bind(host: "127.0.0.1", port: port).get()
        state.withLock { $0.listener = listener }
    }

    private func note(_ channel: any Channel) {
        state.withLock { $0.connections[ObjectIdentifier(channel)] = channel }
        channel.closeFuture.whenComplete { [self] _ in
            state.withLock { _ = $0.connections.removeValue(forKey: ObjectIdentifier(channel)) }
        }
    }
}

/// Passes what it reads on to the other side, and ends with it.
private final class Relay: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let partner: any Channel
    private let begins: Bool
    private let proxy: TCPProxy?
    /// True if the relay discards the bytes that it reads.
    private var isMuted = false

    /// - Parameters:
    ///   - begins: whether both sides start to read when this one is active.
    ///   - proxy: decides about answers to what this side reads; given on the clients' side.
    init(to partner: any Channel, begins: Bool = false, proxy: TCPProxy? = nil) {
        self.partner = partner
        self.begins = begins
        self.proxy = proxy
    }

    func channelActive(context: ChannelHandlerContext) {
        if begins {
            context.channel.setOption(.autoRead, value: true).whenFailure { _ in }
            partner.setOption(.autoRead, value: true).whenFailure { _ in }
        }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        if proxy?.mustWithholdAnswers(to: bytes) == true {
            // Both sides are on one event loop, and the other side's relay is there as long as this one.
            if let answers = try? partner.pipeline.syncOperations.handler(type: Relay.self) { answers.isMuted = true }
        }
        guard !isMuted else { return }
        partner.writeAndFlush(bytes, promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        partner.close(promise: nil)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
