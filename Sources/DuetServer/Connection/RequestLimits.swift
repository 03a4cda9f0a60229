package import NIOCore

/// How long a connection may take over each step, and how large the head of a request may be.
package struct RequestLimits: Sendable, Hashable {
    /// From the opening of a connection, or from the first byte of a later request, to the end of a request's head.
    package var headTimeout: TimeAmount = .seconds(10)
    /// From the end of a response to the whole head of the next request on the connection.
    package var idleTimeout: TimeAmount = .seconds(75)
    /// From the head of a request, once the responses before it are done, to the end of its body.
    package var bodyTimeout: TimeAmount = .seconds(30)
    /// How long a client that reads its response too slowly has to take the next ``minimumWriteProgress``.
    package var writeTimeout: TimeAmount = .seconds(30)
    /// How long a response may take to begin when the client has closed its side of the connection, before the client is
    /// taken to be gone.
    package var abandonTimeout: TimeAmount = .seconds(2)
    /// From the end of the last response to the end of the connection, if the client does not close it first.
    package var lingerTimeout: TimeAmount = .seconds(2)

    /// How many bytes a client must take within ``writeTimeout`` while the connection's buffer is full.
    package var minimumWriteProgress = 4 * 1024

    /// The longest request target, field name or field value in bytes. An application that wants to answer 414 itself
    /// allows less.
    package var maximumFieldSize = 16 * 1024
    /// The longest target, names and values of one head together in bytes.
    package var maximumHeadSize = 64 * 1024
    /// The highest number of fields in one head.
    package var maximumFieldCount = 100
    /// The largest body in bytes for which a client that waits for it is told to go on (`Expect: 100-continue`). For
    /// a larger one nothing is said, so that the application's 413 comes first.
    package var maximumExpectedBodySize = 1024 * 1024

    package init() {}
}
