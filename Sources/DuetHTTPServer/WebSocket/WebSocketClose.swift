import NIOCore

/// The status code of a close frame (RFC 6455 §7.4).
package struct WebSocketCloseCode: RawRepresentable, Sendable, Hashable {
    /// The number in the frame.
    package let rawValue: UInt16

    /// Creates a code from its number.
    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The purpose of the connection is fulfilled.
    package static let normal = WebSocketCloseCode(rawValue: 1000)
    /// The server shuts down.
    package static let goingAway = WebSocketCloseCode(rawValue: 1001)
    /// The client violates RFC 6455.
    package static let protocolError = WebSocketCloseCode(rawValue: 1002)
    /// The application does not accept messages of this type.
    package static let unsupportedData = WebSocketCloseCode(rawValue: 1003)
    /// A text is not UTF-8.
    package static let invalidPayload = WebSocketCloseCode(rawValue: 1007)
    /// The client violates a rule of the server for which no other code exists.
    package static let policyViolation = WebSocketCloseCode(rawValue: 1008)
    /// A message is too large.
    package static let messageTooBig = WebSocketCloseCode(rawValue: 1009)
    /// The server failed.
    package static let internalError = WebSocketCloseCode(rawValue: 1011)

    /// True if a close frame may contain the code. The other codes are reserved, or describe the end of a connection
    /// without a close frame.
    var isAllowedInFrame: Bool {
        switch self.rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

/// The reason for the end of a connection: the content of a close frame.
package struct WebSocketClose: Error, Sendable, Hashable {
    /// The status code.
    package let code: WebSocketCloseCode
    /// A short explanation for developers.
    package let reason: String

    /// Creates a reason.
    /// - Parameter reason: An explanation. In the frame, it is shortened to 123 bytes.
    package init(_ code: WebSocketCloseCode, _ reason: String = "") {
        self.code = code
        self.reason = reason
    }

    /// Reads the payload of a close frame. The payload may be empty.
    /// - Returns: `nil` if the frame has no code.
    /// - Throws: The reason for which the server must close the connection.
    static func read(_ payload: ByteBuffer) throws(WebSocketClose) -> WebSocketClose? {
        guard payload.readableBytes > 0 else { return nil }
        var payload = payload
        guard let code = payload.readInteger(as: UInt16.self).map(WebSocketCloseCode.init), code.isAllowedInFrame
        else { throw WebSocketClose(.protocolError, "the close frame has an invalid code") }
        guard let reason = String(validating: payload.readableBytesView, as: UTF8.self) else {
            throw WebSocketClose(.invalidPayload, "the reason of the close frame is not UTF-8")
        }
        return WebSocketClose(code, reason)
    }

    /// The payload of a close frame.
    var payload: ByteBuffer {
        var payload = ByteBuffer(integer: self.code.rawValue)
        // A control frame has at most 125 bytes, and its text must not end within a character.
        var length = 0
        for character in self.reason.unicodeScalars {
            let size = UTF8.width(character)
            guard length + size <= 123 else { break }
            length += size
        }
        payload.writeBytes(self.reason.utf8.prefix(length))
        return payload
    }
}
