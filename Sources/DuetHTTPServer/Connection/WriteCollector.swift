import NIOCore

/// A handler that follows the socket, or TLS, and collects written bytes until they are flushed.
///
/// TLS encrypts each write as a record of its own, and NIO writes the header and the content of each frame of HTTP/2
/// separately. TLS also keeps all writes until they are flushed, without reporting that the connection is no longer
/// writable, so this handler flushes large writes itself.
final class WriteCollector: ChannelOutboundHandler {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private var collected = ByteBuffer()

    /// The maximum size in bytes of a write that is copied to the preceding ones.
    private static let maximumCopiedSize = 16 << 10
    /// The size in bytes at which the collected writes are flushed.
    private static let maximumSize = 64 << 10

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .byteBuffer(var bytes) = self.unwrapOutboundIn(data), promise == nil,
            bytes.readableBytes <= Self.maximumCopiedSize
        else {
            self.writeCollected(context: context)
            context.write(data, promise: promise)
            if promise == nil { context.flush() }
            return
        }
        if self.collected.readableBytes == 0 {
            self.collected = context.channel.allocator.buffer(capacity: max(bytes.readableBytes, 1_024))
        }
        self.collected.writeBuffer(&bytes)
        if self.collected.readableBytes >= Self.maximumSize { self.flush(context: context) }
    }

    private func writeCollected(context: ChannelHandlerContext) {
        guard self.collected.readableBytes > 0 else { return }
        let bytes = self.collected
        self.collected = ByteBuffer()
        context.write(self.wrapOutboundOut(.byteBuffer(bytes)), promise: nil)
    }

    func flush(context: ChannelHandlerContext) {
        self.writeCollected(context: context)
        context.flush()
    }
}

@available(*, unavailable)
extension WriteCollector: Sendable {}
