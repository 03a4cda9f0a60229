/// Records when resources were invalidated, for a limited number of resources. If a resource is invalidated between a
/// request and its response, the response must not be stored.
struct Invalidations: Sendable {
    /// The number of invalidations so far. It serves as a logical clock.
    private(set) var current: UInt64 = 0
    private var last: [String: UInt64] = [:]
    /// The value of ``current`` at the last invalidation of all resources. It applies to each resource without an entry
    /// in ``last``.
    private var lastOfOthers: UInt64 = 0
    private let limit: Int

    init(limit: Int = 1000) {
        self.limit = limit
    }

    mutating func invalidate(_ resource: String) {
        if last.count >= limit { invalidateAll() }
        current += 1
        last[resource] = current
    }

    mutating func invalidateAll() {
        current += 1
        lastOfOthers = current
        last = [:]
    }

    /// Returns true if the resource has not been invalidated since ``current`` had the value `moment`.
    func permit(_ resource: String, since moment: UInt64) -> Bool {
        max(last[resource] ?? 0, lastOfOthers) <= moment
    }
}
