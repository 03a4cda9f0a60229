import DuetResourceService

/// Compares the roles of two descriptions by what their callers see.
struct RoleComparison {
    private let old: APIDescription
    private let new: APIDescription
    private(set) var differences: [DescriptionDifference] = []

    /// The matching resources of the two descriptions, with the pairs of their matching fields.
    private let resources: [(old: Resource?, new: Resource?, fields: [(Field?, Field?)])]

    init(_ old: APIDescription, _ new: APIDescription) {
        self.old = old
        self.new = new
        guard !old.roles.isEmpty, !new.roles.isEmpty else {
            resources = []
            return
        }
        let pairs = DescriptionComparison.pairs(
            old.catalogue.resources, new.catalogue.resources, name: \.name, same: { $0.table == $1.table })
        resources = pairs.map { old, new in
            let fields = DescriptionComparison.pairs(
                old?.fields ?? [], new?.fields ?? [], name: \.name,
                same: { $0.column == $1.column && $0.relation == $1.relation })
            return (old, new, fields)
        }
    }

    mutating func compare() {
        switch (old.roles.isEmpty, new.roles.isEmpty) {
        case (true, true): return
        case (true, false):
            return report(.less, .added, "there are roles, so callers see only what a role gives to them")
        case (false, true): return report(.more, .removed, "there are no roles, so every caller sees all resources")
        case (false, false): break
        }
        guard let oldRoles = try? old.resolvedRoles(), let newRoles = try? new.resolvedRoles() else {
            return report(.changed, .changed, "the roles have errors, so they cannot be compared")
        }
        let pairs = DescriptionComparison.pairs(oldRoles, newRoles, name: \.role.name, same: { _, _ in false })
        for (oldRole, newRole) in pairs {
            switch (oldRole, newRole) {
            case (let oldRole?, let newRole?):
                compare(oldRole.role, newRole.role)
            case (let role?, nil):
                report(.less, .removed, "the role \(role.role.name) was removed", role: role.role.name)
            case (nil, let role?):
                report(.more, .added, "the role \(role.role.name) was added", role: role.role.name)
            case (nil, nil): break
            }
        }
    }

    private mutating func report(
        _ access: DescriptionDifference.Access?, _ kind: DescriptionDifference.Kind, _ message: String,
        role: String? = nil, resource: String? = nil, member: String? = nil
    ) {
        var difference = DescriptionDifference(
            isBreaking: access?.givesLess ?? false, kind, resource: resource, member: member, message: message)
        difference.role = role
        difference.access = access
        differences.append(difference)
    }

    // MARK: Resources

    private mutating func compare(_ old: Role, _ new: Role) {
        let name = old.name
        for (oldResource, newResource, fields) in resources {
            // The comparison of the descriptions reports the resources that were removed.
            guard let newResource else { continue }
            let resource = oldResource?.name ?? newResource.name
            switch (oldResource.flatMap { old.reads[$0.name] }, new.reads[newResource.name]) {
            case (nil, nil): break
            case (nil, _?):
                report(
                    .more, .added, "the role \(name) sees the \(oldResource == nil ? "new " : "")resource", role: name,
                    resource: resource)
            case (_?, nil):
                report(.less, .removed, "the role \(name) no longer sees the resource", role: name, resource: resource)
            case (let oldRead?, let newRead?):
                guard let oldResource else { continue }
                compareFields(
                    fields, Set(self.old.catalogue.visibleFields(of: oldResource, for: old).map(\.name)),
                    Set(self.new.catalogue.visibleFields(of: newResource, for: new).map(\.name)), resource, name)
                compareRows(
                    Self.columns(oldRead.condition, oldResource, self.old.catalogue),
                    Self.columns(newRead.condition, newResource, self.new.catalogue), resource, name)
                compareOrders(oldRead, newRead, resource, name)
            }
        }
    }

