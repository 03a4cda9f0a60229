import DuetGraphQL
import DuetResourceService

/// The statistics of the caches of a router, or of several routers.
struct CacheStatistics: Sendable {
    /// The caches of prepared GraphQL operations.
    var operations = (hits: 0, misses: 0, count: 0, bytes: 0)
    /// The caches of plans for REST.
    var plans = (hits: 0, misses: 0, count: 0)

    init() {}

    init(_ style: RESTStyle, _ operations: PreparedOperationCache) {
        let prepared = operations.statistics
        self.operations = (prepared.hits, prepared.misses, prepared.count, prepared.bytes)
        plans = style.planStatistics
    }

    /// The statistics after the caches are removed: the counts of hits and misses, without entries.
    var removed: CacheStatistics {
        var removed = self
        removed.operations.count = 0
        removed.operations.bytes = 0
        removed.plans.count = 0
        return removed
    }

    static func + (left: CacheStatistics, right: CacheStatistics) -> CacheStatistics {
        var sum = left
        sum.operations.hits += right.operations.hits
        sum.operations.misses += right.operations.misses
        sum.operations.count += right.operations.count
        sum.operations.bytes += right.operations.bytes
        sum.plans.hits += right.plans.hits
        sum.plans.misses += right.plans.misses
        sum.plans.count += right.plans.count
        return sum
    }
}
