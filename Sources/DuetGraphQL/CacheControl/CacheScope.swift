/// Whose caches may keep something.
public enum CacheScope: String, Sendable, Hashable, CaseIterable {
    /// Every cache on the way, as what it keeps is the same for everybody.
    case `public` = "PUBLIC"
    /// Only that of the client who asked.
    case `private` = "PRIVATE"
}
