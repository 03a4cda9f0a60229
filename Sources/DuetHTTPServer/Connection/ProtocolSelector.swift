import NIOCore
import NIOSSL
import NIOTLS

/// The version of HTTP that a connection speaks.
package enum HTTPVersion: Sendable {
    case http1, http2

    /// The names of the versions in TLS (RFC 7301).
    static let http1Name = "http/1.1", http2Name = "h2"
}

/// A handler at the beginning of a connection. It waits until the version of HTTP is known, and is then replaced by the
/// handlers of this version. On an encrypted connection, the client and the server agree on it during the handshake. On
/// a connection without encryption, a client of HTTP/2 begins with a text (RFC 9113, section 3.4).
///
/// The client has limited time for its part.
final class ProtocolSelector: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    private let services: ConnectionServices
    private let handshakes: HandshakeQueue?
    /// Adds the handlers of the version to the pipeline, or closes the connection if the version is nil.
    private let select: (HTTPVersion?) throws -> Void
    private var timer: Scheduled<Void>?
    private var entry: HandshakeQueue.Entry?
    private var received: ByteBuffer?
    /// True if the handlers of a version have been added, or never will be.
    private var hasSelected = false
    private var isDone = false

    /// Creates a handler.
    /// - Parameters:
    ///   - handshakes: The queue of unfinished handshakes; nil for a connection without encryption.
    ///   - select: Adds the handlers of the version to the pipeline. The version is nil if the connection has ended.
    init(
        _ services: ConnectionServices, handshakes: HandshakeQueue?, select: @escaping (HTTPVersion?) throws -> Void
    ) {
        self.services = services
        self.handshakes = handshakes
        self.select = select
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let timeout = self.services.limits.headTimeout
        self.timer = context.eventLoop.assumeIsolated().scheduleTask(in: timeout) {
            self.end(self.handshakes == nil ? .idle : .handshakeFailed(.timeout), context: context)
        }
        self.entry = self.handshakes?.begin { self.end(.handshakeFailed(.tooMany), context: context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        // A connection that ends before it is active does not become inactive, but its handlers are removed.
        if !self.hasSelected { try? self.select(nil) }
        self.hasSelected = true
        self.end()
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.end()
        context.fireChannelInactive()
    }

    /// Closes the connection before the version is known.
    private func end(_ observation: ConnectionObservation?, context: ChannelHandlerContext) {
        guard !self.isDone else { return }
        self.end()
        if let observation { self.services.observe(observation) }
        context.close(promise: nil)
    }

    private func end() {
        self.isDone = true
        self.timer?.cancel()
        self.timer = nil
        if let entry { self.handshakes?.end(entry) }
        self.entry = nil
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case TLSUserEvent.handshakeCompleted(let name):
            self.select(name == HTTPVersion.http2Name ? .http2 : .http1, context: context)
        case is ChannelShouldQuiesceEvent:
            self.end(nil, context: context)
        default:
            context.fireUserInboundEventTriggered(event)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = self.unwrapInboundIn(data)
        if var received = self.received.take() {
            received.writeBuffer(&bytes)
            bytes = received
        }
        let isPreface = bytes.readableBytesView.starts(with: Self.preface)
        self.received = bytes
        if isPreface || !Self.preface.starts(with: bytes.readableBytesView) {
            self.select(isPreface ? .http2 : .http1, context: context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is HandshakeDetector.NotEncrypted {
            // A client that sends a request without encryption receives the response in the same way.
            self.select(.http1, context: context, error: error)
        } else {
            self.end(self.handshakes == nil ? nil : .handshakeFailed(.error), context: context)
        }
    }

    private func select(_ version: HTTPVersion, context: ChannelHandlerContext, error: (any Error)? = nil) {
        guard !self.isDone else { return }
        self.end()
        do {
            try self.select(version)
            self.hasSelected = true
        } catch {
            self.services.observe(.handshakeFailed(.error))
            return context.close(promise: nil)
        }
        if let error { context.fireErrorCaught(error) }
        if let received = self.received.take() {
            context.fireChannelRead(self.wrapInboundOut(received))
            context.fireChannelReadComplete()
        }
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }
}

@available(*, unavailable)
extension ProtocolSelector: Sendable {}
