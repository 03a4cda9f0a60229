import DuetGraphQL
import DuetSQLDatabase
import Synchronization

/// The state that the resolvers of one request share: the deadline, the total cost and the names of the entities. A
/// record is the user context of the execution.
final class RequestRecord: Sendable {
    private struct State {
        var cost = Answer.Cost()
        var tags = EntityTags()
    }

    let namesEntities: Bool
    let deadline: Deadline
    private let state = Mutex(State())

    init(namesEntities: Bool, deadline: Deadline) {
        self.namesEntities = namesEntities
        self.deadline = deadline
    }

    /// The total cost, and the names of the entities of all fields.
    var result: (cost: Answer.Cost, tags: EntityTags) { state.withLock { ($0.cost, $0.tags) } }

    func add(_ cost: Answer.Cost, _ tags: EntityTags) {
        state.withLock { state in
            state.cost = state.cost + cost
            state.tags.formUnion(tags)
        }
    }
}

extension OperationContext {
    /// The record of the request; nil if the operation is executed without ``GraphQLStyle``.
    var record: RequestRecord? { userContext as? RequestRecord }
}
