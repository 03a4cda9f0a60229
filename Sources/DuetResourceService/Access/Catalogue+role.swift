extension Catalogue {
    /// Returns the catalogue that the callers of a role see. It has only the resources, fields, relations and filters
    /// that the role may use, so routes, schemas and documents that are derived from it contain nothing else. It has
    /// the row conditions of the role, and the writes that follow from its permissions. It has no declared writes.
    ///
    /// The following follows from the permissions for resources and fields:
    ///
    /// - A relation is visible if its target and the resources of its intermediate tables are visible.
    /// - A field of a to-one relation is visible if the target is visible and its field with the same column is.
    /// - A named filter that compares values of the client is visible if all its fields are visible. A Boolean filter
    ///   is always visible. It can use fields that the role does not see, and it considers only the rows that the role
    ///   sees.
    /// - If a field of the key is not visible, the resource has no key.
    /// - Throws: The error of ``check(_:)``.
    public func restricted(to role: Role) throws(RoleError) -> Catalogue {
        try check(role)
        let restriction = RoleRestriction(catalogue: self, role: role)
        var visible: [Resource] = []
        var concealed: [Resource] = []
        for resource in resources {
            if let read = role.reads[resource.name] {
                visible.append(restriction.resource(resource, read))
            } else {
                concealed.append(resource.withoutRows)
            }
        }
        do {
            return try Catalogue(self, visible, concealed: concealed, view: CatalogueView(name: "role \(role.name)"))
        } catch {
            throw RoleError(role, error.path.first ?? "", .resource, "\(error)")
        }
    }

    /// Checks a role. This is faster than the creation of the role's catalogue.
    /// - Throws: ``RoleError`` for the first error in the role.
    public func check(_ role: Role) throws(RoleError) {
        let restriction = RoleRestriction(catalogue: self, role: role)
        for (name, read) in role.reads.sorted(by: { $0.key < $1.key }) {
            guard let resource = self[name] else {
                throw RoleError(role, name, .resource, "there is no resource \(name)")
            }
            try restriction.check(read, of: resource)
        }
        for (name, writes) in role.writes.sorted(by: { $0.key < $1.key }) {
            guard let resource = self[name] else {
                throw RoleError(role, name, .resource, "there is no resource \(name)")
            }
            guard role.reads[name] != nil else {
                throw RoleError(
                    role, name, .resource,
                    "the role cannot change \(name), because it does not see it; add the permission read")
            }
            try restriction.check(writes, of: resource)
        }
        for names in sharedJoins {
            let given = names.filter { role.reads[$0] != nil }
            guard let first = given.first,
                let other = given.first(where: { role.reads[$0]?.condition != role.reads[first]?.condition })
            else { continue }
            throw RoleError(
                role, other, .condition,
                "\(first) and \(other) have the same table, and relations lead through it, so they need the same condition"
            )
        }
    }

    /// Returns the fields of a resource that a role sees. This is faster than the creation of the role's catalogue.
    package func visibleFields(of resource: Resource, for role: Role) -> [Field] {
        RoleRestriction(catalogue: self, role: role).visibleFields(of: resource)
    }

    /// Returns the rules for the changes of a resource that a role may make. This is faster than the creation of the
    /// role's catalogue.
    package func writeRules(of resource: Resource, for role: Role) -> WriteRules {
        let restriction = RoleRestriction(catalogue: self, role: role)
        return restriction.rules(of: resource, Set(restriction.visibleFields(of: resource).map(\.name)))
    }
}

/// Creates the resources that a role sees.
private struct RoleRestriction {
    let catalogue: Catalogue
    let role: Role

    /// Returns the visible part of a resource. The permission must have been checked.
    func resource(_ resource: Resource, _ read: Role.Read) -> Resource {
        let isVisible = Set(resource.fields.filter { permits($0, of: resource) }.map(\.name))
        let key = resource.key.allSatisfy(isVisible.contains) ? resource.key : []
        let defaults = resource.defaultFields.filter(isVisible.contains)
        let (visible, concealed) = resource.relations.partitioned(by: permits)
        var copy = Resource(
            resource.name, singular: resource.singular, type: resource.type, table: resource.table,
            description: resource.description, fields: resource.fields.filter { isVisible.contains($0.name) },
            key: key, order: read.order ?? resource.order, defaultFields: defaults.isEmpty ? nil : defaults,
            sortFields: resource.sortFields.filter(isVisible.contains),
            filters: resource.filters.filter { permits($0, of: resource) },
            relations: visible.map { relation in
                var relation = relation
                if let order = read.relationOrders[relation.name] { relation.order = order }
                return relation
            },
            collection: resource.collection, hasItems: resource.hasItems, entities: entities(of: resource, isVisible),
            maxAge: resource.maxAge)
        copy.hiddenColumns = resource.hiddenColumns
        copy.maximumScan = resource.maximumScan
        copy.condition = resource.condition.and(read.condition)
        copy.isAggregated = resource.isAggregated && read.aggregates
        copy.writes = rules(of: resource, isVisible)
        copy.concealed = Resource.Concealed(
            fields: resource.concealed.fields + resource.fields.filter { !isVisible.contains($0.name) },
            relations: resource.concealed.relations + concealed)
        return copy
    }

