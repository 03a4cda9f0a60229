/// Sends an HTTP request and receives its response.
///
/// Retries, persisted queries, caches and request coalescing are built on this protocol and work with any transport.
/// ``DefaultTransport/make()`` creates the transport of the platform. A test or an app can implement its own transport.
///
/// Cancelling the task that calls ``send(_:)``, or that reads the body, cancels the request. Releasing the body also
/// cancels the request.
public protocol HTTPTransport: Sendable {
    /// Sends a request and returns when the head of the response arrives.
    ///
    /// A response with any status is returned. An error means that there is no response.
    /// - Throws: ``TransportError``.
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse
}
