extension Catalogue {
    /// The parameters of a list over REST. A field may have the name of one, since an operator can follow it; a relation may not.
    static let listParameters = ["fields", "details", "first", "after", "sort", "filter", "page", "count"]

    /// The names in a filter that are neither a field, a relation nor a named filter.
    static let connectives = ["and", "or", "not"]

    func check() throws(CatalogueError) {
        try checkUnique(resources.map(\.name), "resource")
        try checkUnique(resources.map(\.type), "type")
        try checkUnique(resources.map(\.singular) + resources.map(\.name), "root field")
        for resource in resources { try check(resource) }
        try checkUnique(writes.map(\.name), "write")
        for write in writes { try check(write) }
    }

    private func check(_ resource: Resource) throws(CatalogueError) {
        let fields = resource.fields.map(\.name)
        let relations = resource.relations.map(\.name)
        try checkUnique(fields, "field", of: resource)
        try checkUnique(relations, "relation", of: resource)
        let reserved = Comparison.allCases.map(\.rawValue) + ["null"] + Self.connectives
        for name in fields + relations + resource.filters.map(\.name) + [resource.name, resource.singular] {
            guard name.wholeMatch(of: /[A-Za-z][A-Za-z0-9]*/) != nil else {
                throw CatalogueError("\(resource.name): \(name) is no name; it has letters and digits alone")
            }
        }
        for name in relations {
            guard !fields.contains(name) else {
                throw CatalogueError("\(resource.name): \(name) is both a field and a relation; rename one of them")
            }
            guard !reserved.contains(name), !Self.listParameters.contains(name), !["some", "none"].contains(name) else {
                throw CatalogueError(
                    "\(resource.name): a relation cannot be called \(name), which has a meaning of its own")
            }
        }
        for name in resource.filters.map(\.name) {
            guard !fields.contains(name), !relations.contains(name), !reserved.contains(name),
                !Self.listParameters.contains(name)
            else {
                throw CatalogueError("\(resource.name): a filter cannot be called \(name), which has another meaning")
            }
        }
        for name in fields where reserved.contains(name) && Self.connectives.contains(name) {
            throw CatalogueError("\(resource.name): a field cannot be called \(name), which has a meaning in filters")
        }
        guard !resource.key.isEmpty else { throw CatalogueError("\(resource.name) has no key") }
        let named =
            resource.key + resource.order.map(\.field) + resource.defaultFields + resource.sortFields
            + resource.entities.flatMap(\.fields)
        for name in named { _ = try resource.requiredField(name) }
        for field in resource.fields {
            guard let name = field.relation else { continue }
            guard let relation = resource.relation(name), !relation.isToMany, relation.joins.isEmpty else {
                throw CatalogueError("\(resource.name).\(field.name): \(name) is no to-one relation without joins")
            }
            guard field.isNullable || relation.size == .one(isOptional: false) else {
                throw CatalogueError("\(resource.name).\(field.name) may be NULL, because \(name) is optional")
            }
        }
        for relation in resource.relations { try check(relation, of: resource) }
        for filter in resource.filters { try check(filter, of: resource) }
    }

    private func check(_ relation: Relation, of resource: Resource) throws(CatalogueError) {
        guard let target = self[relation.target] else {
            throw CatalogueError("\(resource.name).\(relation.name) leads to \(relation.target), which is no resource")
        }
        guard !relation.columns.isEmpty, relation.joins.allSatisfy({ !$0.columns.isEmpty }) else {
            throw CatalogueError("\(resource.name).\(relation.name) names no columns to join by")
        }
        let first = relation.joins.first?.conditions ?? []
        guard !first.contains(where: { if case .differs = $0 { true } else { false } }) else {
            throw CatalogueError(
                "\(resource.name).\(relation.name): before its first table there is no other to differ from")
        }
        for order in relation.order {
            switch order {
            case .field(let name, _): _ = try target.requiredField(name)
            case .join(let index, _, _):
                guard !relation.isToMany else {
                    throw CatalogueError("\(resource.name).\(relation.name) is a list, which is ordered by fields")
                }
                guard relation.joins.indices.contains(index) else {
                    throw CatalogueError(
                        "\(resource.name).\(relation.name) is ordered by join \(index), which is not there")
                }
            }
        }
    }

    private func check(_ write: Write) throws(CatalogueError) {
        guard let resource = self[write.resource] else {
            throw CatalogueError("the write \(write.name) changes \(write.resource), which is no resource")
        }
        try checkUnique(write.keyArguments.map(\.name) + write.input.map(\.field.name), "member", of: resource)
        var keyCount = resource.key.count
        switch write.target {
        case .newItem: keyCount = 0
        case .item, .removal: break
        case .newRelated(let name), .relatedItem(let name, _):
            let target = try target(of: try resource.requiredRelation(name))
            if case .relatedItem(_, let fields) = write.target {
                for field in fields { _ = try target.requiredField(field) }
                keyCount += fields.count
            }
        }
        guard write.keyArguments.count == keyCount else {
            throw CatalogueError("\(write.name) has \(write.keyArguments.count) key arguments, but needs \(keyCount)")
        }
    }

    private func check(_ filter: NamedFilter, of resource: Resource) throws(CatalogueError) {
        switch filter.meaning {
        case .compare(let fields, _):
            guard !fields.isEmpty else {
                throw CatalogueError("\(resource.name): the filter \(filter.name) has no field")
            }
            for name in fields { _ = try resource.requiredField(name) }
        case .flag(let whenTrue, let whenFalse):
            try check(whenTrue, of: resource)
            try check(whenFalse, of: resource)
        case .some(let name, let field, let other):
            let target = try target(of: try resource.requiredRelation(name))
            _ = try target.requiredField(field)
            try check(other, of: target)
        }
    }

    private func check(_ filter: Filter, of resource: Resource) throws(CatalogueError) {
        switch filter {
        case .compare(let field, _, _), .isNull(let field, _): _ = try resource.requiredField(field)
        case .all(let filters), .any(let filters): for filter in filters { try check(filter, of: resource) }
        case .not(let filter): try check(filter, of: resource)
        case .related(let name, _, let filter):
            try check(filter, of: try target(of: try resource.requiredRelation(name)))
        }
    }

    private func checkUnique(
        _ names: [String], _ kind: String, of resource: Resource? = nil
    ) throws(CatalogueError) {
        var seen: Set<String> = []
        for name in names where !seen.insert(name).inserted {
            throw CatalogueError("\(resource.map { "\($0.name): " } ?? "")two \(kind)s are called \(name)")
        }
    }
}
