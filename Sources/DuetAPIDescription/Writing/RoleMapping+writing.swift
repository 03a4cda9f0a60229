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
        guard let read = entry.read else {
            self.read = .plain(Self.none)
            return
        }
        // The condition of an entry for all resources is that of the first resource to which it can apply.
        let resource = catalogue[entry.resource] ?? catalogue.resources.first { entry.misfits[$0.name] == nil }
        self.read = .mapping(ReadMapping(read, of: resource, catalogue).yaml)
    }
}

extension ReadMapping {
    fileprivate init(_ read: Role.Read, of resource: Resource?, _ catalogue: Catalogue) {
        switch read.fields {
        case .all: break
        case .only(let names): fields = names
        case .except(let names): except = names
        }
        if read.condition != .everything {
            condition = .plain(FilterText(catalogue: catalogue).text(read.condition, resource))
        }
        order = read.order.map { $0.map(\.orderText) }
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
