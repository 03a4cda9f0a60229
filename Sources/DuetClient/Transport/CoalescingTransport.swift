/// Sends equal idempotent requests that are made at the same time once, and gives its response to all of them.
///
/// Requests are equal if method, address, all header fields, body and timeout are: a request of another user is another request.
/// Cancelling one caller's task leaves the others waiting; the request is cancelled with the last of them.
public final class CoalescingTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let limit: Int
    private let requests: SharedWork<TransportRequest, WholeResponse, TransportError>

    /// A transport that sends by another.
    /// - Parameters:
    ///   - base: The transport that sends.
    ///   - limit: The maximum number of bytes of a body. It is received as a whole, because its readers are several.
    public convenience init(_ base: any HTTPTransport, limit: Int = 64 << 20) {
        self.init(base, limit: limit) { _ in }
    }

    /// - Parameter joined: Is called when a request begins to wait, with the number of those that wait together.
    init(_ base: any HTTPTransport, limit: Int, joined: @escaping @Sendable (Int) -> Void) {
        self.base = base
        self.limit = limit
        requests = SharedWork(cancelled: { TransportError(.cancelled) }, joined: joined)
    }

    /// True if no request is under way.
    var isIdle: Bool { requests.isIdle }

    /// Sends a request, or waits for the response to an equal one. An idempotent request has its response when the whole body is there.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard request.isIdempotent else { return try await base.send(request) }
        return try await requests.value(for: request) { [base, limit] () throws(TransportError) in
            try await WholeResponse(of: request, by: base, limit: limit)
        }.response
    }
}
