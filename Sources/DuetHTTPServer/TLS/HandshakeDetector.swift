import NIOCore

/// The first handler of a connection that must be encrypted. The first byte of a connection decides: if a TLS handshake
/// begins, the handler adds TLS to the connection. Otherwise the client has sent a request without encryption, and
/// receives a response that says so. Afterwards, the handler only closes the connection without the help of TLS; see
/// ``ConnectionReset``.
final class HandshakeDetector: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = IOData

    /// An error: a connection that must be encrypted is not.
    struct NotEncrypted: Error {}

    /// The type of a record with a handshake (RFC 8446, section 5.1).
    private static let handshake: UInt8 = 22

    /// The identity of the server; nil after the first byte.
    private var identity: TLSIdentity?

    init(_ identity: TLSIdentity) { self.identity = identity }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let identity = self.identity.take() else { return context.fireChannelRead(data) }
        let bytes = self.unwrapInboundIn(data)
        do {
            guard bytes.getInteger(at: bytes.readerIndex, as: UInt8.self) == Self.handshake else {
                throw NotEncrypted()
            }
            try context.pipeline.syncOperations.addHandler(identity.handler(), position: .after(self))
            context.fireChannelRead(data)
        } catch {
            context.fireErrorCaught(error)
        }
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        // The close does not pass TLS, which would first tell the client that the output is complete.
        if event is ConnectionReset { context.close(promise: nil) }
        context.triggerUserOutboundEvent(event, promise: promise)
    }
}

/// An outbound event: the connection is closed at once, without an end of the encrypted output.
struct ConnectionReset {}
