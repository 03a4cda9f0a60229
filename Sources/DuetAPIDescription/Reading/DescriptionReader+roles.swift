import DuetJSON
import DuetResourceService
import Yams

/// A role whose conditions have not been read yet.
struct RoleDraft {
    var definition: RoleDefinition
    /// The values of `where` in the entries of the role, keyed by the resource of the entry.
    var conditions: [String: Node] = [:]
}

extension DescriptionReader {
    /// Reads roles, except their conditions, which refer to the catalogue.
    /// - Parameter resources: The names of the resources.
    func roles(_ member: YAMLObject.Member, _ resources: Set<String>) -> [RoleDraft] {
        guard let object = names(member.value, member.name, .ofRoles) else { return [] }
        if object.members.isEmpty {
            report(
                member.mark, "\(member.name) has no roles; add one, or remove it to let every caller see all resources")
        }
        let drafts = object.members.compactMap { role($0, resources) }
        report(RoleIncludes(drafts.map(\.definition)).problems)
        return drafts
    }

    private func role(_ member: YAMLObject.Member, _ resources: Set<String>) -> RoleDraft? {
        let path = "roles.\(member.name)"
        note(RolePlace(member.name), member.mark)
        guard let object = object(member.value, path, RoleMapping.self) else { return nil }
        let includes = object[\.includes].flatMap(texts) ?? []
        if let list = object[\.includes], list.value.nodes.isEmpty {
            report(list.mark, "\(path).\(list.name) must name at least one role; add a role, or remove it")
        }
        for (index, name) in includes.enumerated() { note(RolePlace(member.name, "includes", "\(index)"), name.mark) }
        var draft = RoleDraft(definition: RoleDefinition(member.name, includes: includes.map(\.text)))
        let entries = object[\.resources].flatMap { names($0.value, "\(path).\($0.name)", .ofResources) }
        for entry in entries?.members ?? [] { read(entry, into: &draft, path, resources) }
        return draft
    }

    private func read(
        _ member: YAMLObject.Member, into draft: inout RoleDraft, _ rolePath: String, _ resources: Set<String>
    ) {
        let path = "\(rolePath).\(member.name)"
        let place = RolePlace(draft.definition.name, "resources", member.name)
        note(place, member.mark)
        if member.name != RoleEntry.anyResource, member.name.isName, !resources.contains(member.name) {
            report(
                member.mark,
                "\(rolePath): \(member.name) is not a resource"
                    + nearestName.hint(member.name, among: resources.sorted()))
        }
        guard let object = object(member.value, path, PermissionMapping.self), let read = object[\.read] else { return }
        if read.value.text == PermissionMapping.none {
            draft.definition.entries.append(RoleEntry(member.name, read: nil))
            return
        }
        guard case .mapping = read.value else {
            report(
                read.value.mark,
                "\(path).\(read.name) must be a mapping, or \(PermissionMapping.none), not \(read.value.kindName); for all fields and rows, write {}"
            )
            return
        }
        guard let object = self.object(read.value, "\(path).\(read.name)", ReadMapping.self) else { return }
        for part in object.object.members {
            note(RolePlace(place.role, path: place.path + [read.name, part.name]), part.value.mark ?? part.mark)
        }
        let orders = relationOrders(object[\.relations], of: member.name, place, rolePath)
        draft.definition.entries.append(
            RoleEntry(
                member.name,
                read: Role.Read(
                    fields: visibleFields(object, of: member.name, rolePath),
                    order: order(object, of: member.name, rolePath), relationOrders: orders)))
        if let condition = object[\.condition] { draft.conditions[member.name] = condition.value }
    }

    private func visibleFields(
        _ object: MappedObject<ReadMapping>, of resource: String, _ path: String
    ) -> Role.Read.Fields {
        func names(_ member: YAMLObject.Member) -> [String] {
            let found = texts(member) ?? []
            for (name, mark) in found { check(name, mark, of: resource, path, "field", fieldNames) }
            return found.map(\.text)
        }
        if let member = object[\.fields] {
            if member.value.nodes.isEmpty {
                report(
                    member.mark,
                    "\(path).\(resource): \(member.name) must name at least one field; to hide the resource, write read: none"
                )
            }
            return .only(names(member))
        }
        return object[\.except].map { .except(names($0)) } ?? .all
    }

