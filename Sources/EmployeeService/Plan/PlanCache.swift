import BoundedCache
import JSON
import Synchronization

/// Plans by what asked for them. Bounded, so that clients who ask ever new questions take no memory, and displace no plan that
/// is used again.
final class PlanCache: Sendable {
    private let plans: Mutex<SegmentedLRU<UTF8Text, ReadPlan>>
    /// A longer question is planned each time.
    private static let longestKey = 512

    init(capacity: Int) {
        plans = Mutex(SegmentedLRU(maximumCount: capacity))
    }

    /// The plan kept under that key, or a new one, kept from now on.
    func plan(_ key: String, make: () throws -> ReadPlan) throws -> ReadPlan {
        let text = UTF8Text(key)
        if let plan = plans.withLock({ $0.use(text) }) { return plan }
        let plan = try make()
        guard key.utf8.count <= Self.longestKey else { return plan }
        _ = plans.withLock { $0.insert(plan, for: text) }
        return plan
    }
}
