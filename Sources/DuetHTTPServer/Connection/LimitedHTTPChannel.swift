package import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOSSL

/// The implementation of HTTP/1 and HTTP/2 for a server. It enforces ``RequestLimits`` on each connection.
///
///     let channel = LimitedHTTPChannel(limits: limits, problemResponse: problemResponse, respond: respond)
///     let listener = ConnectionListener(
///         addresses, channel: channel, isEncrypted: false, maximumConnections: 1_000, group: group, logger: logger)
///
/// The pipeline of HTTP/1 from the socket to the application consists of NIO's decoder in a ``RequestDecoder``, the
/// ``RequestLimitsHandler``, and the ``ResponderHandler``. A response of ``WebSocketHandshake`` replaces them by a
/// ``WebSocketHandler``. The pipeline of HTTP/2 consists of a ``WriteCollector``, a ``FrameTracker``, NIO's
/// `NIOHTTP2Handler`, and an ``HTTP2ConnectionHandler``. An encrypted connection of HTTP/1 has a ``WriteCollector``,
/// too. If a client can choose the version, a ``ProtocolSelector`` comes first.
package struct LimitedHTTPChannel: Sendable {
    private let services: ConnectionServices
    private let identity: TLSIdentity?
    private let acceptsPlainHTTP2: Bool
    private let handshakes: PerEventLoop<HandshakeQueue>

    /// Creates a channel.
    /// - Parameters:
    ///   - limits: The limits of each connection.
    ///   - identity: The identity of the server on encrypted connections; nil for connections without encryption.
    ///   - acceptsPlainHTTP2: True if clients of connections without encryption may speak HTTP/2 (RFC 9113, section
    ///     3.3). On encrypted connections, they always may.
    ///   - problemResponse: Creates the response to a request that the connection rejects.
    ///   - observe: Receives each ``ConnectionObservation``, on the connection's event loop.
    ///   - answering: Runs the closure that responds to all requests that an event loop received in one turn; see
    ///     ``EventLoopTurn`` and ``TurnWork``.
    ///   - respond: Answers requests. The closure usually runs on the connection's event loop and must not block the
    ///     event loop. Before a long operation, it must call ``leaveEventLoop()``. The task that runs the closure is
    ///     canceled when the client disconnects. If the closure throws, the connection, or the stream of HTTP/2, ends
    ///     without a response.
    package init(
        limits: RequestLimits,
        identity: TLSIdentity? = nil,
        acceptsPlainHTTP2: Bool = false,
        problemResponse: @escaping @Sendable (ConnectionProblem) -> ProblemResponse,
        observe: @escaping @Sendable (ConnectionObservation) -> Void = { _ in },
        answering: @escaping TurnWork = { $0() },
        respond: @escaping ConnectionResponder
    ) {
        self.services = ConnectionServices(
            limits: limits, problemResponse: problemResponse, observe: observe, respond: respond,
            turns: PerEventLoop { EventLoopTurn(eventLoop: $0, answering: answering) })
        self.identity = identity
        self.acceptsPlainHTTP2 = acceptsPlainHTTP2
        self.handshakes = PerEventLoop { _ in HandshakeQueue(maximumCount: limits.maximumHandshakes) }
    }

    /// Adds the handlers to the pipeline of a new connection. The caller must run on the event loop of the connection.
    /// - Returns: The future that succeeds after the connection is closed and its work has ended.
    /// - Throws: An error of the pipeline.
    package func setup(channel: any Channel) throws -> EventLoopFuture<Void> {
        let ended = channel.eventLoop.makePromise(of: Void.self)
        do {
            if let identity {
                try channel.pipeline.syncOperations.addHandler(HandshakeDetector(identity))
                try self.addSelector(channel, handshakes: self.handshakes[channel.eventLoop], ended)
            } else if self.acceptsPlainHTTP2 {
                try self.addSelector(channel, handshakes: nil, ended)
            } else {
                try self.addHTTP1(channel, ended)
            }
        } catch {
            ended.fail(error)
            throw error
        }
        return ended.futureResult
    }

    private func addSelector(
        _ channel: any Channel, handshakes: HandshakeQueue?, _ ended: EventLoopPromise<Void>
    ) throws {
        let selector = ProtocolSelector(self.services, handshakes: handshakes) { version in
            switch version {
            case .http1: try self.addHTTP1(channel, ended)
            case .http2: try self.addHTTP2(channel, ended)
            case nil: ended.succeed()
            }
        }
        try channel.pipeline.syncOperations.addHandler(selector)
    }

    private func addHTTP1(_ channel: any Channel, _ ended: EventLoopPromise<Void>) throws {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandlers(self.handlers())
        try pipeline.addHandler(
            ResponderHandler(
                channel: channel, respond: self.services.respond, peer: try self.peer(of: channel, .http1),
                turn: self.services.turns[channel.eventLoop], ended: ended))
    }

    /// Returns the client of a connection, after its handshake.
    /// - Throws: An error if the client has a certificate that cannot be read or has expired.
    private func peer(of channel: any Channel, _ version: HTTPVersion) throws -> ConnectionPeer {
        // A connection without a handler of TLS has no certificate.
        let handler = self.identity.flatMap { _ in
            try? channel.pipeline.syncOperations.handler(type: NIOSSLServerHandler.self)
        }
        let certificate = try handler?.peerCertificate.map {
            try ClientCertificate(der: $0.toDERBytes(), expiresAt: Int64($0.notValidAfter))
        }
        // A client that continues an earlier session has not sent its certificate again (RFC 8446, section 2.2), so it
        // was not verified again.
        guard certificate?.hasExpired != true else { throw ClientCertificate.Expired() }
        return ConnectionPeer(address: channel.remoteAddress, certificate: certificate, version: version)
    }

    /// Returns the handlers of a connection of HTTP/1 that precede its ``ResponderHandler``, in order from the socket.
    package func handlers() -> [any ChannelHandler] {
        let overhead = ChunkOverhead()
        return (self.identity == nil ? [] : [WriteCollector()]) + [
            ByteToMessageHandler(RequestDecoder(limits: self.services.limits, overhead: overhead)),
            RequestLimitsHandler(self.services, isEncrypted: self.identity != nil, overhead: overhead),
        ]
    }

    private func addHTTP2(_ channel: any Channel, _ ended: EventLoopPromise<Void>) throws {
        let frames = FrameTracker()
        let connection = HTTP2ConnectionHandler(
            channel: channel, services: self.services, peer: try self.peer(of: channel, .http2),
            isEncrypted: self.identity != nil, frames: frames, ended: ended)
        try channel.pipeline.syncOperations.addHandlers([
            WriteCollector(),
            frames,
            NIOHTTP2Handler(
                mode: .server, frameDelegate: connection,
                connectionConfiguration: .init(self.services.limits),
                streamConfiguration: .init()),
            connection,
        ])
    }
}
