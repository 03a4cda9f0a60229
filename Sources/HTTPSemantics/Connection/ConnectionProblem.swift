package import HTTPTypes
package import NIOCore

/// The reason for which a request is refused before the application receives it. The connection ends after the answer.
package enum ConnectionProblem: Sendable, Hashable, CaseIterable {
    /// 400: the bytes are not a request of HTTP/1.0 or HTTP/1.1.
    case malformedRequest
    /// 400: the chunks of a body have long extensions and little content (RFC 9112 §7.1.1).
    case chunkOverheadTooLarge
    /// 400: an HTTP/1.1 request without a `Host` field, with several, or with one that is not a host (RFC 9112 §3.2).
    case invalidHost
    /// 408: the head or the body did not arrive in time.
    case requestTimeout
    /// 414: the request target is longer than ``RequestLimits/maximumFieldSize``.
    case targetTooLong
    /// 431: there are too many fields, or they are too long.
    case fieldsTooLarge
    /// 501: an unknown method (RFC 9110 §9.1).
    case unknownMethod
    /// 501: a transfer coding other than `chunked` (RFC 9112 §6.1).
    case unsupportedTransferCoding

    /// The status of the answer.
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

/// The answer to a refused request: a problem document (RFC 9457).
package struct ProblemResponse: Sendable {
    /// The status of the answer.
    package var status: HTTPResponse.Status
    /// The document, of type `application/problem+json`.
    package var body: ByteBuffer
    /// Further fields, such as `Date`. The connection sets `Connection`, `Content-Type`, `Content-Length` and
    /// `Cache-Control` itself.
    package var fields: HTTPFields
    /// The name of the refused request in the log.
    package var requestID: String?

    /// - Parameters:
    ///   - status: The status of the answer.
    ///   - body: The document, of type `application/problem+json`.
    ///   - fields: Further fields.
    ///   - requestID: The name of the refused request in the log.
    package init(
        status: HTTPResponse.Status, body: ByteBuffer, fields: HTTPFields = [:], requestID: String? = nil
    ) {
        self.status = status
        self.body = body
        self.fields = fields
        self.requestID = requestID
    }
}

/// The error that a request's body throws if the connection aborts the request while the application reads it.
///
/// The connection drops the application's response to such a request.
package struct RequestAborted: Error, Hashable, Sendable {
    /// The problem in the answer to the client; `nil` if the connection is lost.
    package let problem: ConnectionProblem?

    /// - Parameter problem: The problem in the answer to the client; `nil` if the connection is lost.
    package init(problem: ConnectionProblem?) {
        self.problem = problem
    }
}

/// An event on a connection outside requests and responses, for log and metrics.
package enum ConnectionObservation: Sendable, Hashable {
    /// A request was refused. It has a name if the client was answered.
    case refused(ConnectionProblem, requestID: String? = nil)
    /// A connection without a request was closed: no byte of a request arrived in time.
    case idle
    /// A connection was closed because the client did not read its response.
    case stalledReader
}
