/// An error that prevents a request from having a complete response.
public struct TransportError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: Sendable, Hashable {
        /// The task was canceled.
        case cancelled
        /// The transport does not support the address.
        case invalidAddress
        /// There is no connection, because there is no network, the host does not exist, or no server accepts
        /// connections.
        case cannotConnect
        /// The server's certificate is not trusted, or there is no common TLS version.
        case insecure
        /// The connection was closed or lost before the response was complete.
        case connectionLost
        /// The response, or its next part, did not arrive in time.
        case timedOut
        /// The response is longer than the client's limit.
        case tooLarge
        /// The response is not valid HTTP, or its body cannot be decoded.
        case invalidResponse
        /// The caller has changed since the request was created (``CurrentCaller/change(to:token:)``).
        case callerChanged
        /// The request needs a token, but has no caller.
        case noCaller
        /// The token source of the caller has thrown an error.
        case noToken
    }

    /// The kind of failure.
    public var code: Code
    /// A description of the failure and its remedy.
    public var message: String
    /// The error of the underlying library.
    public var underlyingError: (any Error)?

    /// Creates an error.
    public init(_ code: Code, _ message: String, underlyingError: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlyingError = underlyingError
    }

    /// The message, followed by the underlying error.
    public var description: String {
        underlyingError.map { "\(message) (\($0))" } ?? message
    }
}

extension TransportError {
    /// Creates an error with the default message of its kind.
    init(_ code: Code, underlyingError: (any Error)? = nil) {
        self.init(code, code.explanation, underlyingError: underlyingError)
    }
}

extension TransportError.Code {
    /// A description of the failure and its remedy.
    fileprivate var explanation: String {
        switch self {
        case .cancelled: "The task was canceled before the response was complete."
        case .invalidAddress:
            "The transport cannot send to this address. Check its scheme (http or https) and its host."
        case .cannotConnect: "There is no connection to the server. Check the network and the address."
        case .insecure:
            """
            There is no secure connection to the server. Check that the address belongs to a TLS server and that the server's certificate \
            is valid.
            """
        case .connectionLost: "The connection was closed before the response was complete. Try again."
        case .timedOut: "The server did not respond in time. Try again later, or raise the timeout of the request."
        case .tooLarge: "The response is longer than the limit of the client. Request less data, or raise the limit."
        case .invalidResponse: "The response is not valid HTTP. Check that the address belongs to an HTTP server."
        case .callerChanged: "The caller has changed since the request was created. Send a request of the new caller."
        case .noCaller:
            """
            The request has no caller, so its response could be stored for a different caller. Pass the CurrentCaller to the store, the proxy \
            or the loader that creates the request.
            """
        case .noToken: "There is no token for the caller of the request. Try again later."
        }
    }
}
