internal import Synchronization

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

/// The caches that may store a response.
public enum CacheScope: String, Sendable, Hashable, CaseIterable {
    /// All caches, because the response is the same for all clients.
    case `public` = "PUBLIC"
    /// Only the cache of the client that sent the request.
    case `private` = "PRIVATE"
}

/// The restrictions that resolvers add to the policy of a response during execution. Reading them takes two atomic
/// loads. No access takes a lock.
struct DynamicCachePolicy: ~Copyable, Sendable {
    private let maxAge = Atomic<Int>(.max)
    private let isPrivate = Atomic<Bool>(false)

    func restrict(_ other: CachePolicy) {
        // The reader has waited for the resolvers, so no ordering is necessary.
        maxAge.min(other.maxAge, ordering: .relaxed)
        if other.scope == .private { isPrivate.store(true, ordering: .relaxed) }
    }

    var policy: CachePolicy {
        CachePolicy(
            maxAge: maxAge.load(ordering: .relaxed), scope: isPrivate.load(ordering: .relaxed) ? .private : .public)
    }
}

extension OperationContext {
    /// Restricts the cache policy of the response in addition to the restrictions of the schema. A resolver calls this
    /// method for restrictions that depend on data. Resolvers can call this method concurrently.
    public func restrictCachePolicy(_ policy: CachePolicy) { dynamicCachePolicy.restrict(policy) }

    /// The policy of a response without errors; nil if the operation is not a query.
    var cachePolicy: CachePolicy? {
        guard var policy = plan.cachePolicy else { return nil }
        policy.restrict(dynamicCachePolicy.policy)
        return policy
    }
}
