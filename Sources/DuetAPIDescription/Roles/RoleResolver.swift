import DuetResourceService
import Yams

/// Determines the permissions of roles from their own entries and from the entries that they include.
struct RoleResolver {
    /// An entry, and the role that has it.
    private struct Rule {
        let role: String
        let entry: RoleEntry
    }

    private let description: APIDescription
    /// The rules of each role, keyed by the name of the role, and then by the resource in the entry.
    private var rules: [String: [String: Rule]] = [:]
    /// The errors in the roles.
    private(set) var problems: [RoleProblem]

    init(_ description: APIDescription) {
        self.description = description
        let includes = RoleIncludes(description.roles)
        problems = includes.problems + Self.unknownResources(in: description)
        for role in includes.sorted { addRules(of: role) }
        addMisfits()
    }

    /// Returns the resolver of a description.
    /// - Throws: ``DescriptionError`` if the roles have errors.
    static func checked(_ description: APIDescription) throws -> RoleResolver {
        let resolver = RoleResolver(description)
        guard resolver.problems.isEmpty else { throw description.error(resolver.problems) }
        return resolver
    }

    // MARK: Resolution

    /// Returns a role with its permissions for each resource.
    func resolve(_ role: RoleDefinition) -> ResolvedRole {
        let own = rules[role.name] ?? [:]
        let any = own[RoleEntry.anyResource].map { (rule: $0, origin: origin(of: $0)) }
        var reads: [String: Role.Read] = [:]
        var origins: [String: RuleOrigin] = [:]
        if any != nil {
            reads.reserveCapacity(description.catalogue.resources.count)
            origins.reserveCapacity(description.catalogue.resources.count)
        }
        for resource in description.catalogue.resources {
            if let rule = own[resource.name] {
                guard let read = rule.entry.read else { continue }
                reads[resource.name] = read
                origins[resource.name] = origin(of: rule)
            } else if let any, let read = any.rule.entry.read(of: resource) {
                reads[resource.name] = read
                origins[resource.name] = any.origin
            }
        }
        return ResolvedRole(role: Role(role.name, reads: reads), origins: origins)
    }

    /// Returns true if a role has an entry that permits reading the resource.
    func permits(_ resource: String, _ role: String) -> Bool { rules[role]?[resource]?.entry.read != nil }

    private func origin(of rule: Rule) -> RuleOrigin {
        let mark = description.mark(of: place(of: rule))
        return RuleOrigin(
            role: rule.role, entry: rule.entry.resource, file: description.places?.file, line: mark?.line)
    }

    private func place(of rule: Rule) -> RolePlace { RolePlace(rule.role, "resources", rule.entry.resource) }

    // MARK: Included entries

    /// Adds the rules of a role. The rules of the roles that it includes must have been added.
    private mutating func addRules(of role: RoleDefinition) {
        var own: [String: Rule] = [:]
        for entry in role.entries { own[entry.resource] = Rule(role: role.name, entry: entry) }
        var included: [String: Rule] = [:]
        for (index, name) in role.includes.enumerated() {
            var conflicts: [(Rule, Rule)] = []
            for (resource, rule) in rules[name] ?? [:] where own[resource] == nil {
                guard let other = included[resource] else {
                    included[resource] = rule
                    continue
                }
                if !other.entry.isEquivalent(to: rule.entry) { conflicts.append((other, rule)) }
            }
            for (first, second) in conflicts.sorted(by: { $0.0.entry.resource < $1.0.entry.resource }) {
                report(first, second, of: role, index)
            }
        }
        rules[role.name] = included.merging(own) { $1 }
    }

    /// Reports two different included entries for one resource.
    private mutating func report(_ first: Rule, _ second: Rule, of role: RoleDefinition, _ index: Int) {
        func text(_ rule: Rule) -> String {
            let origin = origin(of: rule)
            guard let line = origin.line else { return rule.role }
            return "\(rule.role) (\([origin.file, "\(line)"].compactMap(\.self).joined(separator: ":")))"
        }
        let resource = first.entry.resource
        problems.append(
            RoleProblem(
                place: RolePlace(role.name, "includes", "\(index)"),
                message:
                    "roles.\(role.name) includes different permissions to read \(resource), from \(text(first)) and from \(text(second)); add an own entry for \(resource) to the role"
            ))
    }

    // MARK: Checks

    private static func unknownResources(in description: APIDescription) -> [RoleProblem] {
        description.roles.flatMap { role in
            role.entries.compactMap { entry in
                guard entry.resource != RoleEntry.anyResource, description.catalogue[entry.resource] == nil else {
                    return nil
                }
                return RoleProblem(
                    place: RolePlace(role.name, "resources", entry.resource),
                    message: "roles.\(role.name): \(entry.resource) is not a resource")
            }
        }
    }

    /// Reports the entries for all resources whose condition cannot apply to a resource without an entry.
    private mutating func addMisfits() {
        var found: [String: (Rule, [String])] = [:]
        for role in description.roles {
            guard let own = rules[role.name], let rule = own[RoleEntry.anyResource], !rule.entry.misfits.isEmpty else {
                continue
            }
            let names = description.catalogue.resources.map(\.name).filter {
                own[$0] == nil && rule.entry.misfits[$0] != nil
            }
            let known = found[rule.role]?.1 ?? []
            found[rule.role] = (rule, known + names.filter { !known.contains($0) })
        }
        for (rule, names) in found.values {
            guard let first = names.first, let reason = rule.entry.misfits[first] else { continue }
            let more = names.count > 5 ? " and \(names.count - 5) more" : ""
            problems.append(
                RoleProblem(
                    place: RolePlace(rule.role, "resources", RoleEntry.anyResource, "read", "where"),
                    message:
                        "roles.\(rule.role): the condition of \"*\" cannot apply to \(names.prefix(5).joined(separator: ", "))\(more); add entries for these resources (\(first): \(reason))"
                ))
        }
    }
}
