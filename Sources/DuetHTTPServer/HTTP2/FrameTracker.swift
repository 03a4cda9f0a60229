import NIOCore
import NIOHTTP2

/// The handler that precedes NIO's `NIOHTTP2Handler`. It follows the frames that arrive (RFC 9113, section 4.1),
/// because NIO does not report a frame that is incomplete.
final class FrameTracker: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private var context: ChannelHandlerContext?
    private var frames = FrameBoundaries()
    private var discardsInput = false
    private var stopsReading = false

    /// True if a part of a frame, or of the header of a request, has arrived.
    var isWithinFrame: Bool { self.frames.isWithinFrame }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !self.discardsInput else { return }
        self.frames.receive(self.unwrapInboundIn(data).readableBytesView)
        context.fireChannelRead(data)
    }

    /// Discards the bytes that arrive from now on, because the connection ends.
    /// - Parameter stopsReading: True to read no further bytes.
    func discardInput(stopsReading: Bool) {
        self.discardsInput = true
        self.stopsReading = stopsReading
    }

    func read(context: ChannelHandlerContext) {
        if !self.stopsReading { context.read() }
    }

    /// Sends GOAWAY without an error (section 6.8). After a GOAWAY of its own, NIO would refuse all new streams, and
    /// would not end the connection after an error.
    /// - Parameter last: The last stream that is served.
    func sendEnd(last: HTTP2StreamID) {
        guard let context else { return }
        var frame = context.channel.allocator.buffer(capacity: 17)
        // The length, the type, no flags, the connection; then the last stream, and no error.
        frame.writeMultipleIntegers(UInt8(0), UInt16(8), UInt8(7), UInt8(0), UInt32(0), UInt32(Int(last)), UInt32(0))
        // A flush that passes NIO is not forwarded if NIO has written nothing.
        context.writeAndFlush(self.wrapOutboundOut(.byteBuffer(frame)), promise: nil)
    }

    /// Closes the output after all written bytes have been sent. If the client has closed its output, the channel would
    /// otherwise drop them.
    func closeOutput(whenClosed body: @escaping () -> Void) {
        guard let context else { return }
        context.flush(self.wrapOutboundOut(.byteBuffer(ByteBuffer()))) {
            context.close(mode: .output, promise: nil)
            body()
        }
    }
}

@available(*, unavailable)
extension FrameTracker: Sendable {}

/// The boundaries of frames in the bytes that a client sends.
struct FrameBoundaries {
    private enum Position {
        /// Within the text at the beginning of a connection (section 3.4).
        case preface(remaining: Int)
        case header
        case content(remaining: Int)
    }

    private var position = Position.preface(remaining: 24)
    /// The bytes of the current frame's header.
    private var header: (length: Int, type: UInt8, flags: UInt8) = (0, 0, 0)
    private var headerCount = 0
    /// True between a frame with the beginning of fields and the frame with their end.
    private var isWithinFields = false

    /// True if a part of a frame, or of the fields of a request, has arrived.
    var isWithinFrame: Bool {
        if case .header = self.position { return self.headerCount > 0 || self.isWithinFields }
        return true
    }

    /// Receives bytes.
    mutating func receive(_ bytes: ByteBufferView) {
        var rest = bytes
        while let first = rest.first {
            switch self.position {
            case .preface(let remaining):
                let count = min(remaining, rest.count)
                self.position = count < remaining ? .preface(remaining: remaining - count) : .header
                rest = rest.dropFirst(count)
            case .content(let remaining):
                let count = min(remaining, rest.count)
                self.position = count < remaining ? .content(remaining: remaining - count) : .header
                rest = rest.dropFirst(count)
            case .header:
                self.receiveHeader(first)
                rest = rest.dropFirst()
            }
        }
    }

    /// A frame begins with its length (24 bits), its type, its flags, and its stream (32 bits).
    private mutating func receiveHeader(_ byte: UInt8) {
        switch self.headerCount {
        case 0...2: self.header.length = self.header.length << 8 | Int(byte)
        case 3: self.header.type = byte
        case 4: self.header.flags = byte
        default: break
        }
        self.headerCount += 1
        guard self.headerCount == 9 else { return }
        let (length, type, flags) = self.header
        // HEADERS and CONTINUATION have the flag END_HEADERS.
        if type == 1 || type == 9 { self.isWithinFields = flags & 4 == 0 }
        self.position = length > 0 ? .content(remaining: length) : .header
        self.header = (0, 0, 0)
        self.headerCount = 0
    }
}
