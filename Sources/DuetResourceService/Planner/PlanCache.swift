import DuetBoundedCache
import DuetJSON
import Synchronization

/// A bounded cache of plans, by the view of the catalogue for which they were made and by the question. If clients
/// always send new questions, the memory remains bounded, and plans that are used repeatedly are not evicted.
final class PlanCache: Sendable {
    private struct State {
        var plans: SegmentedLRU<UTF8Text, Plan>
        var hits = 0
        var misses = 0
    }

    private let state: Mutex<State>
    /// The maximum length of a key in bytes. A plan with a longer key is not cached.
    private static let longestKey = 512

    init(capacity: Int) {
        state = Mutex(State(plans: SegmentedLRU(maximumCount: capacity)))
    }

    /// The number of hits and misses, and the number of cached plans.
    var statistics: (hits: Int, misses: Int, count: Int) {
        state.withLock { ($0.hits, $0.misses, $0.plans.count) }
    }

    /// Returns the cached plan for a view and a question, or creates and caches a new plan.
    func plan(_ view: CatalogueView, _ question: String, make: () throws -> Plan) throws -> Plan {
        let key = view.key(question)
        if let known = plan(key) { return known }
        let plan = try make()
        insert(plan, for: key)
        return plan
    }

    /// Returns the cached plan for a key of a view; nil if there is none.
    func plan(_ key: String) -> Plan? {
        let text = UTF8Text(key)
        return state.withLock { state in
            let plan = state.plans.use(text)
            if plan == nil { state.misses += 1 } else { state.hits += 1 }
            return plan
        }
    }

    /// Adds a plan for a key of a view.
    func insert(_ plan: Plan, for key: String) {
        guard key.utf8.count <= Self.longestKey else { return }
        _ = state.withLock { $0.plans.insert(plan, for: UTF8Text(key)) }
    }
}
