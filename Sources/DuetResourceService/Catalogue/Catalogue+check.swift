import DuetResultSetJSON

extension Catalogue {
    /// The REST parameters of a list. A relation or a named filter cannot have one of these names. A field can, because
    /// clients can add an operator to the field's name in a filter parameter, as in `first.eq`.
    static let listParameters = ["fields", "details", "first", "after", "sort", "filter", "page", "count", "api"]

    /// The names of the query parameters of a read that waits for a change. A field can have such a name, as above.
    package static let waitParameters = ["wait", "since"]

    /// The members of a filter object that combine other filters.
    package static let connectives = ["and", "or", "not"]

    /// The names that a relation or a named filter cannot have, because they have another meaning in filters or
    /// queries.
    package static let reservedRelationNames: Set<String> = Set(
        Comparison.allCases.map(\.rawValue) + ["null", "some", "none"] + connectives + listParameters
            + waitParameters)

    /// The first path segments that the server uses. A resource cannot have one of these names.
    package static let reservedPaths: Set<String> = [
        "api", "batch", "comparison", "debug", "explorer", "graphql", "health", "metrics", "openapi", "problems",
        "schema",
        "whoami",
    ]

    func check() throws(CatalogueError) {
        try checkUnique(resources.map { ($0.name, [$0.name]) }, "resource")
        try checkUnique(resources.map { ($0.type, [$0.name, "type"]) }, "type")
        try checkUnique(
            resources.flatMap { [($0.name, [$0.name])] + ($0.hasItems ? [($0.singular, [$0.name, "singular"])] : []) },
            "root field"
        )
        for resource in resources { try check(resource) }
        try checkTypeNames()
        try checkUnique(writes.filter(\.hasMutation).map { ($0.name, []) }, "write")
        for write in writes { try check(write) }
    }

    private func check(_ resource: Resource) throws(CatalogueError) {
        let own = [resource.name]
        let fields = resource.fields.map(\.name)
        let relations = resource.relations.map(\.name)
        try checkUnique(fields.map { ($0, own + ["fields", $0]) }, "field", of: resource)
        try checkUnique(relations.map { ($0, own + ["relations", $0]) }, "relation", of: resource)
        let names =
            [(resource.name, own), (resource.singular, own + ["singular"]), (resource.type, own + ["type"])]
            + fields.map { ($0, own + ["fields", $0]) } + relations.map { ($0, own + ["relations", $0]) }
            + resource.filters.map { ($0.name, own + ["filters", $0.name]) }
        for (name, path) in names {
            guard name.isName, !name.utf8.contains(UInt8(ascii: "_")) else {
                throw CatalogueError(
                    "\(resource.name): \"\(name)\" is not a valid name; a name consists of ASCII letters and digits, and begins with a letter",
                    at: path)
            }
        }
        guard !Self.reservedPaths.contains(resource.name) else {
            throw CatalogueError(
                "a resource cannot be called \(resource.name), because the path /\(resource.name) belongs to the server",
                at: own)
        }
        for name in relations {
            let path = own + ["relations", name]
            guard !fields.contains(name) else {
                throw CatalogueError(
                    "\(resource.name): \(name) is both a field and a relation; rename one of them", at: path)
            }
            guard !Self.reservedRelationNames.contains(name) else {
                throw CatalogueError(
                    "\(resource.name): a relation cannot be called \(name), because this name has another meaning",
                    at: path)
            }
        }
        for name in resource.filters.map(\.name) {
            guard !fields.contains(name), !relations.contains(name), !Self.reservedRelationNames.contains(name) else {
                throw CatalogueError(
                    "\(resource.name): a filter cannot be called \(name), because this name has another meaning",
                    at: own + ["filters", name])
            }
        }
        if !resource.writes.isEmpty {
            for (name, path) in names where name == Resource.entityTagName {
                throw CatalogueError(
                    "\(resource.name): no member of a writable resource can be called \(name), because this name has another meaning in GraphQL",
                    at: path)
            }
        }
        for name in fields where Self.connectives.contains(name) {
            throw CatalogueError(
                "\(resource.name): a field cannot be called \(name), because this name has a meaning in filters",
                at: own + ["fields", name])
        }
        var constants: [String: String] = [:]
        for name in resource.sortFields {
            if let other = constants.updateValue(name, forKey: name.screamingSnakeCase), other != name {
                throw CatalogueError(
                    "\(resource.name): \(other) and \(name) have the same GraphQL name \(name.screamingSnakeCase) in orders; rename one of them",
                    at: own + ["fields", name])
            }
        }
        let named =
            resource.key + resource.order.map(\.field) + resource.defaultFields + resource.sortFields
            + resource.entities.flatMap(\.fields)
        for name in named { _ = try resource.requiredField(name) }
        guard !resource.fields.isEmpty else { throw CatalogueError("\(resource.name) has no fields", at: own) }
        for field in resource.keyFields where field.relation != nil || !field.type.isOrdered {
            throw CatalogueError(
                "\(resource.name).\(field.name) cannot be part of the key; a key consists of ordered columns of the table itself",
                at: own + ["fields", field.name])
        }
        for field in resource.keyFields where field.type.isComparedInUTC {
            throw CatalogueError(
                "\(resource.name).\(field.name) cannot be part of the key, because different stored values can be the same time",
                at: own + ["fields", field.name])
        }
        for field in resource.fields {
            let path = own + ["fields", field.name]
            if resource.sortFields.contains(field.name), !field.type.isOrdered {
                throw CatalogueError(
                    "\(resource.name).\(field.name) has a type without an order; remove it from sort", at: path)
            }
            if field.nullifiesMismatches, !field.isNullable || resource.key.contains(field.name) {
                throw CatalogueError(
                    "\(resource.name).\(field.name) has mismatch: null, so it must be nullable and cannot be part of the key; add nullable: true",
                    at: path)
            }
            if case .dateTime(isUTC: false, let form) = field.type, form != .sql, form != .iso {
                throw CatalogueError(
                    "\(resource.name).\(field.name) is a dateTime, which has no time zone, but a time with stored: \(form.rawValue) is a point in time; use type: timestamp, stored: \(form.rawValue)",
                    at: path)
            }
            guard let name = field.relation else { continue }
            guard let relation = resource.relation(name), !relation.isToMany, relation.joins.isEmpty else {
                throw CatalogueError(
                    "\(resource.name).\(field.name): \(name) is not a to-one relation without joins", at: path)
            }
            guard field.isNullable || relation.size == .one(isOptional: false) else {
                throw CatalogueError(
                    "\(resource.name).\(field.name) must be nullable, because \(name) is optional", at: path)
            }
        }
        for field in resource.fields where field.relation == nil && resource.hiddenColumns.contains(field.column) {
            throw CatalogueError(
                "\(resource.name): the column \(field.column) is hidden, but the field \(field.name) shows it; remove one of them",
                at: own + ["hidden"])
        }
        for relation in resource.relations { try check(relation, of: resource) }
        for filter in resource.filters { try check(filter, of: resource) }
        try checkCondition(of: resource, resource.condition)
    }

