/// Sends an HTTP request and receives its response.
///
/// Other features use this protocol and therefore work with any transport: retries, persisted queries, caches and
/// request coalescing. ``DefaultTransport/make()`` creates the transport of the platform. A test or an app can
/// implement a different transport.
///
/// A request is canceled in three cases: the task that calls ``send(_:)`` is canceled, the task that reads the body is
/// canceled, or the body is released.
public protocol HTTPTransport: Sendable {
    /// Sends a request and returns as soon as the head of the response arrives.
    ///
    /// A response is returned whatever its status is. An error means that there is no response.
    /// - Throws: ``TransportError``.
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse
}
