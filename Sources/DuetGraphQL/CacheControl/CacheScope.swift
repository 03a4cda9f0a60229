/// The caches that may store a response.
public enum CacheScope: String, Sendable, Hashable, CaseIterable {
    /// All caches, because the response is the same for all clients.
    case `public` = "PUBLIC"
    /// Only the cache of the client that sent the request.
    case `private` = "PRIVATE"
}
