package import NIOCore

/// The limits of a connection: the time of each step, and the size of a request's head.
package struct RequestLimits: Sendable, Hashable {
    /// The maximum time from the opening of a connection, or from the first byte of a later request, to the end of the
    /// head.
    package var headTimeout: TimeAmount = .seconds(10)
    /// The maximum time from the end of a response to the end of the next request's head.
    package var idleTimeout: TimeAmount = .seconds(75)
    /// The maximum time from the head of a request to the end of its body. If the request is pipelined, the time begins
    /// after the responses to the preceding requests.
    package var bodyTimeout: TimeAmount = .seconds(30)
    /// The media types of bodies to which ``longBodyTimeout`` and ``maximumExpectedLongBodySize`` apply, in lower case.
    /// The application must respond to other requests with such a body before it reads the body.
    package var longBodyTypes: [String] = []
    /// The maximum time from the head of a request to the end of its body, if the body has a media type in
    /// ``longBodyTypes``.
    package var longBodyTimeout: TimeAmount = .seconds(30)
    /// The maximum time in which the client must accept ``minimumWriteProgress`` bytes while the connection's buffer is
    /// full.
    package var writeTimeout: TimeAmount = .seconds(30)
    /// The maximum time from the moment at which the client closes its side of the connection to the beginning of the
    /// response. After this time, the request is abandoned.
    package var abandonTimeout: TimeAmount = .seconds(2)
    /// The maximum time from the end of the last response to the end of the connection, unless the client closes it
    /// earlier.
    package var lingerTimeout: TimeAmount = .seconds(2)

    /// The minimum number of bytes that the client must accept within ``writeTimeout`` while the connection's buffer is
    /// full.
    package var minimumWriteProgress = 4 * 1024

    /// The maximum length of a request target, a field name or a field value in bytes. An application that responds
    /// with 414 itself must use a lower limit for the request target.
    package var maximumFieldSize = 16 * 1024
    /// The maximum total length of the target, names and values of a head in bytes.
    package var maximumHeadSize = 64 * 1024
    /// The maximum number of fields in a head.
    package var maximumFieldCount = 100
    /// The maximum size in bytes of a body for which the connection responds with 100 to `Expect: 100-continue`. For a
    /// larger body, the connection does not send 100, so that the client receives the application's 413 before it sends
    /// the body.
    package var maximumExpectedBodySize = 1024 * 1024

    /// The value of ``maximumExpectedBodySize`` for a body whose media type is in ``longBodyTypes``.
    package var maximumExpectedLongBodySize = 1024 * 1024

    /// The maximum number of unfinished TLS handshakes of the connections of an event loop.
    package var maximumHandshakes = 1_000
    /// The maximum number of concurrent streams of an HTTP/2 connection.
    package var maximumStreams = 100
    /// The maximum number of streams of an HTTP/2 connection that wait for their responses. Further requests wait.
    package var maximumUnansweredStreams = 32
    /// The number of bytes of a request's body that a client of HTTP/2 may send before the application reads them.
    package var http2StreamWindow = 128 << 10
    /// The number of bytes of bodies that a client may send on an HTTP/2 connection before the server has received
    /// them.
    package var http2ConnectionWindow = 1 << 20

    /// The limits after a request that switches the connection to the WebSocket protocol. ``writeTimeout``,
    /// ``minimumWriteProgress`` and ``lingerTimeout`` also apply.
    package var webSocket = WebSocketLimits()

    /// Creates the default limits.
    package init() {}
}
