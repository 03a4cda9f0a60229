import NIOCore

/// The first handler of a connection that must be encrypted. The first byte of a connection decides: if a TLS handshake
/// begins, the handler adds TLS to the connection. Otherwise the client has sent a request without encryption, and
/// receives a response that says so.
final class HandshakeDetector: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    /// An error: a connection that must be encrypted is not.
    struct NotEncrypted: Error {}

    /// The type of a record with a handshake (RFC 8446, section 5.1).
    private static let handshake: UInt8 = 22

    private let identity: TLSIdentity

    init(_ identity: TLSIdentity) { self.identity = identity }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = self.unwrapInboundIn(data)
        let pipeline = context.pipeline.syncOperations
        do {
            guard bytes.getInteger(at: bytes.readerIndex, as: UInt8.self) == Self.handshake else {
                throw NotEncrypted()
            }
            try pipeline.addHandler(self.identity.handler(), position: .after(self))
            context.fireChannelRead(data)
        } catch {
            context.fireErrorCaught(error)
        }
        pipeline.removeHandler(context: context, promise: nil)
    }
}
