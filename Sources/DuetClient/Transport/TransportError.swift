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
        /// The connection ended, or broke down, before the response was whole.
        case connectionLost
        /// The response, or its next part, did not arrive in time.
        case timedOut
        /// The response is longer than the client's limit.
        case tooLarge
        /// The response is no HTTP, or its body cannot be decoded.
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

extension TransportError {
    /// An error with the usual message of that kind.
    init(_ code: Code, underlyingError: (any Error)? = nil) {
        self.init(code, code.explanation, underlyingError: underlyingError)
    }
}

extension TransportError.Code {
    /// The failure and the remedy.
    fileprivate var explanation: String {
        switch self {
        case .cancelled: "The task was cancelled before the response was whole."
        case .invalidAddress: "Nothing can be sent to this address. Check that it is one with http or https and a host."
        case .cannotConnect: "There is no connection to the server. Check the network and the address."
        case .insecure:
            """
            There is no secure connection to the server. Check that the address is that of a TLS server and that its certificate is \
            valid.
            """
        case .connectionLost: "The connection ended before the response was whole. Try again."
        case .timedOut: "The server did not answer in time. Try again later, or raise the timeout of the request."
        case .tooLarge: "The response is longer than the limit of the client. Ask for less at once, or raise the limit."
        case .invalidResponse: "The response is no valid HTTP. Check that the address is that of an HTTP server."
        }
    }
}