    /// Returns the rules for the role's changes of a resource. The rules of the resource limit them.
    func rules(of resource: Resource, _ isVisible: Set<String>) -> WriteRules {
        guard let writes = role.writes[resource.name] else { return WriteRules() }
        func fields(_ given: Role.Read.Fields, _ permitted: [String], _ set: [String: Operand]) -> [String] {
            permitted.filter { name in isVisible.contains(name) && given.contains(name) && set[name] == nil }
        }
        let rules = resource.writes
        var restricted = WriteRules()
        if let own = writes.create, let whole = rules.create {
            let set = own.set.merging(whole.set) { $1 }
            restricted.create = .init(
                fields: fields(own.fields, whole.fields, set), set: set, check: whole.check.and(own.check))
        }
        if let own = writes.update, let whole = rules.update {
            let set = own.set.merging(whole.set) { $1 }
            restricted.update = .init(
                where: whole.condition.and(own.condition), fields: fields(own.fields, whole.fields, set), set: set,
                check: whole.check.and(own.check))
        }
        if let own = writes.delete, let whole = rules.delete {
            restricted.delete = .init(where: whole.condition.and(own.condition))
        }
        return restricted
    }

    // MARK: Checks

    /// Checks the permissions for changes of a resource.
    func check(_ writes: Role.Writes, of resource: Resource) throws(RoleError) {
        let rules = resource.writes
        for (kind, isGiven, isPermitted) in [
            (WriteRules.Kind.create, writes.create != nil, rules.create != nil),
            (.update, writes.update != nil, rules.update != nil),
            (.delete, writes.delete != nil, rules.delete != nil),
        ] where isGiven && !isPermitted {
            throw error(
                resource, .write(kind, nil),
                "\(resource.name) does not permit \(kind.rawValue); add it to the member writes of the resource")
        }
        if let create = writes.create {
            try check(create.fields, .create, of: resource, rules.create?.fields ?? [])
            try check(create.set, .create, of: resource)
            try check(create.check, .create, .check, of: resource)
        }
        if let update = writes.update {
            try check(update.fields, .update, of: resource, rules.update?.fields ?? [])
            try check(update.set, .update, of: resource)
            try check(update.condition, .update, .condition, of: resource)
            try check(update.check, .update, .check, of: resource)
        }
        if let delete = writes.delete { try check(delete.condition, .delete, .condition, of: resource) }
    }

    /// Checks the fields that a request can set.
    /// - Parameter permitted: The names of the fields that the resource permits.
    private func check(
        _ fields: Role.Read.Fields, _ kind: WriteRules.Kind, of resource: Resource, _ permitted: [String]
    ) throws(RoleError) {
        for name in fields.names {
            guard let field = resource.field(name) else {
                throw error(resource, .write(kind, .fields), "\(resource.name) has no field \(name)")
            }
            guard case .only = fields else { continue }
            guard permitted.contains(name) else {
                let reason =
                    resource.key.contains(name)
                    ? "it is part of the key"
                    : field.relation == nil ? "it is not writable" : "it is a column of another resource"
                throw error(
                    resource, .write(kind, .fields),
                    "\(kind.rawValue) cannot set \(resource.name).\(name), because \(reason)")
            }
            guard permits(field, of: resource) else {
                throw error(
                    resource, .write(kind, .fields),
                    "the role does not see \(resource.name).\(name), so a request cannot set it; give the role that field, or set it with the member set"
                )
            }
        }
    }

    /// Checks the values that the service sets.
    private func check(
        _ set: [String: Operand], _ kind: WriteRules.Kind, of resource: Resource
    ) throws(RoleError) {
        for name in set.keys.sorted() {
            guard let field = resource.field(name) else {
                throw error(resource, .write(kind, .set), "\(resource.name) has no field \(name)")
            }
            guard field.relation == nil else {
                throw error(
                    resource, .write(kind, .set),
                    "\(resource.name).\(name) is a column of another resource, so it cannot be set")
            }
        }
    }

    private func check(
        _ condition: Filter, _ kind: WriteRules.Kind, _ part: RoleError.WritePart, of resource: Resource
    ) throws(RoleError) {
        do {
            try catalogue.checkCondition(of: resource, condition)
        } catch let mistake {
            throw error(resource, .write(kind, part), mistake.description)
        }
    }

    func check(_ read: Role.Read, of resource: Resource) throws(RoleError) {
        switch read.fields {
        case .all: break
        case .only(let names), .except(let names):
            for name in names where resource.field(name) == nil {
                throw error(resource, .fields, "\(resource.name) has no field \(name)")
            }
        }
        if case .only(let names) = read.fields {
            for name in names {
                guard let field = resource.field(name), !permits(field, of: resource) else { continue }
                throw error(
                    resource, .fields,
                    "\(resource.name).\(name) is a column of another resource, which the role does not see; give the role that field, too"
                )
            }
        }
        guard resource.fields.contains(where: { permits($0, of: resource) }) else {
            throw error(resource, .fields, "the role sees no field of \(resource.name); give it at least one")
        }
        do {
            try catalogue.checkCondition(of: resource, read.condition)
        } catch let mistake {
            throw error(resource, .condition, mistake.description)
        }
        try checkOrders(read, of: resource)
    }

