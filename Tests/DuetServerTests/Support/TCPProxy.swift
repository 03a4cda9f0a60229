import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// A proxy between a database client and the database server. The proxy has the same port for its whole lifetime, and
/// can be disconnected and restored.
final class TCPProxy: Sendable {
    let port: Int
    private let target: Int
    private let state: Mutex<State>
    /// The ports that other proxies have used. A disconnected proxy must find its own port free when it is restored.
    private static let taken = Mutex<Set<Int>>([])

    private struct State {
        var listener: (any Channel)?
        var connections: [ObjectIdentifier: any Channel] = [:]
        var isFrozen = false
        /// The bytes from a client after which its connection receives no further responses.
        var withheld: [UInt8]?
    }

    private init(port: Int, target: Int) {
        self.port = port
        self.target = target
        state = Mutex(State())
    }

    /// Listens on a free port while the closure runs.
    /// - Parameter target: The port of the server on 127.0.0.1.
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

    /// Listens on a port below the ephemeral range, so that no other connection takes the port before the proxy is
    /// restored.
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

    /// Refuses connections, and closes the existing ones.
    func cut() async throws {
        let (listener, connections) = state.withLock { state in
            defer { state = State() }
            return (state.listener, state.connections.values)
        }
        try await listener?.close().get()
        for connection in connections { try? await connection.close().get() }
    }

    /// Stops forwarding bytes, like a server that does not respond. The system still accepts connections and bytes.
    func freeze() {
        let connections = state.withLock { state in
            state.isFrozen = true
            return state.connections.values
        }
        for connection in connections { connection.setOption(.autoRead, value: false).whenFailure { _ in } }
    }

    /// Forwards the bytes of clients, but no response on a connection whose client has sent the given text.
    func withholdAnswers(to text: String) {
        state.withLock { $0.withheld = Array(text.utf8) }
    }

    fileprivate func mustWithholdAnswers(to bytes: ByteBuffer) -> Bool {
        guard let text = state.withLock(\.withheld) else { return false }
        return bytes.readableBytesView.firstRange(of: text) != nil
    }

    /// Accepts connections again.
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

/// Forwards bytes to the other side of the proxy. If one side closes, the other side also closes.
private final class Relay: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let partner: any Channel
    private let begins: Bool
    private let proxy: TCPProxy?
    /// True if the relay discards the bytes that it reads.
    private var isMuted = false

    /// - Parameters:
    ///   - begins: True if both sides start to read when this side is active.
    ///   - proxy: Decides whether responses to the bytes that this side reads are withheld. Set only on the side of the
    ///     client.
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
            // Both sides are on one event loop. The relay of the other side exists as long as this relay.
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
