import DuetResourceService

extension APIDescription {
    /// Checks that the roles can be resolved, and that each of them fits the catalogue.
    /// - Throws: ``DescriptionError`` with the locations of the errors.
    func checkRoles() throws {
        let resolver = try RoleResolver.checked(self)
        var problems: [RoleProblem] = []
        // The roles that include an entry have the same errors.
        var known: Set<[String]> = []
        for role in roles {
            for problem in self.problems(of: resolver.resolve(role)) {
                let (place, reason) = problem
                guard known.insert([place.role] + place.path + [reason]).inserted else { continue }
                problems.append(RoleProblem(place: place, message: "roles.\(role.name): \(reason)"))
            }
        }
        guard problems.isEmpty else { throw error(problems) }
    }

    private func problems(of resolved: ResolvedRole) -> [(RolePlace, String)] {
        var problems = joinOrderProblems(of: resolved)
        var role = resolved.role
        // An error in an order or in a permission to make changes does not prevent the check of the other parts.
        while true {
            do {
                try catalogue.check(role)
                return problems
            } catch {
                problems.append((place(of: error.member, error.resource, resolved), error.description))
                switch error.member {
                case .order where role.reads[error.resource]?.order != []: role.reads[error.resource]?.order = []
                case .relation(let name)
                where catalogue[error.resource]?.relation(name) != nil
                    && role.reads[error.resource]?.relationOrders[name] != []:
                    role.reads[error.resource]?.relationOrders[name] = []
                case .write(let kind, _): role.writes[error.resource]?.remove(kind)
                default: return problems
                }
            }
        }
    }

    /// Returns the errors in orders by columns of intermediate tables.
    private func joinOrderProblems(of resolved: ResolvedRole) -> [(RolePlace, String)] {
        resolved.role.reads.filter { !$0.value.relationOrders.isEmpty }.sorted { $0.key < $1.key }.flatMap {
            name, read in
            read.relationOrders.sorted { $0.key < $1.key }.compactMap { relationName, orders in
                guard let relation = catalogue[name]?.relation(relationName) else { return nil }
                for case .join(let index, _, _) in orders {
                    let place = place(of: .relation(relationName), name, resolved)
                    let owner = "the order of the relation \(name).\(relationName)"
                    if relation.isToMany { return (place, "\(owner) can have only fields, because it is a list") }
                    guard relation.joins.indices.contains(index) else {
                        return (place, "\(owner) uses the intermediate table \(index + 1), which does not exist")
                    }
                }
                return nil
            }
        }
    }

    /// Returns the part of the description from which a part of a permission comes.
    private func place(of member: RoleError.Member, _ resource: String, _ resolved: ResolvedRole) -> RolePlace {
        if case .write(let kind, let part) = member { return place(of: part, of: kind, resource, resolved) }
        guard let origin = resolved.origins[resource] else { return RolePlace(resolved.role.name) }
        let path: [String] =
            switch (member, resolved.role.reads[resource]?.fields) {
            case (.resource, _), (.write, _): []
            case (.fields, .except): ["read", "except"]
            case (.fields, _): ["read", "fields"]
            case (.condition, _): ["read", "where"]
            case (.order, _): ["read", "order"]
            case (.relation(let name), _): ["read", "relations", name]
            }
        return RolePlace(origin.role, path: ["resources", origin.entry] + path)
    }

    private func place(
        of part: RoleError.WritePart?, of kind: WriteRules.Kind, _ resource: String, _ resolved: ResolvedRole
    ) -> RolePlace {
        guard let origin = resolved.origin(of: RoleAction(kind), on: resource) else {
            return RolePlace(resolved.role.name)
        }
        let writes = resolved.role.writes[resource]
        let fields = kind == .create ? writes?.create?.fields : writes?.update?.fields
        let path: [String] =
            switch (part, fields) {
            case (nil, _): []
            case (.fields, .except): ["except"]
            case (.fields, _): ["fields"]
            case (.set, _): ["set"]
            case (.condition, _): ["where"]
            case (.check, _): ["check"]
            }
        return RolePlace(origin.role, path: ["resources", origin.entry, kind.rawValue] + path)
    }
}

extension Role.Writes {
    /// Removes the permission for a kind of change.
    fileprivate mutating func remove(_ kind: WriteRules.Kind) {
        switch kind {
        case .create: create = nil
        case .update: update = nil
        case .delete: delete = nil
        }
    }
}
