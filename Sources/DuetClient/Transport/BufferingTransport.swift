import Foundation

/// Returns a response when its whole body is there, for callers that need the whole body anyway.
///
/// Below a ``RetryingTransport`` it makes a body that breaks off a failure that is repeated.
public struct BufferingTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let limit: Int

    /// A transport that sends by another.
    /// - Parameters:
    ///   - base: The transport that sends.
    ///   - limit: The maximum number of bytes of a body.
    public init(_ base: any HTTPTransport, limit: Int = 64 << 20) {
        self.base = base
        self.limit = limit
    }

    /// Sends a request and receives the whole response.
    /// - Throws: ``TransportError`` with ``TransportError/Code-swift.enum/tooLarge`` for a longer body, and the transport's own.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await WholeResponse(of: request, by: base, limit: limit).response
    }
}

/// A response whose body is there.
struct WholeResponse: Sendable {
    private let received: TransportResponse
    private let body: Data

    init(
        of request: TransportRequest, by transport: any HTTPTransport, limit: Int
    ) async throws(TransportError) {
        received = try await transport.send(request)
        body = try await received.body.collect(upTo: limit)
    }

    /// The response with a body that has not been read; each time another.
    var response: TransportResponse {
        TransportResponse(received.head, body: ResponseBody(body), encodedLength: received.encodedLength)
    }
}
