import DuetResourceService
import DuetSQLDatabase
import Yams

/// A resource whose filters have not been read yet.
struct ResourceDraft {
    var resource: Resource
    var filters: [YAMLObject.Member]
}

extension DescriptionReader {
    func resource(_ member: YAMLObject.Member) -> ResourceDraft? {
        let name = member.name
        guard let object = object(member.value, name, ResourceMapping.self) else { return nil }
        let singular = read(\.singular, of: object)
        let type = read(\.type, of: object)
        let fieldObject = object[\.fields].flatMap { names($0.value, "\(name).\($0.name)") }
        if let fieldObject, fieldObject.members.isEmpty {
            report(object[\.fields]?.mark, "\(name) needs at least one field")
        }
        let relations = object[\.relations].flatMap { names($0.value, "\(name).\($0.name)") }
        let filters = object[\.filters].flatMap { names($0.value, "\(name).\($0.name)") }
        let relationNames = Set(relations?.members.map(\.name) ?? [])
        setRelations(relationNames, of: name)
        let fields = fieldObject?.members.compactMap { field($0, of: name, relationNames) } ?? []
        if let fieldObject { checkFieldNames(object, name, Set(fieldObject.members.map(\.name))) }
        let structures = [object.name(of: \.fields), object.name(of: \.relations), object.name(of: \.filters)]
        for member in object.object.members where !structures.contains(member.name) {
            note([name, member.name], member.value.mark)
        }
        let table = read(\.table, of: object) ?? name
        let key = read(\.key, of: object) ?? []
        let (pageSize, typicalSize) = (read(\.pageSize, of: object), read(\.typicalSize, of: object))
        let collection: Resource.Collection =
            switch read(\.list, of: object) ?? .pages {
            case .pages: .pages(size: pageSize.map(Int.init) ?? ResourceService.defaultPageSize)
            case .whole: .few(typical: typicalSize.map(Int.init) ?? 10)
            case .none: .none
            }
        var resource = Resource(
            name, singular: singular ?? name, type: type ?? name, table: table,
            description: read(\.description, of: object) ?? DefaultText.resource(table), fields: fields, key: key,
            order: order(object[\.order]), defaultFields: read(\.defaultFields, of: object),
            sortFields: read(\.sort, of: object) ?? [],
            relations: relations?.members.compactMap { relation($0, of: name) } ?? [], collection: collection,
            hasItems: read(\.items, of: object) ?? true, entities: entities(object, name),
            maxAge: read(\.maxAge, of: object).map(Int.init) ?? 0)
        resource.hiddenColumns = read(\.hidden, of: object) ?? []
        resource.isAggregated = read(\.aggregates, of: object) ?? true
        resource.maximumScan = read(\.maxScan, of: object).map(Int.init)
        if let kinds = read(\.writes, of: object) { resource.writes = .permitting(kinds, of: resource) }
        for filter in filters?.members ?? [] { note([name, "filters", filter.name], filter.mark) }
        return ResourceDraft(resource: resource, filters: filters?.members ?? [])
    }

    /// Reports the names in `key`, `defaultFields`, `sort`, `order` and `entities` that are not fields of the resource.
    private func checkFieldNames(_ object: MappedObject<ResourceMapping>, _ name: String, _ fields: Set<String>) {
        setFields(fields, of: name)
        for list in [object[\.key], object[\.defaultFields], object[\.sort], object[\.order]] {
            for node in list?.value.nodes ?? [] {
                guard let text = node.text, let order = SortField(orderText: text) else { continue }
                checkName(order.field, node.mark, name, "field", among: fields)
            }
        }
        for entity in object[\.entities].flatMap({ YAMLObject($0.value) })?.members ?? [] {
            for node in entity.value.nodes {
                guard let text = node.text else { continue }
                checkName(text, node.mark, name, "field", among: fields)
            }
        }
    }

    private func entities(_ object: MappedObject<ResourceMapping>, _ name: String) -> [Resource.Entity]? {
        guard let member = object[\.entities] else { return nil }
        guard let entities = names(member.value, "\(name).\(member.name)") else { return nil }
        return entities.members.map { Resource.Entity($0.name, texts($0)?.map(\.text) ?? []) }
    }

    /// Reads fields in the form `hireDate` or `hireDate desc`.
    func order(_ member: YAMLObject.Member?) -> [SortField] {
        guard let member else { return [] }
        return (texts(member) ?? []).compactMap { text, mark in
            guard let order = SortField(orderText: text) else {
                report(
                    mark,
                    "\(member.name) must list fields, each optionally followed by asc or desc, not \"\(text)\"")
                return nil
            }
            return order
        }
    }

    // MARK: Relations

