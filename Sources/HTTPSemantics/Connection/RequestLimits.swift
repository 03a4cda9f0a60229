package import NIOCore

/// Limits of a connection: the time for each step, and the size of a request's head.
package struct RequestLimits: Sendable, Hashable {
    /// Maximum time from the opening of a connection, or from the first byte of a later request, to the end of a request's head.
    package var headTimeout: TimeAmount = .seconds(10)
    /// Maximum time from the end of a response to the end of the next request's head.
    package var idleTimeout: TimeAmount = .seconds(75)
    /// Maximum time from the head of a request to the end of its body. It begins when the responses before it have ended.
    package var bodyTimeout: TimeAmount = .seconds(30)
    /// Maximum time in which a client must take the next ``minimumWriteProgress`` while the connection's buffer is full.
    package var writeTimeout: TimeAmount = .seconds(30)
    /// Maximum time for a response to begin after the client has closed its side of the connection. Then the client counts as
    /// gone.
    package var abandonTimeout: TimeAmount = .seconds(2)
    /// Maximum time from the end of the last response to the end of the connection, if the client does not close it first.
    package var lingerTimeout: TimeAmount = .seconds(2)

    /// Minimum number of bytes that a client must take within ``writeTimeout`` while the connection's buffer is full.
    package var minimumWriteProgress = 4 * 1024

    /// Maximum length of a request target, a field name or a field value in bytes. An application that answers 414 itself
    /// allows less.
    package var maximumFieldSize = 16 * 1024
    /// Maximum length of the target, names and values of one head together in bytes.
    package var maximumHeadSize = 64 * 1024
    /// Maximum number of fields in one head.
    package var maximumFieldCount = 100
    /// Maximum size in bytes of a body for which the connection sends 100 to a client that waits for it
    /// (`Expect: 100-continue`). A client with a larger body gets no 100, so that the application's 413 comes first.
    package var maximumExpectedBodySize = 1024 * 1024

    /// The default limits.
    package init() {}
}
