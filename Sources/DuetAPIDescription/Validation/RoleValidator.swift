import DuetResourceService
import Yams

/// Searches for parts of roles that have no effect, for conditions that no row or no token can satisfy, and for
/// permissions to create rows that the database cannot store.
struct RoleValidator {
    private let description: APIDescription
    private(set) var findings: [SchemaFinding] = []
    /// The reported places and messages. Roles that include an entry have the same findings.
    private var known: Set<[String]> = []

    /// A comparison of a claim with a field, or the use of a claim as the value of a field.
    private struct Use {
        let comparison: Comparison
        let type: FieldType
        /// The field, such as `orders.customerId`.
        let field: String
        let place: RolePlace
        /// True if the claim is the value of the field in changed rows.
        var isSet = false

        var isList: Bool { comparison == .in }
    }

    /// The condition of a permission, or the values that it sets.
    private enum Content {
        case condition(Filter)
        case set([String: Operand])
    }

    init(_ description: APIDescription) {
        self.description = description
    }

    mutating func validate() throws {
        let resolver = try RoleResolver.checked(description)
        for role in description.roles {
            let resolved = resolver.resolve(role)
            if resolved.role.reads.isEmpty {
                report(
                    .unusedRole, RolePlace(role.name), nil,
                    "roles.\(role.name) sees no resource; give it one, or remove it")
            }
            validateEntries(of: role, resolved, resolver)
            validateVisibility(of: role, resolver)
            validateConditions(of: resolved)
            for resource in description.catalogue.resources { validateWrites(of: resource, resolved) }
        }
    }

    private mutating func report(
        _ kind: SchemaFinding.Kind, _ place: RolePlace, _ resource: String?, _ message: String
    ) {
        guard known.insert([place.role] + place.path + [message]).inserted else { return }
        let mark = description.mark(of: place)
        findings.append(
            SchemaFinding(
                .warning, kind, file: description.places?.file, line: mark?.line, column: mark?.column,
                resource: resource, message: message))
    }

    // MARK: Entries

    /// Reports the entries that take away what the role does not have, and an entry for all resources that applies to
    /// none.
    private mutating func validateEntries(
        of role: RoleDefinition, _ resolved: ResolvedRole, _ resolver: RoleResolver
    ) {
        for entry in role.entries {
            let place = RolePlace(role.name, "resources", entry.resource)
            for action in RoleAction.allCases
            where entry.removed.contains(action) && !resolver.hasOther(entry, action, of: role) {
                report(
                    .unusedRule, action == .read ? place : RolePlace(role.name, path: place.path + [action.rawValue]),
                    entry.resource == RoleEntry.anyResource ? nil : entry.resource,
                    "roles.\(role.name).\(entry.resource): \(action.rawValue): none has no effect, because the role does not include a permission; remove the entry"
                )
            }
            guard entry.resource == RoleEntry.anyResource else { continue }
            for action in RoleAction.allCases where entry.permits(action) {
                let origins = action.kind.map { resolved.writeOrigins[$0] ?? [:] } ?? resolved.origins
                guard !origins.values.contains(where: { $0.role == role.name && $0.entry == entry.resource }) else {
                    continue
                }
                if let kind = action.kind {
                    report(
                        .unusedRule, RolePlace(role.name, path: place.path + [action.rawValue]), nil,
                        "roles.\(role.name): \(kind.rawValue) in the entry \"*\" has no effect, because no other resource that the role sees permits it; remove it"
                    )
                } else {
                    report(
                        .unusedRule, place, nil,
                        "roles.\(role.name): the entry \"*\" has no effect, because each resource has an entry; remove it"
                    )
                }
            }
        }
    }

    /// Reports the permissions to change resources that the role does not see.
    private mutating func validateVisibility(of role: RoleDefinition, _ resolver: RoleResolver) {
        for kind in WriteRules.Kind.allCases {
            for (resource, owner) in resolver.invisibleResources(kind, role.name) {
                report(
                    .unusedRule, RolePlace(owner, "resources", resource, kind.rawValue), resource,
                    "roles.\(role.name) cannot \(kind.rawValue) rows of \(resource), because it does not see them; give it the permission read"
                )
            }
        }
    }

    // MARK: Changes

