import Foundation
import HTTPTypes

/// Opens WebSocket connections (RFC 6455).
protocol WebSocketTransport: Sendable {
    /// Opens a connection.
    /// - Parameters:
    ///   - request: The request that opens the connection, without the fields of the handshake. Its timeout is the
    ///     maximum time until the connection is open.
    ///   - subprotocol: The subprotocol of the connection.
    ///   - maximumMessageSize: The maximum size of a received message in bytes.
    ///   - events: Handles the messages and the end of an open connection.
    /// - Throws: ``TransportError`` if there is no response.
    func connect(
        _ request: TransportRequest, subprotocol: String, maximumMessageSize: Int, events: WebSocketEvents
    ) async throws(TransportError) -> WebSocketOpening
}

/// The response to the request for a connection.
enum WebSocketOpening: Sendable {
    case open(any WebSocketConnection)
    /// The server has not opened a connection. The second value is the beginning of the response's body.
    case refused(HTTPResponse, Data)
}

/// An open connection.
protocol WebSocketConnection: Sendable {
    /// Sends a text message, and returns at once. If the connection has ended, the message is discarded.
    func send(_ text: [UInt8])

    /// Closes the connection, and returns at once.
    /// - Parameter code: The code of the close frame (RFC 6455, section 7.4).
    func close(_ code: UInt16)
}

/// The closures that handle the events of a connection. They are called one after the other.
struct WebSocketEvents: Sendable {
    /// Handles a text message.
    let message: @Sendable ([UInt8]) -> Void
    /// Handles the end of the connection. It is called once.
    let end: @Sendable (WebSocketEnd) -> Void
}

/// The reason for which a connection has ended.
enum WebSocketEnd: Error, Sendable {
    /// The server has sent a close frame.
    case closed(code: UInt16, reason: String)
    /// The connection was lost, or the server violates the protocol.
    case lost(TransportError)
}
