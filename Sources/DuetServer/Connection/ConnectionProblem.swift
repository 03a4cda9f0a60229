package import HTTPTypes
package import NIOCore

/// Why a request was refused before the application could answer it. The connection ends after the answer.
package enum ConnectionProblem: Sendable, Hashable, CaseIterable {
    /// 400: the bytes are not a request of HTTP/1.0 or HTTP/1.1.
    case malformedRequest
    /// 400: the chunks of a body have long extensions and little content (RFC 9112 §7.1.1).
    case chunkOverheadTooLarge
    /// 400: an HTTP/1.1 request without a `Host` field, with several, or with one that is no host (RFC 9112 §3.2).
    case invalidHost
    /// 408: the head or the body did not come in time.
    case requestTimeout
    /// 414: the request target is longer than ``RequestLimits/maximumFieldSize``.
    case targetTooLong
    /// 431: there are too many fields, or they are too long.
    case fieldsTooLarge
    /// 501: a method that nobody knows here (RFC 9110 §9.1).
    case unknownMethod
    /// 501: a transfer coding other than `chunked` (RFC 9112 §6.1).
    case unsupportedTransferCoding

    /// The status that goes with the problem.
    package var status: HTTPResponse.Status {
        switch self {
        case .malformedRequest, .chunkOverheadTooLarge, .invalidHost: .badRequest
        case .requestTimeout: .requestTimeout
        case .targetTooLong: .uriTooLong
        case .fieldsTooLarge: .requestHeaderFieldsTooLarge
        case .unknownMethod, .unsupportedTransferCoding: .notImplemented
        }
    }
}

/// The answer to a request that was refused: a problem document (RFC 9457).
package struct ProblemResponse: Sendable {
    package var status: HTTPResponse.Status
    /// The document, of type `application/problem+json`.
    package var body: ByteBuffer
    /// Further fields, such as `Date`. Those that the connection sets itself win: `Connection`, `Content-Type`,
    /// `Content-Length`, `Cache-Control`.
    package var fields: HTTPFields
    /// What the refused request is called in the log.
    package var requestID: String?

    package init(
        status: HTTPResponse.Status, body: ByteBuffer, fields: HTTPFields = [:], requestID: String? = nil
    ) {
        self.status = status
        self.body = body
        self.fields = fields
        self.requestID = requestID
    }
}

/// The error that a request's body throws while the application reads it and the connection gives the request up.
///
/// Whatever the application answers then is dropped.
package struct RequestAborted: Error, Hashable, Sendable {
    /// What the client was told, if it could be told anything.
    package let problem: ConnectionProblem?

    package init(problem: ConnectionProblem?) {
        self.problem = problem
    }
}

/// What happened on a connection outside requests and responses, for log and metrics.
package enum ConnectionObservation: Sendable, Hashable {
    /// A request was refused; it has a name if the client was answered.
    case refused(ConnectionProblem, requestID: String? = nil)
    /// A connection without a request was closed: no byte of a request came in time.
    case idle
    /// A connection was closed because the client did not read its response.
    case stalledReader
}
