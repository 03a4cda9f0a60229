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
    /// The rules of each role, keyed by the name of the role, then by the action, and then by the resource in the
    /// entry.
    private var rules: [String: [RoleAction: [String: Rule]]] = [:]
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
        let own = rules[role.name]?[.read] ?? [:]
        let any = own[RoleEntry.anyResource].map { (rule: $0, origin: origin(of: $0, .read)) }
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
                origins[resource.name] = origin(of: rule, .read)
            } else if let any, let read = any.rule.entry.read(of: resource) {
                reads[resource.name] = read
                origins[resource.name] = any.origin
            }
        }
        var resolved = Role(role.name, reads: reads)
        var writeOrigins: [WriteRules.Kind: [String: RuleOrigin]] = [:]
        for kind in WriteRules.Kind.allCases {
            // A role cannot change what it does not see.
            for (resource, rule) in writeRules(kind, role.name) where reads[resource.name] != nil {
                let writes = rule.entry.writes(kind, of: resource)
                guard writes != Role.Writes() else { continue }
                resolved.writes[resource.name, default: Role.Writes()].add(writes)
                writeOrigins[kind, default: [:]][resource.name] = origin(of: rule, RoleAction(kind))
            }
        }
        return ResolvedRole(role: resolved, origins: origins, writeOrigins: writeOrigins)
    }

    /// Returns the resources that a role may change, with the rules.
    private func writeRules(_ kind: WriteRules.Kind, _ role: String) -> [(Resource, Rule)] {
        let action = RoleAction(kind)
        guard let own = rules[role]?[action] else { return [] }
        let any = own[RoleEntry.anyResource]
        return description.catalogue.resources.compactMap { resource in
            let inherited = resource.writes.kinds.contains(kind) ? any : nil
            guard let rule = own[resource.name] ?? inherited, rule.entry.permits(action) else { return nil }
            return (resource, rule)
        }
    }

    /// Returns the resources that a role may change but does not see, with the names of the roles that have the
    /// permissions. An entry for all resources applies only to the resources that the role sees.
    func invisibleResources(_ kind: WriteRules.Kind, _ role: String) -> [(resource: String, role: String)] {
        writeRules(kind, role).compactMap { resource, rule in
            guard rule.entry.resource == resource.name, !sees(resource.name, role) else { return nil }
            return (resource.name, rule.role)
        }
    }

    private func sees(_ resource: String, _ role: String) -> Bool {
        let own = rules[role]?[.read]
        return (own?[resource] ?? own?[RoleEntry.anyResource])?.entry.permits(.read) ?? false
    }

    /// Returns true if a role has an entry for the resource that permits an action.
    func permits(_ action: RoleAction, _ resource: String, _ role: String) -> Bool {
        rules[role]?[action]?[resource]?.entry.permits(action) ?? false
    }

    private func origin(of rule: Rule, _ action: RoleAction) -> RuleOrigin {
        let mark = description.mark(of: place(of: rule, action))
        return RuleOrigin(
            role: rule.role, entry: rule.entry.resource, file: description.places?.file, line: mark?.line)
    }

    private func place(of rule: Rule, _ action: RoleAction) -> RolePlace {
        let entry = ["resources", rule.entry.resource]
        return RolePlace(rule.role, path: action == .read ? entry : entry + [action.rawValue])
    }

    // MARK: Included entries

    /// Adds the rules of a role. The rules of the roles that it includes must have been added.
    private mutating func addRules(of role: RoleDefinition) {
        var own: [RoleAction: [String: Rule]] = [:]
        for entry in role.entries {
            for action in entry.actions {
                own[action, default: [:]][entry.resource] = Rule(role: role.name, entry: entry)
            }
        }
        var all: [RoleAction: [String: Rule]] = [:]
        for action in RoleAction.allCases {
            let rules = included(action, by: role, except: own[action] ?? [:]).merging(own[action] ?? [:]) { $1 }
            if !rules.isEmpty { all[action] = rules }
        }
        rules[role.name] = all
    }

    /// Returns the included rules for an action, except those that own rules replace.
    private mutating func included(
        _ action: RoleAction, by role: RoleDefinition, except own: [String: Rule]
    ) -> [String: Rule] {
        var included: [String: Rule] = [:]
        for (index, name) in role.includes.enumerated() {
            var conflicts: [(Rule, Rule)] = []
            for (resource, rule) in rules[name]?[action] ?? [:] where own[resource] == nil {
                guard let other = included[resource] else {
                    included[resource] = rule
                    continue
                }
                if !other.entry.isEquivalent(to: rule.entry, for: action) { conflicts.append((other, rule)) }
            }
            for (first, second) in conflicts.sorted(by: { $0.0.entry.resource < $1.0.entry.resource }) {
                report(first, second, action, of: role, index)
            }
        }
        return included
    }

    /// Reports two different included permissions for an action on one resource.
    private mutating func report(
        _ first: Rule, _ second: Rule, _ action: RoleAction, of role: RoleDefinition, _ index: Int
    ) {
        func text(_ rule: Rule) -> String {
            let origin = origin(of: rule, action)
            guard let line = origin.line else { return rule.role }
            return "\(rule.role) (\([origin.file, "\(line)"].compactMap(\.self).joined(separator: ":")))"
        }
        let resource = first.entry.resource
        let advice =
            action == .read ? "an own entry for \(resource)" : "\(action.rawValue) to an own entry for \(resource)"
        problems.append(
            RoleProblem(
                place: RolePlace(role.name, "includes", "\(index)"),
                message:
                    "roles.\(role.name) includes different permissions to \(action.rawValue) \(resource), from \(text(first)) and from \(text(second)); add \(advice)\(action == .read ? " to" : " of") the role"
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

    /// Reports the entries for all resources of which a part cannot apply to a resource without an entry.
    private mutating func addMisfits() {
        for part in RolePart.allCases { addMisfits(of: part) }
    }

    private mutating func addMisfits(of part: RolePart) {
        var found: [String: (Rule, [String])] = [:]
        for role in description.roles {
            guard let own = rules[role.name]?[part.action], let rule = own[RoleEntry.anyResource],
                let misfits = rule.entry.misfits[part], !misfits.isEmpty
            else { continue }
            let names = description.catalogue.resources.filter { resource in
                own[resource.name] == nil && misfits[resource.name] != nil
                    && (part.action.kind.map(resource.writes.kinds.contains) ?? true) && sees(resource.name, role.name)
            }.map(\.name)
            let known = found[rule.role]?.1 ?? []
            found[rule.role] = (rule, known + names.filter { !known.contains($0) })
        }
        for (rule, names) in found.values {
            guard let first = names.first, let reason = rule.entry.misfits[part]?[first] else { continue }
            let more = names.count > 5 ? " and \(names.count - 5) more" : ""
            let subject =
                switch part {
                case .readCondition: "the condition of \"*\""
                default: "\(part.name) of \(part.action.rawValue) in \"*\""
                }
            problems.append(
                RoleProblem(
                    place: RolePlace(rule.role, path: ["resources", RoleEntry.anyResource] + part.path),
                    message:
                        "roles.\(rule.role): \(subject) cannot apply to \(names.prefix(5).joined(separator: ", "))\(more); add entries for these resources (\(first): \(reason))"
                ))
        }
    }
}

extension Role.Writes {
    /// Adds the permissions of another value.
    fileprivate mutating func add(_ other: Role.Writes) {
        create = other.create ?? create
        update = other.update ?? update
        delete = other.delete ?? delete
    }
}
