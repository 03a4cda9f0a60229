import DuetResourceService
import Yams

/// Searches for parts of roles that have no effect, and for conditions that no row or no token can satisfy.
struct RoleValidator {
    private let description: APIDescription
    private(set) var findings: [SchemaFinding] = []
    /// The reported places and messages. Roles that include an entry have the same findings.
    private var known: Set<[String]> = []

    /// A comparison of a claim with a field.
    private struct Use {
        let comparison: Comparison
        let type: FieldType
        /// The field, such as `orders.customerId`.
        let field: String
        let place: RolePlace

        var isList: Bool { comparison == .in }
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
            validateConditions(of: resolved)
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
            if entry.read == nil, !resolver.hasOther(entry, of: role) {
                report(
                    .unusedRule, place, entry.resource == RoleEntry.anyResource ? nil : entry.resource,
                    "roles.\(role.name).\(entry.resource): read: none has no effect, because the role does not include a permission; remove the entry"
                )
            }
            guard entry.resource == RoleEntry.anyResource, entry.read != nil else { continue }
            if !resolved.origins.values.contains(where: { $0.role == role.name && $0.entry == entry.resource }) {
                report(
                    .unusedRule, place, nil,
                    "roles.\(role.name): the entry \"*\" has no effect, because each resource has an entry; remove it")
            }
        }
    }

    // MARK: Conditions

    private mutating func validateConditions(of resolved: ResolvedRole) {
        var uses: [String: [Use]] = [:]
        var order: [String] = []
        for resource in description.catalogue.resources {
            guard let read = resolved.role.reads[resource.name], read.condition != .everything,
                let origin = resolved.origins[resource.name]
            else {
                continue
            }
            let place = RolePlace(origin.role, "resources", origin.entry, "read", "where")
            if read.condition.matchesNothing {
                report(
                    .impossibleRule, place, resource.name,
                    "roles.\(origin.role): the condition on \(resource.name) matches no row; to hide the resource, write read: none"
                )
            }
            for (claim, use) in claims(in: read.condition, resource, place) {
                if uses[claim] == nil { order.append(claim) }
                uses[claim, default: []].append(use)
            }
        }
        for claim in order { validate(claim, uses[claim] ?? []) }
        validateNesting(of: order, uses)
    }

    /// Reports a claim that no value of a token can satisfy.
    private mutating func validate(_ claim: String, _ uses: [Use]) {
        for use in uses where use.type == .binary {
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
                    "roles.\(use.place.role): the claim \(claim) is compared with \(use.field) (\(Self.noun(of: use))) and with \(first.field) (\(Self.noun(of: first))), but no value has both types"
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
        case .related(let name, _, let filter):
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
    fileprivate var matchesNothing: Bool {
        switch self {
        case .all(let filters): filters.contains(where: \.matchesNothing)
        case .any(let filters): filters.allSatisfy(\.matchesNothing)
        case .related(_, exists: true, let filter): filter.matchesNothing
        case .compare, .isNull, .not, .related: false
        }
    }
}

extension RoleResolver {
    /// Returns true if a role has another entry than the given one for the same resource: an included entry, or an
    /// entry for all resources.
    fileprivate func hasOther(_ entry: RoleEntry, of role: RoleDefinition) -> Bool {
        if entry.resource != RoleEntry.anyResource,
            role.entries.contains(where: { $0.resource == RoleEntry.anyResource && $0.read != nil })
        {
            return true
        }
        return role.includes.contains { name in
            permits(entry.resource, name)
                || entry.resource != RoleEntry.anyResource && permits(RoleEntry.anyResource, name)
        }
    }
}

extension APIDescription {
    /// Searches the roles for parts without effect: roles that see no resource, entries without effect, and conditions
    /// that no row or no token can satisfy.
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
