public import SQLDatabase
import Synchronization

/// What one GraphQL request asks of the service besides its operation, and what answering it has shown. A transport gives it along
/// as the request's user context.
public final class RequestRecord: Sendable {
    private struct State {
        var cost = Answer.Cost()
        var tags = EntityTags()
    }

    /// Whether the response's tags are wanted.
    let namesEntities: Bool
    private let state = Mutex(State())

    /// When the request's transactions must have ended; `nil` for the service's request timeout for each of them.
    let deadline: Deadline?

    /// A request.
    /// - Parameters:
    ///   - namesEntities: Whether the response's tags are wanted.
    ///   - deadline: When its transactions must have ended; by default, each has the service's request timeout.
    public init(namesEntities: Bool = false, deadline: Deadline? = nil) {
        self.namesEntities = namesEntities
        self.deadline = deadline
    }

    /// What the fields have cost in the database, together; what the response shows, and what was written, where that was asked for.
    public var result: (cost: Answer.Cost, tags: EntityTags) { state.withLock { ($0.cost, $0.tags) } }

    func add(_ cost: Answer.Cost, _ tags: EntityTags) {
        state.withLock { state in
            state.cost = state.cost + cost
            state.tags.formUnion(tags)
        }
    }
}
