import Foundation

/// Returns a response when its complete body was received, for callers that need the complete body.
///
/// If it is the base of a ``RetryingTransport``, requests whose body is interrupted are also retried.
public struct BufferingTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let limit: Int

    /// Creates a transport that sends with another transport.
    /// - Parameters:
    ///   - base: The transport that sends the requests.
    ///   - limit: The maximum number of bytes of a body.
    public init(_ base: any HTTPTransport, limit: Int = 64 << 20) {
        self.base = base
        self.limit = limit
    }

    /// Sends a request and receives the whole response.
    /// - Throws: ``TransportError`` with ``TransportError/Code-swift.enum/tooLarge`` for a longer body, or the error of
    ///   the base transport.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await WholeResponse(of: request, by: base, limit: limit).response
    }
}

/// A response whose complete body was received.
struct WholeResponse: Sendable {
    private let received: TransportResponse
    private let body: Data

    init(
        of request: TransportRequest, by transport: any HTTPTransport, limit: Int
    ) async throws(TransportError) {
        received = try await transport.send(request)
        body = try await received.body.collect(upTo: limit)
    }

    /// A copy of the response with an unread body.
    var response: TransportResponse {
        TransportResponse(received.head, body: ResponseBody(body), encodedLength: received.encodedLength)
    }
}
