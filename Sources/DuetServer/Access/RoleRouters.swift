import DuetResourceService
import Synchronization

/// The router of a role.
struct RoleRouter: Sendable {
    let policy: RolePolicy
    let router: Router
    /// The GraphQL routes of the router.
    let graphQL: GraphQLRoutes
    /// The statistics of the caches of the router's handlers.
    let statistics: @Sendable () -> CacheStatistics
}

/// The routers of all roles. A router is created at the first request of a caller with the role, so the start of a
/// server does not depend on the number of roles. The total size of the cached routers is bounded.
final class RoleRouters: Sendable {
    /// The maximum number of resources of all cached routers. A router needs about 35 KB for each resource.
    private static let maximumResources = 10_000

    private enum Content {
        case creating(Task<RoleRouter, any Error>)
        case ready(RoleRouter, resources: Int)
    }

    private struct Entry {
        var content: Content
        var lastUse: Int
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// The number of uses of all routers.
        var uses = 0
        /// The statistics of the removed routers.
        var removed = CacheStatistics()
    }

    private let state = Mutex(State())
    private let create: @Sendable (Role) throws -> RoleRouter

    /// - Parameter create: Creates the router of a role. It runs outside the event loops.
    init(create: @escaping @Sendable (Role) throws -> RoleRouter) {
        self.create = create
    }

    /// Returns the router of a role. Concurrent calls create one router.
    func router(of role: Role) async throws -> RoleRouter {
        let content = state.withLock { state in
            state.uses += 1
            state.entries[role.name]?.lastUse = state.uses
            if let known = state.entries[role.name] { return known.content }
            let content = Content.creating(Task.detached { [create] in try create(role) })
            state.entries[role.name] = Entry(content: content, lastUse: state.uses)
            return content
        }
        switch content {
        case .ready(let router, _): return router
        case .creating(let task):
            let result = await task.result
            state.withLock { state in
                // After a failure, another call may already have begun to create the router again.
                guard case .creating(task) = state.entries[role.name]?.content else { return }
                switch result {
                case .success(let router):
                    state.entries[role.name]?.content = .ready(router, resources: role.reads.count + 1)
                    Self.removeUnused(&state, except: role.name)
                case .failure: state.entries[role.name] = nil
                }
            }
            return try result.get()
        }
    }

    /// Removes the least recently used routers until the total size is within the limit.
    private static func removeUnused(_ state: inout State, except name: String) {
        var ready = state.entries.compactMap { name, entry -> (name: String, lastUse: Int, resources: Int)? in
            if case .ready(_, let resources) = entry.content { (name, entry.lastUse, resources) } else { nil }
        }
        var total = ready.reduce(0) { $0 + $1.resources }
        guard total > maximumResources else { return }
        ready.sort { $0.lastUse < $1.lastUse }
        for candidate in ready where total > maximumResources && candidate.name != name {
            total -= candidate.resources
            if case .ready(let router, _)? = state.entries.removeValue(forKey: candidate.name)?.content {
                state.removed = state.removed + router.statistics().removed
            }
        }
    }

    /// The statistics of the caches of all routers.
    var statistics: CacheStatistics {
        state.withLock { state in
            state.entries.values.reduce(state.removed) { total, entry in
                if case .ready(let router, _) = entry.content { total + router.statistics() } else { total }
            }
        }
    }
}
