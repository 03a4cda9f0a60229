package import DuetGraphQL

extension CachePolicy {
    /// Returns the value of the `Cache-Control` header field (RFC 9111 §5.2.2).
    /// - Parameters:
    ///   - maximumAge: An upper limit of `max-age` in seconds. The policy may have a lower maximum age. `nil` for no
    ///     limit.
    ///   - sharedMaximumAge: The value of `s-maxage` for a public policy: the maximum age in shared caches, in seconds.
    ///     It may exceed the maximum age of the policy. `nil` to omit `s-maxage`.
    ///   - staleWhileRevalidate: The time in seconds during which a cache may use a stale response while it revalidates
    ///     the response (RFC 5861).
    package func cacheControl(
        maximumAge: Int? = nil, sharedMaximumAge: Int? = nil, staleWhileRevalidate: Int? = nil
    ) -> String {
        let name = scope == .public ? "public" : "private"
        let shared = scope == .public ? sharedMaximumAge : nil
        let age = min(maxAge, maximumAge ?? .max)
        // `Int.max` is the maximum age of a policy without a maximum age.
        guard maxAge > 0, maxAge < .max, age > 0 || shared ?? 0 > 0 else { return "\(name), no-cache" }
        var value = "max-age=\(age), \(name)"
        if let shared { value += ", s-maxage=\(shared)" }
        if let staleWhileRevalidate { value += ", stale-while-revalidate=\(staleWhileRevalidate)" }
        return value
    }
}
