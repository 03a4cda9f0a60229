import DuetResourceService

/// Compares the roles of two descriptions by what their callers see and change.
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
                if oldRead.aggregates != newRead.aggregates {
                    report(
                        newRead.aggregates ? .more : .less, .changed,
                        "the role \(name) can \(newRead.aggregates ? "" : "no longer ")request aggregates", role: name,
                        resource: resource)
                }
            }
            compareWrites(oldResource, newResource, fields, old, new)
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

    // MARK: Changes

    /// The permission for a kind of change. Fields and conditions contain columns instead of names.
    private struct Change {
        /// The condition on the rows before the change; nil for new rows.
        var before: Filter?
        /// The condition on the rows after the change; nil for removed rows.
        var after: Filter?
        /// The names of the fields that a request can set.
        var fields: Set<String> = []
        var set: [String: Operand] = [:]

        /// Creates the permission for a kind of change; nil if there is none.
        init?(_ kind: WriteRules.Kind, _ rules: WriteRules) {
            switch kind {
            case .create:
                guard let create = rules.create else { return nil }
                after = create.check
                fields = Set(create.fields)
                set = create.set
            case .update:
                guard let update = rules.update else { return nil }
                before = update.condition
                after = update.check
                fields = Set(update.fields)
                set = update.set
            case .delete:
                guard let delete = rules.delete else { return nil }
                before = delete.condition
            }
        }
    }

    private mutating func compareWrites(
        _ oldResource: Resource?, _ newResource: Resource, _ fields: [(Field?, Field?)], _ old: Role, _ new: Role
    ) {
        // A role cannot change what it does not see.
        func rules(_ resource: Resource?, _ role: Role, _ description: APIDescription) -> WriteRules {
            guard let resource, role.reads[resource.name] != nil else { return WriteRules() }
            return description.catalogue.writeRules(of: resource, for: role)
        }
        let (oldRules, newRules) = (rules(oldResource, old, self.old), rules(newResource, new, self.new))
        let (oldCatalogue, newCatalogue) = (self.old.catalogue, self.new.catalogue)
        let (resource, name) = (oldResource?.name ?? newResource.name, old.name)
        for kind in WriteRules.Kind.allCases {
            switch (Change(kind, oldRules), Change(kind, newRules)) {
            case (nil, nil): break
            case (nil, _?):
                report(.more, .added, "the role \(name) can \(kind.rawValue) rows", role: name, resource: resource)
            case (_?, nil):
                report(
                    .less, .removed, "the role \(name) can no longer \(kind.rawValue) rows", role: name,
                    resource: resource)
            case (let oldChange?, let newChange?):
                guard let oldResource else { continue }
                compare(
                    oldChange, newChange, kind, fields, name, resource,
                    columns: (
                        { Self.columns($0, oldResource, oldCatalogue) },
                        { Self.columns($0, newResource, newCatalogue) }
                    ))
            }
        }
    }

    /// - Parameter columns: The functions that replace names by columns in conditions of the two descriptions.
    private mutating func compare(
        _ old: Change, _ new: Change, _ kind: WriteRules.Kind, _ pairs: [(Field?, Field?)], _ name: String,
        _ resource: String, columns: ((Filter) -> Filter, (Filter) -> Filter)
    ) {
        let rows = kind == .create ? "new rows" : "existing rows"
        var lost: [String] = []
        var gained: [String] = []
        var hasOtherValues = false
        for (oldField, newField) in pairs {
            guard let newField else { continue }
            let shown = oldField?.name ?? newField.name
            let (was, isNow) = (
                oldField.map { old.fields.contains($0.name) } ?? false, new.fields.contains(newField.name)
            )
            if was, !isNow { lost.append(shown) }
            if isNow, !was { gained.append(shown) }
            if was == isNow, oldField.flatMap({ old.set[$0.name] }) != new.set[newField.name] { hasOtherValues = true }
        }
        func fields(_ names: [String]) -> String {
            "\(names.count == 1 ? "the field" : "the fields") \(names.joined(separator: ", "))"
        }
        if !lost.isEmpty {
            report(
                .less, .removed, "the role \(name) can no longer set \(fields(lost)) in \(rows)", role: name,
                resource: resource, member: lost.count == 1 ? lost[0] : nil)
        }
        if !gained.isEmpty {
            report(
                .more, .added, "the role \(name) can also set \(fields(gained)) in \(rows)", role: name,
                resource: resource, member: gained.count == 1 ? gained[0] : nil)
        }
        if hasOtherValues {
            report(
                .changed, .changed, "the server sets other values in \(rows) of the role \(name)", role: name,
                resource: resource)
        }
        if let before = old.before, let other = new.before {
            reportRows(Self.access(columns.0(before), columns.1(other)), "condition", kind, name, resource)
        }
        if let after = old.after, let other = new.after {
            reportRows(Self.access(columns.0(after), columns.1(other)), "check", kind, name, resource)
        }
    }

    /// Reports the effect of a different condition for a kind of change.
    private mutating func reportRows(
        _ access: DescriptionDifference.Access?, _ noun: String, _ kind: WriteRules.Kind, _ name: String,
        _ resource: String
    ) {
        guard let access else { return }
        let rows =
            switch access {
            case .more: "more rows, because its \(noun) requires less"
            case .less: "fewer rows, because its \(noun) requires more"
            case .changed: "other rows, because its \(noun) is different"
            }
        report(access, .changed, "the role \(name) can \(kind.rawValue) \(rows)", role: name, resource: resource)
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
        case .aggregate(let name, let condition, let filter):
            guard let relation = resource.relation(name), let target = catalogue[relation.target] else {
                return .aggregate(of: name, condition, filter)
            }
            return .aggregate(
                of: "\(relation.joins) \(relation.columns)",
                condition.renamed { target.field($0)?.column ?? $0 }, columns(filter, target, catalogue))
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
