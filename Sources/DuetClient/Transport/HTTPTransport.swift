/// Sends one HTTP request and receives one response.
///
/// Everything else is above it and works with any transport: retries, persisted queries, caches, and one request for several equal
/// ones. ``DefaultTransport/make()`` returns the one of the platform; a test or an app can have its own.
///
/// Cancelling the task that calls ``send(_:)``, or that reads the body, cancels the request. A body that nothing refers to any more
/// cancels it as well.
public protocol HTTPTransport: Sendable {
    /// Sends a request and returns as soon as the head of the response is there.
    ///
    /// A response of any status is a response; only a request without one is an error.
    /// - Throws: ``TransportError``.
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse
}
