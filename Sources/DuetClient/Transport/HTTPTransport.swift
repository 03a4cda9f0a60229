/// Sends an HTTP request and receives its response.
///
/// Retries, persisted queries, caches and request coalescing use this protocol, and therefore work with any transport.
/// ``DefaultTransport/make()`` creates the transport of the platform. A test or an app can implement a different
/// transport.
///
/// A request is canceled in three cases: the task that calls ``send(_:)`` is canceled, the task that reads the body is
/// canceled, or the body is released.
public protocol HTTPTransport: Sendable {
    /// Sends a request and returns as soon as the head of the response arrives.
    ///
    /// Returns a response with any status. Throws an error only if there is no response.
    /// - Throws: ``TransportError``.
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse
}
