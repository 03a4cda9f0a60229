/// The default transport of the platform.
public enum DefaultTransport {
    /// Creates a transport with separate connections: AsyncHTTPClient if it is linked, otherwise `URLSession`.
    public static func make() -> any HTTPTransport {
        #if canImport(AsyncHTTPClient)
            AsyncHTTPClientTransport()
        #else
            URLSessionTransport()
        #endif
    }

    /// Creates a transport that returns complete responses. It sends one request for concurrent equal requests, and it
    /// retries failed idempotent requests.
    /// - Parameters:
    ///   - policy: The retry policy.
    ///   - limit: The maximum number of bytes of a body.
    public static func makeForWholeResponses(
        retrying policy: RetryPolicy = RetryPolicy(), limit: Int = 64 << 20
    ) -> any HTTPTransport {
        CoalescingTransport(
            RetryingTransport(BufferingTransport(make(), limit: limit), policy: policy), limit: limit)
    }
}