    private func checkOrders(_ read: Role.Read, of resource: Resource) throws(RoleError) {
        for sort in read.order ?? resource.order {
            guard let field = resource.field(sort.field) else {
                throw error(resource, .order, "\(resource.name) has no field \(sort.field)")
            }
            guard !permits(field, of: resource) else { continue }
            throw error(
                resource, .order,
                read.order == nil
                    ? "the default order of \(resource.name) uses \(sort.field), which the role does not see; give the role an order"
                    : "the order of \(resource.name) uses \(sort.field), which the role does not see")
        }
        for name in read.relationOrders.keys.sorted() where resource.relation(name) == nil {
            throw error(resource, .relation(name), "\(resource.name) has no relation \(name)")
        }
        for relation in resource.relations where permits(relation) {
            guard let target = catalogue[relation.target] else { continue }
            let own = read.relationOrders[relation.name]
            for case .field(let name, _) in own ?? relation.order {
                guard let field = target.field(name) else {
                    throw error(resource, .relation(relation.name), "\(target.name) has no field \(name)")
                }
                guard !permits(field, of: target) else { continue }
                let order = "the order of the relation \(resource.name).\(relation.name)"
                throw error(
                    resource, .relation(relation.name),
                    "\(order) uses \(target.name).\(name), which the role does not see"
                        + (own == nil ? "; give the role an order for this relation" : ""))
            }
        }
    }

    // MARK: Visible parts

    func visibleFields(of resource: Resource) -> [Field] { resource.fields.filter { permits($0, of: resource) } }

    /// Returns true if the role sees a field.
    private func permits(_ field: Field, of resource: Resource) -> Bool {
        guard let read = role.reads[resource.name] else { return false }
        let isGiven = read.fields.contains(field.name)
        guard isGiven, let name = field.relation else { return isGiven }
        guard let relation = resource.relation(name), permits(relation), let target = catalogue[relation.target] else {
            return false
        }
        let origins = target.fields.filter { $0.relation == nil && $0.column == field.column }
        return origins.isEmpty || origins.contains { permits($0, of: target) }
    }

    /// Returns true if the role sees a relation.
    private func permits(_ relation: Relation) -> Bool {
        role.reads[relation.target] != nil
            && relation.joins.allSatisfy { join in
                catalogue.resource(of: join).map { role.reads[$0.name] != nil } ?? true
            }
    }

    /// Returns true if the role sees a named filter. With a filter that compares values of the client, the client could
    /// find the values of a field that it does not see.
    private func permits(_ filter: NamedFilter, of resource: Resource) -> Bool {
        switch filter.meaning {
        case .flag: return true
        case .compare(let fields, _):
            return fields.allSatisfy { name in resource.field(name).map { permits($0, of: resource) } ?? false }
        case .some(let name, let field, _):
            guard let relation = resource.relation(name), permits(relation), let target = catalogue[relation.target],
                let compared = target.field(field)
            else { return false }
            return permits(compared, of: target)
        }
    }

    // MARK: Entities

    /// Returns the entities whose names the answers may contain. Without the key of the row, an answer depends on the
    /// type of the row only.
    private func entities(of resource: Resource, _ isVisible: Set<String>) -> [Resource.Entity] {
        let types = Set(catalogue.resources.filter { role.reads[$0.name] != nil }.map(\.type))
        let named = resource.entities.filter {
            types.contains($0.type) && !$0.fields.isEmpty && $0.fields.allSatisfy(isVisible.contains)
        }
        guard named.first == resource.entities.first, !named.isEmpty else {
            return [Resource.Entity(resource.type, [])] + named.filter { $0.type != resource.type }
        }
        return named
    }

    private func error(_ resource: Resource, _ member: RoleError.Member, _ description: String) -> RoleError {
        RoleError(role, resource.name, member, description)
    }
}

extension Resource {
    /// A copy with a condition that no row satisfies.
    fileprivate var withoutRows: Resource {
        var copy = self
        copy.condition = .any([])
        return copy
    }
}

extension Array {
    /// Returns the elements that satisfy a predicate, and the other elements.
    func partitioned(by isFirst: (Element) -> Bool) -> ([Element], [Element]) {
        (filter(isFirst), filter { !isFirst($0) })
    }
}

extension Role.Read.Fields {
    /// The names of the fields; empty for all fields.
    fileprivate var names: [String] {
        switch self {
        case .all: []
        case .only(let names), .except(let names): names
        }
    }

    /// True if the permission includes a field.
    fileprivate func contains(_ name: String) -> Bool {
        switch self {
        case .all: true
        case .only(let names): names.contains(name)
        case .except(let names): !names.contains(name)
        }
    }
}