    /// Reports the changes that the rules of a role never permit, and new rows that lack a required value.
    private mutating func validateWrites(of resource: Resource, _ resolved: ResolvedRole) {
        guard let writes = resolved.role.writes[resource.name], let read = resolved.role.reads[resource.name] else {
            return
        }
        func place(_ part: RolePart) -> RolePlace? {
            resolved.origin(of: part.action, on: resource.name).map {
                RolePlace($0.role, path: ["resources", $0.entry] + part.path)
            }
        }
        let shown = Set(description.catalogue.visibleFields(of: resource, for: resolved.role).map(\.name))
        for part in [RolePart.updateCondition, .deleteCondition] where !resource.key.allSatisfy(shown.contains) {
            guard let place = place(part) else { continue }
            report(
                .unusedRule, place, resource.name,
                "roles.\(place.role): \(part.action.rawValue) of \(resource.name) has no effect, because the role does not see the key (\(resource.key.joined(separator: ", "))) by which a request names a row; give it the key"
            )
        }
        let visible = ConstantValues(read.condition)
        let rows: [(RolePart, Filter)] = [
            (.updateCondition, writes.update?.condition ?? .everything),
            (.deleteCondition, writes.delete?.condition ?? .everything),
        ]
        for (part, filter) in rows where visible.exclude(filter) {
            guard let place = place(part) else { continue }
            report(
                .impossibleRule, place, resource.name,
                "roles.\(place.role): where of \(part.action.rawValue) matches no visible row of \(resource.name); to permit no change, write \(part.action.rawValue): none"
            )
        }
        var changes: [(RolePart, Filter, [String: Operand])] = []
        if let create = writes.create { changes.append((.createCheck, create.check, create.set)) }
        if let update = writes.update { changes.append((.updateCheck, update.check, update.set)) }
        for (part, filter, set) in changes {
            let after = visible.setting(set)
            guard let place = place(part), after.exclude(filter) || after.exclude(read.condition) else { continue }
            report(
                .impossibleRule, place, resource.name,
                "roles.\(place.role): no row of \(resource.name) satisfies the rules after \(part.action.rawValue), so each request is refused; correct check, set, or the condition of read"
            )
        }
        guard writes.create != nil else { return }
        let rules = description.catalogue.writeRules(of: resource, for: resolved.role).create
        let missing = resource.fields.filter { field in
            field.isRequiredForCreate && rules?.fields.contains(field.name) != true && rules?.set[field.name] == nil
        }.map(\.name)
        guard !missing.isEmpty, let origin = resolved.origin(of: .create, on: resource.name) else { return }
        report(
            .impossibleRule, RolePlace(origin.role, "resources", origin.entry, "create"), resource.name,
            "roles.\(origin.role): create of \(resource.name) cannot succeed, because new rows need values of \(missing.joined(separator: ", ")); add these fields to create or to its member set"
        )
    }

    // MARK: Conditions

    private mutating func validateConditions(of resolved: ResolvedRole) {
        var uses: [String: [Use]] = [:]
        var order: [String] = []
        for resource in description.catalogue.resources {
            for (part, content) in contents(of: resource, resolved.role) {
                guard let origin = resolved.origin(of: part.action, on: resource.name) else { continue }
                let place = RolePlace(origin.role, path: ["resources", origin.entry] + part.path)
                if case .condition(let condition) = content, condition.matchesNothing, part == .readCondition {
                    report(
                        .impossibleRule, place, resource.name,
                        "roles.\(origin.role): the condition on \(resource.name) matches no row; to hide the resource, write read: none"
                    )
                }
                for (claim, use) in claims(in: content, resource, place) {
                    if uses[claim] == nil { order.append(claim) }
                    uses[claim, default: []].append(use)
                }
            }
        }
        for claim in order { validate(claim, uses[claim] ?? []) }
        validateNesting(of: order, uses)
    }

    /// Returns the parts of a role's permissions for a resource that can use claims.
    private func contents(of resource: Resource, _ role: Role) -> [(part: RolePart, content: Content)] {
        let (read, writes) = (role.reads[resource.name], role.writes[resource.name])
        let conditions: [(RolePart, Filter?)] = [
            (.readCondition, read?.condition), (.createCheck, writes?.create?.check),
            (.updateCondition, writes?.update?.condition), (.updateCheck, writes?.update?.check),
            (.deleteCondition, writes?.delete?.condition),
        ]
        var contents: [(part: RolePart, content: Content)] = []
        for case (let part, let filter?) in conditions where filter != .everything {
            contents.append((part, .condition(filter)))
        }
        if let set = writes?.create?.set { contents.append((.createSet, .set(set))) }
        if let set = writes?.update?.set { contents.append((.updateSet, .set(set))) }
        return contents
    }

    private func claims(in content: Content, _ resource: Resource, _ place: RolePlace) -> [(String, Use)] {
        switch content {
        case .condition(let filter): claims(in: filter, resource, place)
        case .set(let set):
            set.sorted { $0.key < $1.key }.compactMap { name, operand in
                guard case .parameter(let claim) = operand, let field = resource.field(name) else { return nil }
                let use = Use(
                    comparison: .equal, type: field.type, field: "\(resource.name).\(name)", place: place, isSet: true)
                return (claim, use)
            }
        }
    }

    /// Reports a claim that no value of a token can satisfy.
    private mutating func validate(_ claim: String, _ uses: [Use]) {
        for use in uses where use.type == .binary && !use.isSet {
            report(
                .impossibleRule, use.place, Self.resource(of: use),
                "roles.\(use.place.role): the claim \(claim) is compared with \(use.field), which is binary; a token has no binary values"
            )
        }
        guard let first = uses.first else { return }
        for use in uses.dropFirst() {
            guard first.isList == use.isList, !values(of: first).isDisjoint(with: values(of: use)) else {
                return report(
                    .impossibleRule, use.place, Self.resource(of: use),
                    "roles.\(use.place.role): the claim \(claim) is \(Self.verb(of: use)) \(use.field) (\(Self.noun(of: use))) and \(use.isSet || first.isSet ? Self.verb(of: first) : "with") \(first.field) (\(Self.noun(of: first))), but no value has both types"
                )
            }
        }
    }

