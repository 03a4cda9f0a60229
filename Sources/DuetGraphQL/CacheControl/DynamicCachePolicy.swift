internal import Synchronization

/// What resolvers say of a response while it is made. Without a word of theirs it takes two loads, and no lock at any time.
struct DynamicCachePolicy: ~Copyable, Sendable {
    private let maxAge = Atomic<Int>(.max)
    private let isPrivate = Atomic<Bool>(false)

    func restrict(_ other: CachePolicy) {
        // Who reads it has waited for the resolvers, so no order is needed here.
        maxAge.min(other.maxAge, ordering: .relaxed)
        if other.scope == .private { isPrivate.store(true, ordering: .relaxed) }
    }

    var policy: CachePolicy {
        CachePolicy(
            maxAge: maxAge.load(ordering: .relaxed), scope: isPrivate.load(ordering: .relaxed) ? .private : .public)
    }
}

extension OperationContext {
    /// Makes the policy of the response stricter than the schema says, for what a resolver knows only when it runs. It may be called
    /// by any resolver, at the same time as others.
    public func restrictCachePolicy(_ policy: CachePolicy) { dynamicCachePolicy.restrict(policy) }

    /// The policy of a response without errors; nil if the operation is no query.
    var cachePolicy: CachePolicy? {
        guard var policy = plan.cachePolicy else { return nil }
        policy.restrict(dynamicCachePolicy.policy)
        return policy
    }
}
