package import NIOCore

/// Reads the messages and the control frames of a client from bytes, and enforces RFC 6455.
///
/// A payload is unmasked and checked while it arrives, so an invalid text or header is detected before the end of its
/// frame. At most one incomplete header, one message and one control frame are stored, besides the bytes for which the
/// caller has not called ``next()`` yet.
package struct WebSocketParser {
    /// A message or a control frame.
    package enum Event: Equatable {
        case message(WebSocketMessage)
        case ping(ByteBuffer)
        case pong
        /// A close frame; `nil` if it has no code.
        case close(WebSocketClose?)
    }

    private let maximumMessageSize: Int
    private var unread = ByteBuffer()
    /// The current frame; nil between frames.
    private var frame: Frame?
    /// The fragments of the current message; nil between messages.
    private var message: Message?
    /// The payload of the current control frame.
    private var control = ByteBuffer()

    private struct Frame {
        let isFinal: Bool
        let opcode: WebSocketOpcode
        /// The number of bytes of the payload that have not been read.
        var rest: Int
        var mask: WebSocketMask
    }

    private struct Message {
        let isText: Bool
        var bytes = ByteBuffer()
        var validator = UTF8Validator()

        /// Validates the last `length` bytes of a text.
        mutating func validateLast(_ length: Int) -> Bool {
            guard self.isText else { return true }
            var validator = self.validator
            defer { self.validator = validator }
            return self.bytes.withUnsafeReadableBytes { bytes in
                validator.append(UnsafeRawBufferPointer(rebasing: bytes.suffix(length)))
            }
        }
    }

    /// Creates a parser.
    package init(maximumMessageSize: Int) {
        self.maximumMessageSize = maximumMessageSize
    }

    /// True if a message or a frame has begun but not ended.
    package var isInside: Bool {
        self.message != nil || self.frame != nil || self.unread.readableBytes > 0
    }

    /// Appends bytes from the client. Call ``next()`` afterwards until it returns `nil`.
    package mutating func receive(_ bytes: ByteBuffer) {
        if self.unread.readableBytes == 0 {
            self.unread = bytes
        } else {
            // Without this, the buffer would keep the bytes of all messages as long as each read ends within a frame.
            self.unread.discardReadBytes()
            self.unread.writeImmutableBuffer(bytes)
        }
    }

    /// Returns the next message or control frame; `nil` if more bytes are needed.
    /// - Throws: The reason for which the server must close the connection. The parser must not be used afterwards.
    package mutating func next() throws(WebSocketClose) -> Event? {
        while true {
            if self.frame == nil {
                guard let header = try WebSocketFrameHeader.read(from: &self.unread) else { break }
                try self.begin(header)
            }
            guard try self.readPayload() else { break }
            if let event = try self.endFrame() { return event }
        }
        // A silent connection does not need the memory of its last read.
        if self.unread.readableBytes == 0 { self.unread = ByteBuffer() }
        return nil
    }

    private mutating func begin(_ header: WebSocketFrameHeader) throws(WebSocketClose) {
        switch header.opcode {
        case .continuation:
            guard self.message != nil else {
                throw WebSocketClose(.protocolError, "a continuation frame has no message to continue")
            }
        case .text, .binary:
            guard self.message == nil else {
                throw WebSocketClose(.protocolError, "a message begins before the end of the previous message")
            }
            self.message = Message(isText: header.opcode == .text)
        case .close, .ping, .pong:
            self.control = ByteBuffer()
        }
        if !header.opcode.isControl, header.length > self.maximumMessageSize - (self.message?.bytes.readableBytes ?? 0)
        {
            throw WebSocketClose(.messageTooBig, "a message has more than \(self.maximumMessageSize) bytes")
        }
        self.frame = Frame(isFinal: header.isFinal, opcode: header.opcode, rest: header.length, mask: header.mask)
    }

    /// Reads the part of the payload that has arrived.
    /// - Returns: True if the payload is complete.
    private mutating func readPayload() throws(WebSocketClose) -> Bool {
        guard var frame else { return false }
        let length = min(frame.rest, self.unread.readableBytes)
        if frame.opcode.isControl {
            frame.mask.move(length, from: &self.unread, to: &self.control)
        } else if var message = self.message.take() {
            frame.mask.move(length, from: &self.unread, to: &message.bytes)
            guard message.validateLast(length) else {
                throw WebSocketClose(.invalidPayload, "a text message is not UTF-8")
            }
            self.message = message
        }
        frame.rest -= length
        self.frame = frame
        return frame.rest == 0
    }

    private mutating func endFrame() throws(WebSocketClose) -> Event? {
        guard let frame = self.frame.take() else { return nil }
        switch frame.opcode {
        case .ping: return .ping(self.control)
        case .pong: return .pong
        case .close: return .close(try WebSocketClose.read(self.control))
        case .continuation, .text, .binary:
            guard frame.isFinal, let message = self.message.take() else { return nil }
            guard message.isText else { return .message(.binary(message.bytes)) }
            guard message.validator.isComplete else {
                throw WebSocketClose(.invalidPayload, "a text message ends within a character")
            }
            return .message(.text(message.bytes))
        }
    }
}
