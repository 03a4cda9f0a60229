import DuetJSON
import DuetResourceService
import Yams

/// A role whose conditions and values have not been read yet.
struct RoleDraft {
    var definition: RoleDefinition
    /// The parts of the role's entries that depend on the fields of resources, keyed by the resource of the entry.
    var parts: [String: [RolePart: YAMLObject.Member]] = [:]
}

extension DescriptionReader {
    /// Reads roles, except their conditions and values, which refer to the catalogue.
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
        guard let object = object(member.value, path, PermissionMapping.self) else { return }
        var entry = RoleEntry(member.name, writes: Role.Writes())
        var parts: [RolePart: YAMLObject.Member] = [:]
        if let read = permission(object[\.read], .read, ReadMapping.self, &entry, place) {
            entry.read = Role.Read(
                fields: fields(read[\.fields], read[\.except], .read, of: member.name, rolePath),
                order: order(read, of: member.name, rolePath),
                relationOrders: relationOrders(read[\.relations], of: member.name, place, rolePath))
            entry.read?.aggregates = self.read(\.aggregate, of: read) ?? false
            parts[.readCondition] = read[\.condition]
        }
        if let create = permission(object[\.create], .create, CreateMapping.self, &entry, place) {
            entry.writes.create = .init(
                fields: fields(create[\.fields], create[\.except], .create, of: member.name, rolePath))
            parts[.createSet] = create[\.set]
            parts[.createCheck] = create[\.check]
        }
        if let update = permission(object[\.update], .update, UpdateMapping.self, &entry, place) {
            entry.writes.update = .init(
                fields: fields(update[\.fields], update[\.except], .update, of: member.name, rolePath))
            parts[.updateCondition] = update[\.condition]
            parts[.updateSet] = update[\.set]
            parts[.updateCheck] = update[\.check]
        }
        if let delete = permission(object[\.delete], .delete, DeleteMapping.self, &entry, place) {
            entry.writes.delete = WriteRules.Delete()
            parts[.deleteCondition] = delete[\.condition]
        }
        draft.definition.entries.append(entry)
        draft.parts[member.name] = parts
    }

    /// Reads the permission for an action. If the entry takes the permission away, the function notes it in the entry.
    /// - Returns: The members of the permission; nil if there is none.
    private func permission<Mapping>(
        _ member: YAMLObject.Member?, _ action: RoleAction, _ type: Mapping.Type, _ entry: inout RoleEntry,
        _ place: RolePlace
    ) -> MappedObject<Mapping>? {
        guard let member else { return nil }
        let path = "roles.\(place.role).\(entry.resource).\(member.name)"
        // The location of a permission to read is that of the entry.
        if action != .read { note(RolePlace(place.role, path: place.path + [member.name]), member.mark) }
        if member.value.text == PermissionMapping.none {
            entry.removed.insert(action)
            return nil
        }
        guard case .mapping = member.value else {
            let all =
                switch action {
                case .read: "all fields and rows"
                case .create, .update: "all that the resource permits"
                case .delete: "all visible rows"
                }
            report(
                member.value.mark,
                "\(path) must be a mapping, or \(PermissionMapping.none), not \(member.value.kindName); for \(all), write {}"
            )
            return nil
        }
        guard let object = self.object(member.value, path, Mapping.self) else { return nil }
        for part in object.object.members {
            note(RolePlace(place.role, path: place.path + [member.name, part.name]), part.value.mark ?? part.mark)
        }
        return object
    }

    /// Reads the members `fields` and `except`.
    private func fields(
        _ fields: YAMLObject.Member?, _ except: YAMLObject.Member?, _ action: RoleAction, of resource: String,
        _ path: String
    ) -> Role.Read.Fields {
        func names(_ member: YAMLObject.Member) -> [String] {
            let found = texts(member) ?? []
            for (name, mark) in found { check(name, mark, of: resource, path, "field", fieldNames) }
            return found.map(\.text)
        }
        guard let fields else { return except.map { .except(names($0)) } ?? .all }
        // A new row can consist of values that the server sets, and of default values.
        if fields.value.nodes.isEmpty, action != .create {
            let advice = action == .read ? "to hide the resource" : "to permit no change"
            report(
                fields.mark,
                "\(path).\(resource): \(fields.name) must name at least one field; \(advice), write \(action.rawValue): none"
            )
        }
        return .only(names(fields))
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

    // MARK: Conditions and values

    /// Returns a role with its conditions and values.
    func role(_ draft: RoleDraft, _ catalogue: Catalogue) -> RoleDefinition {
        var role = draft.definition
        for index in role.entries.indices {
            let name = role.entries[index].resource
            let parts = draft.parts[name] ?? [:]
            for part in RolePart.allCases {
                guard let member = parts[part] else { continue }
                let path =
                    "roles.\(role.name).\(name)" + (part == .readCondition ? "" : ".\(part.action.rawValue)")
                if part.isSet {
                    readSet(member, part, &role.entries[index], path, catalogue)
                } else {
                    readCondition(member.value, part, &role.entries[index], path, catalogue)
                }
            }
            checkKinds(of: role.entries[index], role.name, catalogue)
        }
        return role
    }

    /// Reports the changes that an entry permits and its resource does not.
    private func checkKinds(of entry: RoleEntry, _ role: String, _ catalogue: Catalogue) {
        guard let resource = catalogue[entry.resource] else { return }
        let permitted = resource.writes.kinds
        for kind in WriteRules.Kind.allCases where entry.permits(RoleAction(kind)) && !permitted.contains(kind) {
            let needed = permitted.union([kind])
            let all = WriteRules.Kind.allCases
            let advice =
                needed.count == all.count
                ? "all" : "[\(all.filter(needed.contains).map(\.rawValue).joined(separator: ", "))]"
            report([
                RoleProblem(
                    place: RolePlace(role, "resources", entry.resource, kind.rawValue),
                    message:
                        "roles.\(role): \(resource.name) does not permit \(kind.rawValue); add writes: \(advice) to the resource"
                )
            ])
        }
    }

    private func readCondition(
        _ node: Node, _ part: RolePart, _ entry: inout RoleEntry, _ path: String, _ catalogue: Catalogue
    ) {
        guard case .object(let json) = json(node), !json.members.isEmpty else {
            let all = part.name == "check" ? "for no condition" : "for all rows"
            report(
                node.mark,
                "\(path): \(part.name) must be a filter such as {customerId: {eq: {claim: customer}}}; \(all), omit it")
            return
        }
        func condition(_ resource: Resource) -> Result<Filter, PartError> {
            PartError.result { try catalogue.condition(json, of: resource, named: part.name) }
        }
        if let resource = catalogue[entry.resource] {
            switch condition(resource) {
            case .success(let condition): entry[condition: part] = condition
            case .failure(let error): report(node.mark, "\(path): \(error.message)")
            }
            return
        }
        guard let first = differences(condition, part, &entry, node.mark, path, catalogue, "condition") else { return }
        entry[condition: part] = first.value
        if !first.others.isEmpty { entry.conditions[part] = first.others }
    }

    private func readSet(
        _ member: YAMLObject.Member, _ part: RolePart, _ entry: inout RoleEntry, _ path: String,
        _ catalogue: Catalogue
    ) {
        guard let object = names(member.value, "\(path).\(part.name)") else { return }
        guard !object.members.isEmpty else {
            report(member.mark, "\(path).\(part.name) is empty; add a value, or remove it")
            return
        }
        if case .only(let names)? = part == .createSet ? entry.writes.create?.fields : entry.writes.update?.fields {
            for value in object.members where names.contains(value.name) {
                report(
                    value.mark, "\(path): \(value.name) is in fields and in \(part.name); remove it from one of them")
            }
        }
        let values = object.members.map { ($0, json($0.value)) }
        if let resource = catalogue[entry.resource] {
            for (value, json) in values {
                guard let field = resource.field(value.name) else {
                    let known = Set(resource.fields.map(\.name))
                    checkName(value.name, value.mark, "\(path): \(resource.name)", "field", among: known)
                    continue
                }
                switch PartError.result({ try catalogue.operand(json, of: field) }) {
                case .success(let operand): entry[set: part][value.name] = operand
                case .failure(let error): report(value.value.mark, "\(path): \(part.name).\(error.message)")
                }
            }
            return
        }
        let all = fieldNames.values.reduce(into: Set<String>()) { $0.formUnion($1) }
        let unknown = values.map { $0.0 }.filter { !all.contains($0.name) }
        for value in unknown {
            report(
                value.mark,
                "\(path): no resource has a field \(value.name)\(nearestName.hint(value.name, among: all.sorted()))")
        }
        guard unknown.isEmpty else { return }
        func set(_ resource: Resource) -> Result<[String: Operand], PartError> {
            PartError.result {
                var set: [String: Operand] = [:]
                for (value, json) in values {
                    guard let field = resource.field(value.name), field.relation == nil else {
                        throw PartError(message: "\(resource.name) has no column with the field \(value.name)")
                    }
                    set[value.name] = try catalogue.operand(json, of: field)
                }
                return set
            }
        }
        guard let first = differences(set, part, &entry, member.mark, path, catalogue, "values") else { return }
        entry[set: part] = first.value
        if !first.others.isEmpty { entry.sets[part] = first.others }
    }

    /// Reads a part of an entry for all resources. The function adds the resources to which it cannot apply to the
    /// entry, and reports an error if it can apply to no resource.
    /// - Returns: The value for the first resource, and the different values of other resources.
    private func differences<Value: Equatable>(
        _ value: (Resource) -> Result<Value, PartError>, _ part: RolePart, _ entry: inout RoleEntry, _ mark: Mark?,
        _ path: String, _ catalogue: Catalogue, _ noun: String
    ) -> (value: Value, others: [String: Value])? {
        var first: Value?
        var others: [String: Value] = [:]
        var misfits: [String: String] = [:]
        let candidates = entry.candidates(for: part.action, in: catalogue)
        for resource in candidates {
            switch value(resource) {
            case .success(let value):
                if let first, value != first { others[resource.name] = value }
                first = first ?? value
            case .failure(let error): misfits[resource.name] = error.message
            }
        }
        if !misfits.isEmpty { entry.misfits[part] = misfits }
        guard let first else {
            if let reason = candidates.first.flatMap({ misfits[$0.name] }) {
                let subject = noun == "condition" ? "the condition" : "the \(noun) of \(part.name)"
                report(mark, "\(path): \(subject) can apply to no resource: \(reason)")
            }
            return nil
        }
        return (first, others)
    }
}

/// The reason why a part of an entry cannot apply to a resource.
private struct PartError: Error {
    let message: String

    static func result<Value>(_ body: () throws -> Value) -> Result<Value, PartError> {
        do {
            return .success(try body())
        } catch let error as ServiceError {
            return .failure(PartError(message: error.detail))
        } catch let error as PartError {
            return .failure(error)
        } catch {
            return .failure(PartError(message: "\(error)"))
        }
    }
}
