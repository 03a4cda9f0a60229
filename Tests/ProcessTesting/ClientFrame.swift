package import NIOCore

/// Builds frames as a client sends them (RFC 6455 §5.2).
package enum ClientFrame {
    package static let text: UInt8 = 1
    package static let binary: UInt8 = 2
    package static let continuation: UInt8 = 0
    package static let close: UInt8 = 8
    package static let ping: UInt8 = 9
    package static let pong: UInt8 = 10

    /// Returns a masked frame with the shortest header.
    package static func make(
        _ opcode: UInt8, _ payload: some Sequence<UInt8> = [], isFinal: Bool = true,
        key: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
    ) -> ByteBuffer {
        let payload = Array(payload)
        var frame = Self.header(opcode, length: UInt64(payload.count), isFinal: isFinal, key: key)
        frame.writeBytes(payload.enumerated().map { $1 ^ key[$0 % 4] })
        return frame
    }

    package static func make(_ opcode: UInt8, _ payload: String, isFinal: Bool = true) -> ByteBuffer {
        Self.make(opcode, payload.utf8, isFinal: isFinal)
    }

    /// Returns the header of a frame.
    package static func header(
        _ opcode: UInt8, length: UInt64, isFinal: Bool = true, key: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
    ) -> ByteBuffer {
        var header = ByteBuffer(bytes: [(isFinal ? 0x80 : 0) | opcode])
        switch length {
        case ..<126: header.writeInteger(0x80 | UInt8(length))
        case ..<65_536:
            header.writeInteger(0x80 | 126 as UInt8)
            header.writeInteger(UInt16(length))
        default:
            header.writeInteger(0x80 | 127 as UInt8)
            header.writeInteger(length)
        }
        header.writeBytes(key)
        return header
    }

    /// Returns a close frame.
    package static func close(_ code: UInt16, _ reason: some Sequence<UInt8> = []) -> ByteBuffer {
        Self.make(Self.close, [UInt8(code >> 8), UInt8(code & 0xFF)] + reason)
    }
}

extension ByteBuffer {
    /// Concatenates buffers.
    package static func + (left: ByteBuffer, right: ByteBuffer) -> ByteBuffer {
        var sum = left
        sum.writeImmutableBuffer(right)
        return sum
    }
}
