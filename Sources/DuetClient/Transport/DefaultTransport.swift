/// The default transport of the platform.
public enum DefaultTransport {
    /// Creates a transport with its own connections: AsyncHTTPClient if it is linked, otherwise `URLSession`.
    public static func make() -> any HTTPTransport {
        #if canImport(AsyncHTTPClient)
            AsyncHTTPClientTransport()
        #else
            URLSessionTransport()
        #endif
    }

    /// Creates a transport for complete responses. It coalesces concurrent equal requests and retries failed idempotent
    /// requests.
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
