/// The reason why a request has no response, or no whole one.
public struct TransportError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: Sendable, Hashable {
        /// The task was cancelled.
        case cancelled
        /// The address is not one that the transport can send to.
        case invalidAddress
        /// There is no connection: no network, no such host, or nothing listens there.
        case cannotConnect
        /// The server's certificate is not accepted, or there is no common TLS version.
        case insecure
        /// The connection ended before the response did.
        case connectionLost
        /// The response, or its next part, did not arrive in time.
        case timedOut
        /// The response is longer than the client's limit.
        case tooLarge
        /// The response is no HTTP.
        case invalidResponse
    }

    /// The kind of failure.
    public var code: Code
    /// The failure and the remedy, for a person.
    public var message: String
    /// The error of the library below.
    public var underlyingError: (any Error)?

    /// An error of that kind.
    public init(_ code: Code, _ message: String, underlyingError: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlyingError = underlyingError
    }

    /// The message, and the underlying error's.
    public var description: String {
        underlyingError.map { "\(message) (\($0))" } ?? message
    }
}