    private func order(_ object: MappedObject<ReadMapping>, of resource: String, _ path: String) -> [SortField]? {
        guard let member = object[\.order] else { return nil }
        for node in member.value.nodes {
            guard let order = node.text.flatMap(SortField.init(orderText:)) else { continue }
            check(order.field, node.mark, of: resource, path, "field", fieldNames)
        }
        return order(member)
    }

    private func relationOrders(
        _ member: YAMLObject.Member?, of resource: String, _ place: RolePlace, _ path: String
    ) -> [String: [Relation.Order]] {
        guard let member, let object = names(member.value, "\(path).\(resource).\(member.name)") else { return [:] }
        var orders: [String: [Relation.Order]] = [:]
        for relation in object.members {
            note(RolePlace(place.role, path: place.path + ["read", member.name, relation.name]), relation.mark)
            check(relation.name, relation.mark, of: resource, path, "relation", relationNames)
            let relationPath = "\(path).\(resource).\(relation.name)"
            guard let value = self.object(relation.value, relationPath, RelationOrderMapping.self) else { continue }
            orders[relation.name] = relationOrder(value[\.order], to: nil, relationPath)
        }
        return orders
    }

    /// Reports the name of a field or relation that the resource of an entry does not have. For an entry for all
    /// resources, at least one of them must have it.
    private func check(
        _ name: String, _ mark: Mark?, of resource: String, _ path: String, _ kind: String,
        _ names: [String: Set<String>]
    ) {
        if resource != RoleEntry.anyResource {
            guard let known = names[resource] else { return }
            checkName(name, mark, "\(path): \(resource)", kind, among: known)
        } else if !names.values.contains(where: { $0.contains(name) }) {
            let all = names.values.reduce(into: Set<String>()) { $0.formUnion($1) }
            report(mark, "\(path): no resource has a \(kind) \(name)\(nearestName.hint(name, among: all.sorted()))")
        }
    }

    // MARK: Conditions

    /// Returns a role with its conditions.
    func role(_ draft: RoleDraft, _ catalogue: Catalogue) -> RoleDefinition {
        var role = draft.definition
        for (index, entry) in role.entries.enumerated() {
            guard let node = draft.conditions[entry.resource] else { continue }
            let path = "roles.\(role.name).\(entry.resource)"
            guard case .object(let json) = json(node), !json.members.isEmpty else {
                report(
                    node.mark,
                    "\(path): where must be a filter such as {customerId: {eq: {claim: customer}}}; for all rows, omit it"
                )
                continue
            }
            if let resource = catalogue[entry.resource] {
                switch condition(json, of: resource, catalogue) {
                case .success(let condition): role.entries[index].read?.condition = condition
                case .failure(let error): report(node.mark, "\(path): \(error.message)")
                }
            } else {
                role.entries[index] = self.entry(entry, json, node.mark, path, catalogue)
            }
        }
        return role
    }

    /// Returns an entry for all resources with its conditions. It reports an error if the condition can apply to no
    /// resource.
    private func entry(
        _ entry: RoleEntry, _ json: JSONObject, _ mark: Mark?, _ path: String, _ catalogue: Catalogue
    ) -> RoleEntry {
        var entry = entry
        var first: Filter?
        for resource in catalogue.resources {
            switch condition(json, of: resource, catalogue) {
            case .success(let condition):
                if let first, condition != first { entry.conditions[resource.name] = condition }
                first = first ?? condition
            case .failure(let error): entry.misfits[resource.name] = error.message
            }
        }
        if let first {
            entry.read?.condition = first
        } else if let reason = catalogue.resources.first.flatMap({ entry.misfits[$0.name] }) {
            report(mark, "\(path): the condition can apply to no resource: \(reason)")
        }
        return entry
    }

    /// A condition that cannot apply to a resource.
    private struct ConditionError: Error {
        let message: String
    }

    private func condition(
        _ json: JSONObject, of resource: Resource, _ catalogue: Catalogue
    ) -> Result<Filter, ConditionError> {
        do {
            return .success(try catalogue.filter(json, of: resource, readsClaims: true))
        } catch let error as ServiceError {
            return .failure(ConditionError(message: error.detail))
        } catch {
            return .failure(ConditionError(message: "\(error)"))
        }
    }
}
