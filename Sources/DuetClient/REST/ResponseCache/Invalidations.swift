/// The times at which resources were invalidated, in a bounded number: a response that was requested before, and arrives after, must
/// not be stored.
struct Invalidations: Sendable {
    /// The number of the last invalidation.
    private(set) var current: UInt64 = 0
    private var last: [String: UInt64] = [:]
    /// The last invalidation of all resources that have no entry.
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

    /// True if the resource was not invalidated since the time at which ``current`` was `moment`.
    func permit(_ resource: String, since moment: UInt64) -> Bool {
        max(last[resource] ?? 0, lastOfOthers) <= moment
    }
}
