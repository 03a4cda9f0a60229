/// The transport of the platform.
public enum DefaultTransport {
    /// A new transport with connections of its own: AsyncHTTPClient where it is linked, otherwise `URLSession`.
    public static func make() -> any HTTPTransport {
        #if canImport(AsyncHTTPClient)
            AsyncHTTPClientTransport()
        #else
            URLSessionTransport()
        #endif
    }

    /// A new transport for whole responses: it sends equal requests at the same time once, and idempotent requests again that fail.
    /// - Parameters:
    ///   - policy: When a request is sent again.
    ///   - limit: The maximum number of bytes of a body.
    public static func makeForWholeResponses(
        retrying policy: RetryPolicy = RetryPolicy(), limit: Int = 64 << 20
    ) -> any HTTPTransport {
        CoalescingTransport(
            RetryingTransport(BufferingTransport(make(), limit: limit), policy: policy), limit: limit)
    }
}
