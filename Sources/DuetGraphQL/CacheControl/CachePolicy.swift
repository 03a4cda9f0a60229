/// The time for which caches may store a response, and the caches that may store it.
public struct CachePolicy: Sendable, Hashable {
    /// The maximum age in seconds, 0 or more. 0 means that the response should not be stored. `Int.max` means that the
    /// age is not restricted.
    public private(set) var maxAge: Int
    /// The caches that may store the response.
    public private(set) var scope: CacheScope

    /// Creates a policy.
    /// - Parameters:
    ///   - maxAge: The maximum age in seconds. A negative number counts as 0.
    ///   - scope: The caches that may store the response.
    public init(maxAge: Int = .max, scope: CacheScope = .public) {
        self.maxAge = max(0, maxAge)
        self.scope = scope
    }

    /// A policy without restrictions.
    public static let unrestricted = CachePolicy()

    /// Combines the policy with another policy. The result has the smaller age, and is private if either policy is
    /// private.
    public mutating func restrict(_ other: CachePolicy) {
        maxAge = min(maxAge, other.maxAge)
        if other.scope == .private { scope = .private }
    }
}
