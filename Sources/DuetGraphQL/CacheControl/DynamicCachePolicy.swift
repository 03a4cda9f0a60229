internal import Synchronization

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
