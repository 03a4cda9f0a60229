import DuetResourceService

extension RoleMapping {
    init(_ role: RoleDefinition, _ catalogue: Catalogue) {
        if !role.includes.isEmpty { includes = role.includes }
        if !role.entries.isEmpty {
            resources = .block(role.entries.map { ($0.resource, PermissionMapping($0, catalogue).yaml) })
        }
    }
}

extension PermissionMapping {
    fileprivate init(_ entry: RoleEntry, _ catalogue: Catalogue) {
        func value(_ action: RoleAction, _ mapping: [(name: String, value: String)]?) -> YAMLValue? {
            mapping.map { .mapping($0) } ?? (entry.removed.contains(action) ? .plain(Self.none) : nil)
        }
        func filter(_ part: RolePart) -> YAMLValue? {
            guard let condition = entry[condition: part], condition != .everything else { return nil }
            return .plain(FilterText(catalogue: catalogue).text(condition, entry.resource(of: part, in: catalogue)))
        }
        func set(_ part: RolePart) -> YAMLValue? {
            let set = entry[set: part]
            guard !set.isEmpty else { return nil }
            let resource = entry.resource(of: part, in: catalogue)
            return .mapping(
                set.sorted { $0.key < $1.key }.map { name, operand in
                    (name, FilterText.json(operand, resource?.field(name)?.type).compactText)
                })
        }
        let ofRead = entry.resource(of: .readCondition, in: catalogue)
        read = value(.read, entry.read.map { ReadMapping($0, of: ofRead, catalogue).yaml })
        create = value(
            .create,
            entry.writes.create.map { create in
                var mapping = CreateMapping()
                (mapping.fields, mapping.except) = create.fields.lists
                mapping.set = set(.createSet)
                mapping.check = filter(.createCheck)
                return mapping.yaml
            })
        update = value(
            .update,
            entry.writes.update.map { update in
                var mapping = UpdateMapping()
                mapping.condition = filter(.updateCondition)
                (mapping.fields, mapping.except) = update.fields.lists
                mapping.set = set(.updateSet)
                mapping.check = filter(.updateCheck)
                return mapping.yaml
            })
        delete = value(
            .delete,
            entry.writes.delete.map { _ in
                var mapping = DeleteMapping()
                mapping.condition = filter(.deleteCondition)
                return mapping.yaml
            })
    }
}

extension RoleEntry {
    /// Returns the resource whose fields have the types of the values in a part. For an entry for all resources, it is
    /// the first resource to which the part can apply.
    fileprivate func resource(of part: RolePart, in catalogue: Catalogue) -> Resource? {
        candidates(for: part.action, in: catalogue).first { misfits[part]?[$0.name] == nil }
    }
}

extension Role.Read.Fields {
    /// The values of the members `fields` and `except`.
    fileprivate var lists: (fields: [String]?, except: [String]?) {
        switch self {
        case .all: (nil, nil)
        case .only(let names): (names, nil)
        case .except(let names): (nil, names)
        }
    }
}

extension ReadMapping {
    fileprivate init(_ read: Role.Read, of resource: Resource?, _ catalogue: Catalogue) {
        (fields, except) = read.fields.lists
        if read.condition != .everything {
            condition = .plain(FilterText(catalogue: catalogue).text(read.condition, resource))
        }
        order = read.order.map { $0.map(\.orderText) }
        if read.aggregates { aggregate = true }
        if !read.relationOrders.isEmpty {
            relations = .mapping(
                read.relationOrders.sorted { $0.key < $1.key }.map { name, order in
                    var mapping = RelationOrderMapping()
                    mapping.order = order.yaml
                    return (name, YAMLFlow.mapping(mapping.yaml))
                })
        }
    }
}
