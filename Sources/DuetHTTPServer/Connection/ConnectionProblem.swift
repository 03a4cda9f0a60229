package import HTTPTypes
package import NIOCore

/// The reason why the connection rejects a request before the application receives it. The connection ends after the
/// response.
package enum ConnectionProblem: Sendable, Hashable, CaseIterable {
    /// 400: the bytes are not a request of HTTP/1.0 or HTTP/1.1.
    case malformedRequest
    /// 400: the chunks of a body have long extensions and little content (RFC 9112 §7.1.1).
    case chunkOverheadTooLarge
    /// 400: an HTTP/1.1 request has no `Host` field, several `Host` fields, or an invalid host (RFC 9112 §3.2).
    case invalidHost
    /// 408: the head or the body did not arrive in time.
    case requestTimeout
    /// 414: the request target is longer than ``RequestLimits/maximumFieldSize``.
    case targetTooLong
    /// 431: there are too many fields, or the fields are too long.
    case fieldsTooLarge
    /// 400: a request without encryption on a connection that must be encrypted.
    case notEncrypted
    /// 501: an unknown method (RFC 9110 §9.1).
    case unknownMethod
    /// 501: a transfer coding other than `chunked` (RFC 9112 §6.1).
    case unsupportedTransferCoding

    /// The status of the response.
    package var status: HTTPResponse.Status {
        switch self {
        case .malformedRequest, .chunkOverheadTooLarge, .invalidHost, .notEncrypted: .badRequest
        case .requestTimeout: .requestTimeout
        case .targetTooLong: .uriTooLong
        case .fieldsTooLarge: .requestHeaderFieldsTooLarge
        case .unknownMethod, .unsupportedTransferCoding: .notImplemented
        }
    }
}

/// The response to a rejected request: a problem document (RFC 9457).
package struct ProblemResponse: Sendable {
    /// The status of the response.
    package var status: HTTPResponse.Status
    /// The document with the media type `application/problem+json`.
    package var body: ByteBuffer
    /// Additional fields, such as `Date`. The connection itself sets `Connection`, `Content-Type`, `Content-Length` and
    /// `Cache-Control`.
    package var fields: HTTPFields
    /// The identifier of the rejected request in the log.
    package var requestID: String?

    /// Creates a response.
    /// - Parameters:
    ///   - status: The status of the response.
    ///   - body: The document with the media type `application/problem+json`.
    ///   - fields: Additional fields.
    ///   - requestID: The identifier of the rejected request in the log.
    package init(
        status: HTTPResponse.Status, body: ByteBuffer, fields: HTTPFields = [:], requestID: String? = nil
    ) {
        self.status = status
        self.body = body
        self.fields = fields
        self.requestID = requestID
    }
}

/// The error that the body of a request throws if the connection aborts the request while the application reads the
/// body.
///
/// The connection drops the application's response to such a request.
package struct RequestAborted: Error, Hashable, Sendable {
    /// The problem in the response to the client; `nil` if the connection is lost.
    package let problem: ConnectionProblem?

    /// Creates an error.
    /// - Parameter problem: The problem in the response to the client; `nil` if the connection is lost.
    package init(problem: ConnectionProblem?) {
        self.problem = problem
    }
}

/// An event of a connection for the log and the metrics. The code that responds to requests does not receive it.
package enum ConnectionObservation: Sendable, Hashable {
    /// A request was rejected. The identifier is present if the client received a response.
    case refused(ConnectionProblem, requestID: String? = nil)
    /// A connection without a request was closed, because no byte of a request arrived in time.
    case idle
    /// A connection was closed, or a stream was reset, because the client did not read its response.
    case stalledReader
    /// A TLS handshake failed.
    case handshakeFailed(HandshakeFailure)
    /// An HTTP/2 connection was closed because of an error of the client, or because of too many frames that cost the
    /// server more than the client.
    case protocolError
}

/// The reason why a TLS handshake failed.
package enum HandshakeFailure: Sendable, Hashable, CaseIterable {
    /// The client and the server have no version or cipher in common, or the client has rejected the certificate.
    case error
    /// The handshake took too long.
    case timeout
    /// There were too many unfinished handshakes, and this was the oldest one.
    case tooMany
}