    /// Checks a condition on the rows of a resource.
    func checkCondition(of resource: Resource, _ condition: Filter) throws(CatalogueError) {
        guard !condition.isEverything else { return }
        try check(condition, of: resource, canHaveParameters: true)
        try checkCondition(condition, of: resource)
    }

    /// Checks that a condition compares only fields of the resource's own table. The statement would otherwise need the
    /// table of another resource, whose condition can exclude rows.
    private func checkCondition(_ condition: Filter, of resource: Resource) throws(CatalogueError) {
        switch condition {
        case .compare(let name, _, _), .isNull(let name, _):
            guard try resource.requiredField(name).relation == nil else {
                throw CatalogueError(
                    "\(resource.name): the condition cannot compare \(name), which is a column of another table; use the relation",
                    at: [resource.name, "condition"])
            }
        case .all(let filters), .any(let filters):
            for filter in filters { try checkCondition(filter, of: resource) }
        case .not(let filter): try checkCondition(filter, of: resource)
        case .related, .aggregate: break
        }
    }

    /// Checks that all resources of an intermediate table have the same condition, because a relation refers to the
    /// table and not to one of the resources.
    private func check(_ join: Relation.Join, _ path: [String]) throws(CatalogueError) {
        let resources = resources.filter { $0.table.lowercased() == join.table.lowercased() }
        guard let first = resources.first, let other = resources.first(where: { $0.condition != first.condition })
        else { return }
        throw CatalogueError(
            "the relation leads through the table \(join.table), but \(first.name) and \(other.name) have different conditions for its rows; use the same condition",
            at: path)
    }

    private func check(_ relation: Relation, of resource: Resource) throws(CatalogueError) {
        let path = [resource.name, "relations", relation.name]
        guard let target = self[relation.target] else {
            throw CatalogueError(
                "\(resource.name).\(relation.name) leads to \(relation.target), which is not a resource", at: path)
        }
        guard !relation.columns.isEmpty, relation.joins.allSatisfy({ !$0.columns.isEmpty }) else {
            throw CatalogueError("\(resource.name).\(relation.name) has no join columns", at: path)
        }
        for join in relation.joins { try check(join, path) }
        let first = relation.joins.first?.conditions ?? []
        guard !first.contains(where: { if case .differs = $0 { true } else { false } }) else {
            throw CatalogueError(
                "\(resource.name).\(relation.name): a condition of the first join cannot refer to a previous table",
                at: path)
        }
        for order in relation.order {
            switch order {
            case .field(let name, _): _ = try target.requiredField(name)
            case .join(let index, _, _):
                guard !relation.isToMany else {
                    throw CatalogueError(
                        "\(resource.name).\(relation.name) is a list; lists are ordered by fields only", at: path)
                }
                guard relation.joins.indices.contains(index) else {
                    throw CatalogueError(
                        "\(resource.name).\(relation.name) is ordered by join \(index), which does not exist", at: path)
                }
            }
        }
    }

