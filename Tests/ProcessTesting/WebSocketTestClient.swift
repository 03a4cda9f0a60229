import Foundation
package import NIOCore

/// A client that sends bytes, and reads the frames of the server.
package struct WebSocketTestClient {
    package static let handshake = handshake("/socket", host: "a")

    /// Returns a request that opens a connection.
    /// - Parameter fields: Further lines of the head, each with its line break.
    package static func handshake(_ path: String, host: String, fields: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\(fields)"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    }

    private var bytes: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    package let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var received = ByteBuffer()

    package init(
        bytes: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator,
        outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) {
        self.bytes = bytes
        self.outbound = outbound
    }

    package func send(_ text: String) async throws { try await self.outbound.write(ByteBuffer(string: text)) }

    package func send(_ bytes: ByteBuffer) async throws { try await self.outbound.write(bytes) }

    /// Reads the head of a response.
    package mutating func head() async throws -> String {
        while true {
            let text = String(buffer: self.received)
            if let end = text.range(of: "\r\n\r\n")?.upperBound {
                self.received.moveReaderIndex(forwardBy: text[..<end].utf8.count)
                return String(text[..<end])
            }
            guard try await self.readMore() else { return text }
        }
    }

    /// Reads all bytes until the server closes the connection.
    package mutating func rest() async throws -> String {
        while try await self.readMore() {}
        return String(buffer: self.received)
    }

    /// Reads the next frame. Returns its type and its payload, or `end` at the end of the connection.
    package mutating func frame() async throws -> String {
        while true {
            if let frame = self.nextFrame() { return frame }
            guard try await self.readMore() else { return self.received.readableBytes == 0 ? "end" : "cut" }
        }
    }

    private mutating func readMore() async throws -> Bool {
        do {
            guard let bytes = try await self.bytes.next() else { return false }
            self.received.writeImmutableBuffer(bytes)
            return true
        } catch is IOError {
            return false
        }
    }

    private mutating func nextFrame() -> String? {
        var bytes = self.received
        guard let first = bytes.readInteger(as: UInt8.self), let second = bytes.readInteger(as: UInt8.self) else {
            return nil
        }
        guard first & 0xF0 == 0x80, second & 0x80 == 0 else { return "invalid" }
        var length = Int(second)
        switch second {
        case 126:
            guard let long = bytes.readInteger(as: UInt16.self) else { return nil }
            length = Int(long)
        case 127:
            guard let long = bytes.readInteger(as: UInt64.self) else { return nil }
            length = Int(long)
        default: break
        }
        guard var payload = bytes.readSlice(length: length) else { return nil }
        self.received = bytes
        switch first & 0x0F {
        case 1: return "text \(String(buffer: payload))"
        case 2: return "binary \(payload.readableBytes)"
        case 8:
            guard let code = payload.readInteger(as: UInt16.self) else { return "close" }
            return "close \(code) \(String(buffer: payload))"
        case 9: return "ping \(String(buffer: payload))"
        case 10: return "pong \(String(buffer: payload))"
        default: return "invalid"
        }
    }
}
