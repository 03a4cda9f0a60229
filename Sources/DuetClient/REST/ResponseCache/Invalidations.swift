/// The moments at which resources were invalidated. The number of entries is limited. A response must not be stored if
/// it was requested before the invalidation of its resource and arrives after it.
struct Invalidations: Sendable {
    /// The number of the last invalidation.
    private(set) var current: UInt64 = 0
    private var last: [String: UInt64] = [:]
    /// The last invalidation of a resource that has no entry.
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

    /// Returns true if the resource was not invalidated since ``current`` had the value `moment`.
    func permit(_ resource: String, since moment: UInt64) -> Bool {
        max(last[resource] ?? 0, lastOfOthers) <= moment
    }
}
