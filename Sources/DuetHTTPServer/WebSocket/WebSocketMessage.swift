package import NIOCore

/// A message of a WebSocket connection.
package enum WebSocketMessage: Sendable, Hashable {
    /// A text in UTF-8. The UTF-8 of a received text is valid.
    case text(ByteBuffer)
    case binary(ByteBuffer)

    /// The content.
    package var bytes: ByteBuffer {
        switch self {
        case .text(let bytes), .binary(let bytes): bytes
        }
    }
}
