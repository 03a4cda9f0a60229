/// How long caches may keep something, and whose.
public struct CachePolicy: Sendable, Hashable {
    /// For how many seconds it may be used, 0 or more; 0 means that it should not be kept. `Int.max` says nothing of time.
    public private(set) var maxAge: Int
    /// Whose caches may keep it.
    public private(set) var scope: CacheScope

    /// That policy.
    /// - Parameter maxAge: in seconds; less than 0 is 0.
    public init(maxAge: Int = .max, scope: CacheScope = .public) {
        self.maxAge = max(0, maxAge)
        self.scope = scope
    }

    /// Says nothing: restricts no other policy.
    public static let unrestricted = CachePolicy()

    /// Makes it as strict as another: the lesser age counts, and private if either is.
    public mutating func restrict(_ other: CachePolicy) {
        maxAge = min(maxAge, other.maxAge)
        if other.scope == .private { scope = .private }
    }
}
