/// Sends only one request if several tasks send equal idempotent requests at the same time. All tasks receive the
/// response.
///
/// Requests are equal if the method, the address, all header fields, the body, the timeout and the caller are equal.
/// Requests of different users therefore differ if a header field or ``TransportRequest/caller`` identifies the user.
/// If a calling task is canceled, the other tasks continue to wait. The request is canceled when all calling tasks are
/// canceled.
public final class CoalescingTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let limit: Int
    private let requests: SharedWork<TransportRequest, WholeResponse, TransportError>

    /// Creates a transport that sends requests through another transport.
    /// - Parameters:
    ///   - base: The transport that sends the requests.
    ///   - limit: The maximum number of bytes of a body. The complete body is stored in memory, because several callers
    ///     read it.
    public convenience init(_ base: any HTTPTransport, limit: Int = 64 << 20) {
        self.init(base, limit: limit) { _ in }
    }

    /// - Parameter joined: Called when a caller begins to wait for a response. The argument is the number of callers
    ///   that wait for this response.
    init(_ base: any HTTPTransport, limit: Int, joined: @escaping @Sendable (Int) -> Void) {
        self.base = base
        self.limit = limit
        requests = SharedWork(cancelled: { TransportError(.cancelled) }, joined: joined)
    }

    /// True if no shared request is running.
    var isIdle: Bool { requests.isIdle }

    /// Sends a request, or waits for the response to an equal request. If the request is idempotent, the method returns
    /// after the complete body was received.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard request.isIdempotent, !request.isStream else { return try await base.send(request) }
        return try await requests.value(for: request) { [base, limit] () throws(TransportError) in
            try await WholeResponse(of: request, by: base, limit: limit)
        }.response
    }
}
