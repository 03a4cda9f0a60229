import DuetBoundedCache
import DuetJSON
import Synchronization

/// Plans by what asked for them. Bounded, so that clients who ask ever new questions take no memory, and displace no plan that
/// is used again.
final class PlanCache: Sendable {
    private struct State {
        var plans: SegmentedLRU<UTF8Text, Plan>
        var hits = 0
        var misses = 0
    }

    private let state: Mutex<State>
    /// A longer question is planned each time.
    private static let longestKey = 512

    init(capacity: Int) {
        state = Mutex(State(plans: SegmentedLRU(maximumCount: capacity)))
    }

    /// What it did so far, and how many plans it holds.
    var statistics: (hits: Int, misses: Int, count: Int) {
        state.withLock { ($0.hits, $0.misses, $0.plans.count) }
    }

    /// The plan kept under that key, or a new one, kept from now on.
    func plan(_ key: String, make: () throws -> Plan) throws -> Plan {
        let text = UTF8Text(key)
        let known = state.withLock { state in
            let plan = state.plans.use(text)
            if plan == nil { state.misses += 1 } else { state.hits += 1 }
            return plan
        }
        if let known { return known }
        let plan = try make()
        guard key.utf8.count <= Self.longestKey else { return plan }
        _ = state.withLock { $0.plans.insert(plan, for: text) }
        return plan
    }
}
