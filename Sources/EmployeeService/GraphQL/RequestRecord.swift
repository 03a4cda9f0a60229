public import SQLDatabase
import Synchronization

/// What one GraphQL request asks of the service besides its operation, and what answering it has shown. A transport gives it along
/// as the request's user context.
public final class RequestRecord: Sendable {
    private struct State {
        var cost = EmployeeService.Cost()
        var version: DatabaseVersion?
        var isUnchanged = false
        var tags = EntityTags()
    }

    /// Whether the response may be known already.
    private let revalidation: Revalidation?
    /// Whether the response's tags are wanted.
    let namesEntities: Bool
    private let state = Mutex(State())

    /// A request.
    /// - Parameters:
    ///   - revalidation: where the response may be known already. Of an operation with parts that are put off, or with errors, it
    ///     says nothing of use.
    ///   - namesEntities: whether the response's tags are wanted.
    public init(revalidating revalidation: Revalidation? = nil, namesEntities: Bool = false) {
        self.revalidation = revalidation
        self.namesEntities = namesEntities
    }

    /// What the fields have cost in the database, together.
    public var cost: EmployeeService.Cost { state.withLock { $0.cost } }

    /// The database's version that was read; `nil` if that was not asked for, cannot be told, or nothing was read.
    public var version: DatabaseVersion? { state.withLock { $0.version } }

    /// Whether nothing was read, because the known response is still current. The response that was made is of no use then.
    public var isUnchanged: Bool { state.withLock { $0.isUnchanged } }

    /// What the response shows, and what was written, where that was asked for.
    public var tags: EntityTags { state.withLock { $0.tags } }

    func add(_ tags: EntityTags) {
        state.withLock { $0.tags.formUnion(tags) }
    }

    func add(_ cost: EmployeeService.Cost) {
        state.withLock { state in
            state.cost.statements += cost.statements
            state.cost.nanoseconds += cost.nanoseconds
        }
    }

    /// Looks at the database's version, before anything is read of it.
    /// - Returns: whether nothing needs to be read.
    func isUnchanged(on connection: Connection) throws -> Bool {
        guard let revalidation else { return false }
        let version = try connection.version()
        return state.withLock { state in
            state.version = version
            state.isUnchanged = version != nil && version == revalidation.version
            return state.isUnchanged
        }
    }
}
