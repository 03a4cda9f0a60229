package import NIOCore

/// The limits of a WebSocket connection. The time in which the client must accept bytes is that of ``RequestLimits``.
package struct WebSocketLimits: Sendable, Hashable {
    /// The maximum size in bytes of a message from the client, and therefore of a frame.
    package var maximumMessageSize = 1024 * 1024
    /// The maximum time from the first byte of a message or frame to its end.
    package var messageTimeout: TimeAmount = .seconds(30)
    /// The time without a byte from the client after which the server sends a ping. Proxies often close a connection
    /// that is silent for a minute.
    package var pingInterval: TimeAmount = .seconds(45)
    /// The maximum time from a ping of the server to the next byte from the client.
    package var pongTimeout: TimeAmount = .seconds(15)
    /// The maximum time from the server's close frame to the client's close frame.
    package var closeTimeout: TimeAmount = .seconds(5)

    /// Creates the default limits.
    package init() {}
}
