import Foundation

/// Returns a response after its complete body was received. Use it if the caller needs the complete body.
///
/// A ``RetryingTransport`` with this transport as its base also retries a request if the response body is interrupted.
public struct BufferingTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let limit: Int

    /// Creates a transport that sends requests through another transport.
    /// - Parameters:
    ///   - base: The transport that sends the requests.
    ///   - limit: The maximum number of bytes of a body.
    public init(_ base: any HTTPTransport, limit: Int = 64 << 20) {
        self.base = base
        self.limit = limit
    }

    /// Sends a request and receives the whole response, unless it is a stream of events.
    /// - Throws: ``TransportError`` with the code ``TransportError/Code-swift.enum/tooLarge`` if the body exceeds the
    ///   limit, or the error of the base transport.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard !request.isStream else { return try await base.send(request) }
        return try await WholeResponse(of: request, by: base, limit: limit).response
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

    /// A copy of the response. Each copy has a body that can be read from the beginning.
    var response: TransportResponse {
        TransportResponse(received.head, body: ResponseBody(body), encodedLength: received.encodedLength)
    }
}
