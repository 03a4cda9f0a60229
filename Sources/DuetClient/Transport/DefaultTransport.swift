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
}