    /// Reports a claim that has a value in one condition and members in another one.
    private mutating func validateNesting(of claims: [String], _ uses: [String: [Use]]) {
        let paths = claims.map { ($0, ClaimPath(parameter: $0).names) }
        for (claim, names) in paths {
            guard let outer = paths.first(where: { $0.1.count < names.count && names.starts(with: $0.1) }),
                let use = uses[claim]?.first, let other = uses[outer.0]?.first
            else { continue }
            report(
                .impossibleRule, use.place, Self.resource(of: use),
                "roles.\(use.place.role): \(use.field) is compared with the claim \(claim), but \(other.field) with \(outer.0), so \(outer.0) would need to be a value and an object"
            )
        }
    }

    private static func resource(of use: Use) -> String? { use.field.split(separator: ".").first.map(String.init) }

    /// Returns the claims in a filter with their comparisons.
    private func claims(in filter: Filter, _ resource: Resource, _ place: RolePlace) -> [(String, Use)] {
        switch filter {
        case .compare(let name, let comparison, let operands):
            guard let field = resource.field(name) else { return [] }
            return operands.compactMap { operand in
                guard case .parameter(let claim) = operand else { return nil }
                return (
                    claim,
                    Use(comparison: comparison, type: field.type, field: "\(resource.name).\(name)", place: place)
                )
            }
        case .isNull: return []
        case .all(let filters), .any(let filters): return filters.flatMap { claims(in: $0, resource, place) }
        case .not(let filter): return claims(in: filter, resource, place)
        case .related(let name, _, let filter), .aggregate(let name, _, let filter):
            guard let target = resource.relation(name).flatMap({ description.catalogue[$0.target] }) else { return [] }
            return claims(in: filter, target, place)
        }
    }

    // MARK: Values of claims

    /// A set of JSON values. The values of a type consist of such sets.
    private enum ClaimValues: CaseIterable {
        case wholeNumbers, fractions, booleans, digits, decimals, dates, localTimes, instants, times, uuids, words,
            texts

        static let allTexts = Set(allCases).subtracting([.wholeNumbers, .fractions, .booleans])
    }

    /// Returns the values of a claim with which a field can be compared.
    private func values(of use: Use) -> Set<ClaimValues> {
        guard use.comparison != .like else { return ClaimValues.allTexts }
        return switch use.type {
        case .integer: [.wholeNumbers]
        case .bigInteger: [.wholeNumbers, .digits]
        case .number: [.wholeNumbers, .fractions]
        case .decimal: [.wholeNumbers, .digits, .decimals]
        case .boolean: [.booleans]
        case .text, .choice: ClaimValues.allTexts
        case .identifier: [.digits, .words]
        case .date: description.dates == .milliseconds ? [.dates, .wholeNumbers] : [.dates]
        case .dateTime(let isUTC, _): [isUTC ? .instants : .localTimes]
        case .time: [.times]
        case .uuid: [.uuids]
        // The other types are reported separately, or have no comparisons.
        case .binary, .json, .any: Set(ClaimValues.allCases)
        }
    }

    private static func verb(of use: Use) -> String { use.isSet ? "stored in" : "compared with" }

    private static func noun(of use: Use) -> String {
        switch use.comparison {
        case .in: "a list, each value \(use.type.noun)"
        case .like: "a pattern"
        default: use.type.noun
        }
    }
}

extension Filter {
    /// True if the form of the filter shows that no row matches it.
    var matchesNothing: Bool {
        switch self {
        case .all(let filters): filters.contains(where: \.matchesNothing)
        case .any(let filters): filters.allSatisfy(\.matchesNothing)
        case .related(_, exists: true, let filter): filter.matchesNothing
        case .compare, .isNull, .not, .related, .aggregate: false
        }
    }
}

extension RoleResolver {
    /// Returns true if a role has another permission for an action than the given entry, for the same resource: in an
    /// included entry, or in an entry for all resources.
    fileprivate func hasOther(_ entry: RoleEntry, _ action: RoleAction, of role: RoleDefinition) -> Bool {
        if entry.resource != RoleEntry.anyResource,
            role.entries.contains(where: { $0.resource == RoleEntry.anyResource && $0.permits(action) })
        {
            return true
        }
        return role.includes.contains { name in
            permits(action, entry.resource, name)
                || entry.resource != RoleEntry.anyResource && permits(action, RoleEntry.anyResource, name)
        }
    }
}

extension APIDescription {
    /// Searches the roles for parts without effect: roles that see no resource, entries without effect, conditions that
    /// no row or no token can satisfy, and permissions to create rows without a required value.
    /// - Returns: The warnings in the order of their locations.
    public func validateRoles() -> [SchemaFinding] {
        var validator = RoleValidator(self)
        do {
            try validator.validate()
        } catch {
            return (error as? DescriptionError)?.schemaFindings ?? []
        }
        return validator.findings.sortedByPlace
    }
}