    private func check(_ write: Write) throws(CatalogueError) {
        guard let resource = self[write.resource] else {
            throw CatalogueError("the write \(write.name) changes \(write.resource), which is not a resource")
        }
        if write.origin == .derived {
            for argument in write.keyArguments
            where write.place == .item && Write.argumentNames.contains(argument.name) {
                throw CatalogueError(
                    "\(resource.name): the field \(argument.name) of the key cannot have this name if rows can be written, because mutations have an argument \(argument.name); rename the field",
                    at: [resource.name, "fields", argument.name])
            }
        } else {
            try checkUnique(
                (write.keyArguments.map(\.name) + write.input.map(\.field.name)).map { ($0, []) }, "member",
                of: resource)
        }
        let changed = try changedResource(of: write)
        switch (write.kind, write.place) {
        case (.insert, .list), (.insert, .related), (.update, .item), (.delete, .item): break
        case (.replace, .item), (.update, .list), (.delete, .list):
            guard write.origin == .derived else {
                throw CatalogueError("\(write.name): a declared write cannot be of this kind in this place")
            }
        case (.upsert, .relatedItem(_, let fields)):
            let shown = try shownResource(of: write)
            for field in fields { _ = try shown.requiredField(field) }
        case (.delete, .relatedItem) where write.link != nil: break
        default: throw CatalogueError("\(write.name): a write of this kind cannot have this place")
        }
        for input in write.input {
            guard let field = changed.field(input.field.name), field.relation == nil, field.isWritable else {
                throw CatalogueError(
                    "\(write.name) sets \(input.field.name), which is not a writable column of \(changed.name)",
                    at: [changed.name, "writes"])
            }
        }
        let keyCount = try keyFields(of: write).count
        guard write.keyArguments.count == keyCount else {
            throw CatalogueError("\(write.name) has \(write.keyArguments.count) key arguments, but needs \(keyCount)")
        }
    }

    private func check(_ filter: NamedFilter, of resource: Resource) throws(CatalogueError) {
        switch filter.meaning {
        case .compare(let fields, let comparison):
            guard !fields.isEmpty else {
                throw CatalogueError(
                    "\(resource.name): the filter \(filter.name) has no field",
                    at: [resource.name, "filters", filter.name])
            }
            for name in fields {
                guard try resource.requiredField(name).type.comparisons.contains(comparison) else {
                    throw CatalogueError(
                        "\(resource.name): the filter \(filter.name) compares \(name) by \(comparison.rawValue), which its type does not support",
                        at: [resource.name, "filters", filter.name])
                }
            }
        case .flag(let whenTrue, let whenFalse):
            try check(whenTrue, of: resource)
            try check(whenFalse, of: resource)
        case .some(let name, let field, let other):
            let target = try target(of: try resource.requiredRelation(name))
            _ = try target.requiredField(field)
            try check(other, of: target)
        }
    }

    private func check(
        _ filter: Filter, of resource: Resource, canHaveParameters: Bool = false
    ) throws(CatalogueError) {
        switch filter {
        case .compare(let name, let comparison, let operands):
            guard try resource.requiredField(name).type.comparisons.contains(comparison) else {
                throw CatalogueError(
                    "\(resource.name): \(name) cannot be compared by \(comparison.rawValue), because of its type")
            }
            let parameters = operands.filter { $0.value == nil }
            guard parameters.isEmpty || canHaveParameters else {
                throw CatalogueError("\(resource.name): a named filter that compares \(name) cannot have parameters")
            }
            guard operands.count == 1 || (comparison == .in && parameters.isEmpty) else {
                throw CatalogueError(
                    "\(resource.name): the comparison of \(name) by \(comparison.rawValue) needs one operand")
            }
        case .isNull(let field, _): _ = try resource.requiredField(field)
        case .all(let filters), .any(let filters):
            for filter in filters { try check(filter, of: resource, canHaveParameters: canHaveParameters) }
        case .not(let filter): try check(filter, of: resource, canHaveParameters: canHaveParameters)
        case .related(let name, _, let filter):
            try check(
                filter, of: try target(of: try resource.requiredRelation(name)), canHaveParameters: canHaveParameters)
        case .aggregate(let name, let condition, let filter):
            let target = try target(of: try resource.requiredRelation(name))
            for aggregate in condition.aggregates { _ = try target.field(of: aggregate) }
            try check(filter, of: target, canHaveParameters: canHaveParameters)
        }
    }

    private func checkUnique(
        _ names: [(name: String, path: [String])], _ kind: String, of resource: Resource? = nil
    ) throws(CatalogueError) {
        var seen: Set<String> = []
        for (name, path) in names where !seen.insert(name).inserted {
            throw CatalogueError("\(resource.map { "\($0.name): " } ?? "")two \(kind)s are called \(name)", at: path)
        }
    }
}
