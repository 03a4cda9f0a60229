import DuetHTTPSemantics
import HTTPTypes
import NIOCore

/// Encodes responses as HTTP/1 messages (RFC 9112): the status line, the fields, and the framing of the body.
///
/// NIO's encoder first converts the fields of each response to its own type. This encoder writes the bytes of the
/// fields directly.
struct ResponseEncoder {
    /// The framing of the body of the current response (RFC 9112 §6).
    enum Framing {
        /// The response has no body, regardless of its fields.
        case none
        /// The `Content-Length` field determines the end of the body.
        case length
        case chunked
        /// The end of the connection ends the body.
        case connection
    }

    private(set) var framing = Framing.none

    /// Encodes a head.
    /// - Parameters:
    ///   - connection: The value that replaces the head's `Connection` field; nil to retain the field.
    ///   - asHTTP10: True for an HTTP/1.0 client, which does not support chunks.
    mutating func encode(
        _ head: HTTPResponse, connection: StaticString? = nil, asHTTP10: Bool = false, into buffer: inout ByteBuffer
    ) {
        let code = head.status.code
        buffer.writeStaticString(asHTTP10 ? "HTTP/1.0 " : "HTTP/1.1 ")
        for divisor in [100, 10, 1] { buffer.writeInteger(UInt8(ascii: "0") + UInt8(code / divisor % 10)) }
        buffer.writeInteger(UInt8.space)
        buffer.writeString(head.status.reasonPhrase)
        buffer.writeStaticString("\r\n")
        let hasBody = code >= 200 && code != 204 && code != 304
        var hasLength = false
        for field in head.headerFields {
            // Comparing the length skips most fields.
            switch field.name.rawName.utf8.count {
            case 14 where field.name == .contentLength:
                hasLength = true
                guard hasBody else { continue }
            case 17 where field.name == .transferEncoding: continue
            case 10 where connection != nil && field.name == .connection: continue
            default: break
            }
            buffer.write(field)
        }
        if let connection {
            buffer.writeStaticString("Connection: ")
            buffer.writeStaticString(connection)
            buffer.writeStaticString("\r\n")
        }
        self.framing = !hasBody ? .none : hasLength ? .length : asHTTP10 ? .connection : .chunked
        if self.framing == .chunked { buffer.writeStaticString("transfer-encoding: chunked\r\n") }
        buffer.writeStaticString("\r\n")
    }

    /// Encodes the size line of a chunk (RFC 9112 §7.1).
    static func encodeChunkSize(_ count: Int, into buffer: inout ByteBuffer) {
        buffer.writeString(String(count, radix: 16))
        buffer.writeStaticString("\r\n")
    }

    /// Encodes the last chunk and the trailers.
    static func encodeLastChunk(_ trailers: HTTPFields?, into buffer: inout ByteBuffer) {
        buffer.writeStaticString("0\r\n")
        for field in trailers ?? [:] { buffer.write(field) }
        buffer.writeStaticString("\r\n")
    }
}

extension ByteBuffer {
    fileprivate mutating func write(_ field: HTTPField) {
        var name = field.name.rawName
        name.withUTF8 { name in
            field.withUnsafeBytesOfValue { value in
                _ = self.writeWithUnsafeMutableBytes(minimumWritableBytes: name.count + value.count + 4) { target in
                    var end = 0
                    func append(_ bytes: UnsafeBufferPointer<UInt8>) {
                        target[end..<end + bytes.count].copyBytes(from: bytes)
                        end += bytes.count
                    }
                    func append(_ first: Unicode.Scalar, _ second: Unicode.Scalar) {
                        target[end] = UInt8(ascii: first)
                        target[end + 1] = UInt8(ascii: second)
                        end += 2
                    }
                    append(name)
                    append(":", " ")
                    append(value)
                    append("\r", "\n")
                    return end
                }
            }
        }
    }
}