    private func relation(_ member: YAMLObject.Member, of resource: String) -> Relation? {
        let path = "\(resource).\(member.name)"
        note([resource, "relations", member.name], member.mark)
        guard let object = object(member.value, path, RelationMapping.self) else { return nil }
        let target = read(\.to, of: object)
        if let target { add(Reference(path: path, target: target, field: nil, mark: object[\.to]?.value.mark)) }
        let size = size(object, path)
        let columns = self.columns(object[\.columns], object[\.collations], path)
        var joins: [Relation.Join] = []
        if let through = object[\.through] {
            guard case .sequence(let nodes) = through.value else {
                report(through.value.mark, "\(path): through must be a list of tables")
                return nil
            }
            joins = nodes.compactMap { join($0, path) }
            guard joins.count == nodes.count else { return nil }
        }
        let order = relationOrder(object[\.order], to: object[\.to]?.value.text, path)
        guard let target, let size, let columns else { return nil }
        return Relation(
            member.name, to: target, size, through: joins, on: columns, order: order,
            equality: read(\.equality, of: object),
            description: read(\.description, of: object) ?? DefaultText.relation(to: target, joins, columns))
    }

    private func size(_ object: MappedObject<RelationMapping>, _ path: String) -> Relation.Size? {
        switch alternative(object, path)?.required.first {
        case object.name(of: \.one): return read(\.one, of: object).map { .one(isOptional: $0 == .optional) }
        case object.name(of: \.few): return read(\.few, of: object).map { .few(typical: Int($0)) }
        case object.name(of: \.many): return read(\.many, of: object).map { .many(pageSize: Int($0)) }
        default: return nil
        }
    }

    /// Reads columns in the form `{column: column of the next table}`.
    private func pairs(_ member: YAMLObject.Member?, _ path: String) -> [Relation.ColumnPair]? {
        guard let member, let columns = anyObject(member.value, "\(path).\(member.name)") else { return nil }
        if columns.members.isEmpty {
            report(member.mark, "\(path).\(member.name) must name columns: {column: column of the next table}")
        }
        return columns.members.compactMap { column in
            text(column.value, "\(path).\(member.name).\(column.name)").map { Relation.ColumnPair(column.name, $0) }
        }
    }

    /// Reads the columns of a relation or a join, with their collations.
    private func columns(
        _ columns: YAMLObject.Member?, _ collations: YAMLObject.Member?, _ path: String
    ) -> [Relation.ColumnPair]? {
        var columns = pairs(columns, path)
        for pair in pairs(collations, path) ?? [] {
            let mark = collations?.value.mark
            guard let index = columns?.firstIndex(where: { $0.from == pair.from }) else {
                report(mark, "\(path).collations: \(pair.from) is not one of the names in columns")
                continue
            }
            guard pair.to.wholeMatch(of: /[A-Za-z0-9_]+/) != nil else {
                report(mark, "\(path).collations: \"\(pair.to)\" is not the name of a collation such as NOCASE")
                continue
            }
            columns?[index].collation = pair.to
        }
        return columns
    }

    private func join(_ node: Node, _ path: String) -> Relation.Join? {
        guard let object = object(node, "\(path).through", JoinMapping.self),
            let table = read(\.table, of: object),
            let columns = columns(object[\.columns], object[\.collations], path)
        else { return nil }
        var conditions: [Relation.Condition] = []
        if let member = object[\.conditions], let equal = anyObject(member.value, "\(path).\(member.name)") {
            for column in equal.members {
                guard let value = value(column.value) else {
                    report(column.value.mark, "\(path).where: \(column.name) must equal a text, a number or a date")
                    continue
                }
                conditions.append(.equal(column.name, value))
            }
        }
        for pair in pairs(object[\.differs], path) ?? [] {
            conditions.append(.differs(pair.from, fromPrevious: pair.to))
        }
        return Relation.Join(
            table, on: columns, where: conditions, isEnforced: read(\.enforced, of: object) ?? true)
    }

    /// Reads the order of a relation. It consists of fields of the target, and of columns of intermediate tables, such
    /// as `{through: 1, column: from_date, descending: true}`.
    /// - Parameter target: The name of the resource whose fields are checked; nil to check none.
    func relationOrder(_ member: YAMLObject.Member?, to target: String?, _ path: String) -> [Relation.Order] {
        guard let member else { return [] }
        return member.value.nodes.compactMap { node in
            if let text = node.text {
                guard let order = SortField(orderText: text) else {
                    report(
                        node.mark,
                        "\(path).order must list fields, each optionally followed by asc or desc, not \"\(text)\"")
                    return nil
                }
                if let target { add(Reference(path: path, target: target, field: order.field, mark: node.mark)) }
                return .field(order.field, descending: order.descending)
            }
            guard let order = self.object(node, "\(path).order", JoinOrderMapping.self),
                let column = read(\.column, of: order), let index = read(\.through, of: order)
            else { return nil }
            return .join(Int(index) - 1, column: column, descending: read(\.descending, of: order) ?? false)
        }
    }
}

extension SortField {
    /// Creates a sort field from a text: a field, optionally followed by ` asc` or ` desc`. The result is nil for any
    /// other text.
    init?(orderText text: String) {
        let parts = text.split(separator: " ")
        switch (parts.count, parts.last) {
        case (1, _): self.init(text)
        case (2, "asc"): self.init(String(parts[0]))
        case (2, "desc"): self.init(String(parts[0]), descending: true)
        default: return nil
        }
    }

    /// The order in the format of descriptions: `hireDate desc`.
    var orderText: String { descending ? "\(field) desc" : field }
}
