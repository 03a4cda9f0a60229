import NIOCore

/// The types of frames (RFC 6455 §5.2).
enum WebSocketOpcode: UInt8 {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    /// True for frames that may be between the fragments of a message.
    var isControl: Bool { self.rawValue >= 8 }
}

/// The header of a frame from the client.
struct WebSocketFrameHeader: Equatable {
    /// The maximum length of the payload of a control frame.
    static let maximumControlLength = 125

    let isFinal: Bool
    let opcode: WebSocketOpcode
    /// The length of the payload.
    let length: Int
    let mask: WebSocketMask

    /// Reads a header, and removes it from the buffer.
    /// - Returns: `nil` if the header is incomplete. Its first two bytes are nevertheless checked.
    /// - Throws: The reason for which the server must close the connection.
    static func read(from buffer: inout ByteBuffer) throws(WebSocketClose) -> WebSocketFrameHeader? {
        var bytes = buffer
        guard let first = bytes.readInteger(as: UInt8.self) else { return nil }
        guard first & 0x70 == 0 else { throw WebSocketClose(.protocolError, "a reserved bit is set") }
        guard let opcode = WebSocketOpcode(rawValue: first & 0x0F) else {
            throw WebSocketClose(.protocolError, "the opcode \(first & 0x0F) is reserved")
        }
        let isFinal = first & 0x80 != 0
        guard isFinal || !opcode.isControl else {
            throw WebSocketClose(.protocolError, "a control frame is fragmented")
        }
        guard let second = bytes.readInteger(as: UInt8.self) else { return nil }
        guard second & 0x80 != 0 else { throw WebSocketClose(.protocolError, "a frame is not masked") }
        guard let length = try Self.readLength(second & 0x7F, isControl: opcode.isControl, from: &bytes),
            let key = bytes.readInteger(endianness: .little, as: UInt32.self)
        else { return nil }
        buffer = bytes
        return WebSocketFrameHeader(isFinal: isFinal, opcode: opcode, length: length, mask: WebSocketMask(key: key))
    }

    private static func readLength(
        _ short: UInt8, isControl: Bool, from bytes: inout ByteBuffer
    ) throws(WebSocketClose) -> Int? {
        guard short > self.maximumControlLength else { return Int(short) }
        guard !isControl else { throw WebSocketClose(.protocolError, "a control frame is longer than 125 bytes") }
        let length: UInt64
        let minimum: UInt64
        if short == 126 {
            guard let value = bytes.readInteger(as: UInt16.self) else { return nil }
            (length, minimum) = (UInt64(value), 126)
        } else {
            guard let value = bytes.readInteger(as: UInt64.self) else { return nil }
            (length, minimum) = (value, 1 << 16)
        }
        guard length >= minimum, let length = Int(exactly: length) else {
            throw WebSocketClose(.protocolError, "the length of a frame is not encoded as RFC 6455 requires")
        }
        return length
    }
}

/// The key with which the client masks a payload (RFC 6455 §5.3).
struct WebSocketMask: Equatable {
    /// The key, whose lowest byte belongs to the next byte of the payload.
    private(set) var key: UInt32

    /// Reads `length` masked bytes from a buffer, and appends the unmasked bytes to another one.
    mutating func move(_ length: Int, from source: inout ByteBuffer, to target: inout ByteBuffer) {
        let key = self.key
        source.readWithUnsafeReadableBytes { source in
            target.writeWithUnsafeMutableBytes(minimumWritableBytes: length) { target in
                let word = UInt64(key) | UInt64(key) << 32
                var offset = 0
                while offset &+ 8 <= length {
                    let bytes = source.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                    target.storeBytes(
                        of: (bytes.littleEndian ^ word).littleEndian, toByteOffset: offset, as: UInt64.self)
                    offset &+= 8
                }
                while offset < length {
                    target[offset] = source[offset] ^ UInt8(truncatingIfNeeded: word >> UInt64(offset % 8 * 8))
                    offset &+= 1
                }
                return length
            }
            return length
        }
        let shift = UInt32(length % 4 * 8)
        if shift > 0 { self.key = key >> shift | key << (32 - shift) }
    }
}

extension ByteBuffer {
    /// Writes the header of an unfragmented frame of the server. It is not masked.
    mutating func writeWebSocketHeader(_ opcode: WebSocketOpcode, length: Int) {
        self.writeInteger(0x80 | opcode.rawValue)
        switch length {
        case ...WebSocketFrameHeader.maximumControlLength: self.writeInteger(UInt8(length))
        case ...0xFFFF:
            self.writeInteger(126 as UInt8)
            self.writeInteger(UInt16(length))
        default:
            self.writeInteger(127 as UInt8)
            self.writeInteger(UInt64(length))
        }
    }
}
