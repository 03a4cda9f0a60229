import DuetGraphQL
import DuetGraphQLHTTP

/// What the server tells caches; each has a flag and an environment variable.
package struct CachingSettings: Sendable {
    /// Most seconds that a response may be reused without asking, where the schema allows more; `nil`: as the schema says.
    package var maximumAge: Int?
    /// The same for caches that many clients share, in place of what holds for a client's own (RFC 9111 §5.2.2.10).
    package var sharedMaximumAge: Int?
    /// Seconds for which a cache may go on to use what is too old, while it asks for the new one (RFC 5861 §3).
    package var staleWhileRevalidate: Int?
    /// Whether responses name the entities they show, for caches that can be told to forget these.
    package var namesEntities = true

    package init() {}

    /// `Cache-Control` of a response without errors.
    ///
    /// What may not be reused at all may still be kept: the next time a cache asks with its entity tag, and mostly hears that
    /// nothing has changed.
    func cacheControl(_ policy: CachePolicy) -> String {
        policy.cacheControl(
            maximumAge: maximumAge, sharedMaximumAge: sharedMaximumAge, staleWhileRevalidate: staleWhileRevalidate)
    }
}
