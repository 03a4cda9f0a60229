import DuetGraphQL
import DuetGraphQLHTTP

/// The caching settings of responses. Each setting has a flag and an environment variable.
package struct CachingSettings: Sendable {
    /// The maximum age of a response in seconds, which limits the age in the schema; `nil` for no additional limit.
    package var maximumAge: Int?
    /// The maximum age in shared caches in seconds, where it replaces ``maximumAge`` (RFC 9111 §5.2.2.10).
    package var sharedMaximumAge: Int?
    /// The number of seconds for which a cache may use a stale response while it revalidates the response (RFC 5861
    /// §3).
    package var staleWhileRevalidate: Int?
    /// True if responses contain the names of the entities that they show, so that caches can purge them by entity.
    package var namesEntities = true

    package init() {}

    /// Returns the `Cache-Control` value of a response without errors.
    ///
    /// A response that must not be reused without validation may still be stored. The cache then revalidates it with
    /// its entity tag and usually receives a 304.
    func cacheControl(_ policy: CachePolicy) -> String {
        policy.cacheControl(
            maximumAge: maximumAge, sharedMaximumAge: sharedMaximumAge, staleWhileRevalidate: staleWhileRevalidate)
    }
}
