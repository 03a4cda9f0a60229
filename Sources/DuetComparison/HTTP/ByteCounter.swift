import NIOCore
import Synchronization

/// Counts the bytes that the connections of a client send and receive.
final class ByteCounter: Sendable {
    private let sentBytes = Atomic(0)
    private let receivedBytes = Atomic(0)

    var sent: Int { sentBytes.load(ordering: .relaxed) }
    var received: Int { receivedBytes.load(ordering: .relaxed) }

    /// Starts counting the bytes of a channel. The handler that counts is the first handler of the channel's pipeline.
    func attach(to channel: any Channel) -> EventLoopFuture<Void> {
        channel.pipeline.addHandler(Handler(counter: self), position: .first)
    }

    private final class Handler: ChannelDuplexHandler, Sendable {
        typealias InboundIn = ByteBuffer
        typealias OutboundIn = IOData

        private let counter: ByteCounter

        init(counter: ByteCounter) {
            self.counter = counter
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            counter.receivedBytes.add(unwrapInboundIn(data).readableBytes, ordering: .relaxed)
            context.fireChannelRead(data)
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            counter.sentBytes.add(unwrapOutboundIn(data).readableBytes, ordering: .relaxed)
            context.write(data, promise: promise)
        }
    }
}
