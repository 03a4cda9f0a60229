import JSON
import Synchronization

/// Plans by what asked for them. Bounded: when it is full it begins anew, so that clients who ask ever new questions cost
/// others a plan now and then, and no memory.
final class PlanCache: Sendable {
    private let capacity: Int
    private let plans = Mutex<[UTF8Text: ReadPlan]>([:])
    /// A longer question is planned each time.
    private static let longestKey = 512

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The plan kept under that key, or a new one, kept from now on.
    func plan(_ key: String, make: () throws -> ReadPlan) throws -> ReadPlan {
        let text = UTF8Text(key)
        if let plan = plans.withLock({ $0[text] }) { return plan }
        let plan = try make()
        guard key.utf8.count <= Self.longestKey else { return plan }
        plans.withLock { plans in
            if plans.count >= capacity { plans.removeAll(keepingCapacity: true) }
            plans[text] = plan
        }
        return plan
    }
}
