import DuetGraphQL
import DuetGraphQLHTTP

/// The caching settings of responses. Each setting has a flag and an environment variable.
package struct CachingSettings: Sendable {
    /// The upper limit of a response's `max-age` in seconds. The cache policy of the data may specify a shorter age.
    /// `nil` for no limit.
    package var maximumAge: Int?
    /// The value of `s-maxage` in seconds, which shared caches use instead of `max-age` (RFC 9111 §5.2.2.10); `nil` to
    /// omit it.
    package var sharedMaximumAge: Int?
    /// The number of seconds for which a cache may use a stale response while it revalidates the response (RFC 5861
    /// §3).
    package var staleWhileRevalidate: Int?
    /// True to send the cache tags of a response, so that caches can purge the response by tag. The cache tags identify
    /// the entities on which the response depends.
    package var namesEntities = true

    package init() {}

    /// Returns the `Cache-Control` value of a response without errors.
    ///
    /// A response that must not be reused without validation may still be stored. The cache then sends the entity tag
    /// of the response to revalidate it, and usually receives a 304.
    func cacheControl(_ policy: CachePolicy) -> String {
        policy.cacheControl(
            maximumAge: maximumAge, sharedMaximumAge: sharedMaximumAge, staleWhileRevalidate: staleWhileRevalidate)
    }
}
