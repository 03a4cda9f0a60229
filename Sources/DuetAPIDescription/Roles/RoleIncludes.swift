/// The roles of a description in the order in which they can be resolved, and the errors in `includes`.
struct RoleIncludes {
    /// The roles that do not include themselves. Each role follows the roles that it includes.
    private(set) var sorted: [RoleDefinition] = []
    /// The unknown roles, and the roles that include themselves.
    private(set) var problems: [RoleProblem] = []
    private var nearestName = NearestName()

    init(_ roles: [RoleDefinition]) {
        let positions = Dictionary(roles.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        reportUnknown(roles, Set(positions.keys))
        // Kahn's algorithm. A recursive search could exhaust the stack.
        let included = roles.map { role in Set(role.includes.compactMap { positions[$0] }) }
        var includers: [[Int]] = Array(repeating: [], count: roles.count)
        for (position, others) in included.enumerated() { for other in others { includers[other].append(position) } }
        var remaining = included.map(\.count)
        var queue = roles.indices.filter { remaining[$0] == 0 }
        var next = 0
        while next < queue.count {
            let position = queue[next]
            next += 1
            for includer in includers[position].sorted() {
                remaining[includer] -= 1
                if remaining[includer] == 0 { queue.append(includer) }
            }
        }
        sorted = queue.map { roles[$0] }
        guard queue.count < roles.count else { return }
        reportCycles(roles, included, isResolved: remaining.map { $0 == 0 })
    }

    private mutating func reportUnknown(_ roles: [RoleDefinition], _ names: Set<String>) {
        for role in roles {
            for (index, name) in role.includes.enumerated() where !names.contains(name) {
                problems.append(
                    RoleProblem(
                        place: RolePlace(role.name, "includes", "\(index)"),
                        message: "roles.\(role.name) includes \(name), which is not a role"
                            + nearestName.hint(name, among: names.sorted())))
            }
        }
    }

    /// Reports each cycle once, at its first role.
    private mutating func reportCycles(_ roles: [RoleDefinition], _ included: [Set<Int>], isResolved: [Bool]) {
        var isVisited = isResolved
        for start in roles.indices where !isVisited[start] {
            // An unresolved role includes an unresolved role, so the path ends at a role that it has already visited.
            var path: [Int] = []
            var position = start
            while !isVisited[position] {
                isVisited[position] = true
                path.append(position)
                guard let next = included[position].filter({ !isResolved[$0] }).min() else { break }
                position = next
            }
            guard let first = path.firstIndex(of: position) else { continue }
            let cycle = path[first...]
            guard let top = cycle.min(), let shift = cycle.firstIndex(of: top) else { continue }
            let names = (cycle[shift...] + cycle[..<shift]).map { roles[$0].name }
            let role = roles[top]
            let others = names.dropFirst()
            problems.append(
                RoleProblem(
                    place: RolePlace(
                        role.name, "includes", "\(role.includes.firstIndex(of: others.first ?? role.name) ?? 0)"),
                    message: "roles.\(role.name) includes itself"
                        + (others.isEmpty ? "" : " through \(others.joined(separator: " and "))")))
        }
    }
}