    /// - Parameters:
    ///   - pairs: The matching fields of the two descriptions.
    ///   - old: The names of the fields that the role saw before.
    ///   - new: The names of the fields that the role sees.
    private mutating func compareFields(
        _ pairs: [(Field?, Field?)], _ old: Set<String>, _ new: Set<String>, _ resource: String, _ name: String
    ) {
        var gained: [String] = []
        var lost: [String] = []
        for (oldField, newField) in pairs {
            // The comparison of the descriptions reports the fields that were removed.
            guard let newField else { continue }
            let wasVisible = oldField.map { old.contains($0.name) } ?? false
            switch (wasVisible, new.contains(newField.name)) {
            case (true, false): lost.append(oldField?.name ?? newField.name)
            case (false, true): gained.append(newField.name)
            default: break
            }
        }
        func fields(_ names: [String]) -> String {
            "the \(names.count == 1 ? "field" : "fields") \(names.joined(separator: ", "))"
        }
        if !lost.isEmpty {
            report(
                .less, .removed, "the role \(name) no longer sees \(fields(lost))", role: name,
                resource: resource, member: lost.count == 1 ? lost[0] : nil)
        }
        if !gained.isEmpty {
            report(
                .more, .added, "the role \(name) also sees \(fields(gained))", role: name, resource: resource,
                member: gained.count == 1 ? gained[0] : nil)
        }
    }

    // MARK: Rows and orders

    private mutating func compareRows(_ old: Filter, _ new: Filter, _ resource: String, _ name: String) {
        guard let access = Self.access(old, new) else { return }
        let message =
            switch access {
            case .more where new == .everything: "the role \(name) sees all rows"
            case .more: "the role \(name) sees more rows, because its condition requires less"
            case .less where old == .everything: "the role \(name) sees only the rows that satisfy a condition"
            case .less: "the role \(name) sees fewer rows, because its condition requires more"
            case .changed: "the role \(name) sees other rows, because its condition is different"
            }
        report(access, .changed, message, role: name, resource: resource)
    }

    private mutating func compareOrders(_ old: Role.Read, _ new: Role.Read, _ resource: String, _ name: String) {
        if old.order != new.order {
            report(
                nil, .changed, "the default order of lists is different for the role \(name)", role: name,
                resource: resource)
        }
        for relation in Set(old.relationOrders.keys).union(new.relationOrders.keys).sorted()
        where old.relationOrders[relation] != new.relationOrders[relation] {
            report(
                nil, .changed, "the relation \(relation) has a different order for the role \(name)", role: name,
                resource: resource, member: relation)
        }
    }

    /// Returns a condition with the columns of its fields and relations instead of their names, so that renamed fields
    /// are equal and fields with other columns are not.
    private static func columns(_ filter: Filter, _ resource: Resource, _ catalogue: Catalogue) -> Filter {
        func column(_ name: String) -> String { resource.field(name)?.column ?? name }
        switch filter {
        case .compare(let name, let comparison, let operands): return .compare(column(name), comparison, operands)
        case .isNull(let name, let isNull): return .isNull(column(name), isNull)
        case .all(let filters): return .all(filters.map { columns($0, resource, catalogue) })
        case .any(let filters): return .any(filters.map { columns($0, resource, catalogue) })
        case .not(let filter): return .not(columns(filter, resource, catalogue))
        case .related(let name, let exists, let filter):
            guard let relation = resource.relation(name), let target = catalogue[relation.target] else {
                return .related(name, exists: exists, filter)
            }
            return .related(
                "\(relation.joins) \(relation.columns)", exists: exists, columns(filter, target, catalogue))
        }
    }

    /// Compares two conditions; nil if they are equal.
    private static func access(_ old: Filter, _ new: Filter) -> DescriptionDifference.Access? {
        guard old != new else { return nil }
        // Each further requirement excludes rows, and each further alternative includes rows.
        if case .any(let oldParts) = old, case .any(let newParts) = new {
            if Set(oldParts).isSubset(of: newParts) { return .more }
            if Set(newParts).isSubset(of: oldParts) { return .less }
            return .changed
        }
        let (oldParts, newParts) = (Set(requirements(of: old)), Set(requirements(of: new)))
        if newParts.isSubset(of: oldParts) { return .more }
        if oldParts.isSubset(of: newParts) { return .less }
        return .changed
    }

    private static func requirements(of filter: Filter) -> [Filter] {
        if case .all(let filters) = filter { filters } else { [filter] }
    }
}
