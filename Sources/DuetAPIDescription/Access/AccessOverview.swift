package import DuetJSON
package import DuetResourceService

/// The permissions of the roles of a description, for a person who reviews them: the fields and rows of each resource
/// that a role sees, and the entry of the description from which the permission comes.
package struct AccessOverview: Sendable {
    /// The permissions of a role.
    package struct RoleAccess: Sendable {
        /// The name of the role.
        package let role: String
        /// The claims that the conditions of the role compare.
        package let claims: [ClaimPath]
        /// The permissions for the visible resources, in the order of the description.
        package let rules: [Rule]
        /// The names of the resources that the role does not see.
        package let hidden: [String]
    }

    /// The permission of a role to read a resource.
    package struct Rule: Sendable {
        /// The name of the resource.
        package let resource: String
        /// The names of the visible fields.
        package let fields: [String]
        /// The names of the fields that the role does not see.
        package let hiddenFields: [String]
        /// True if the rule names the visible fields, and not the hidden ones.
        fileprivate let listsFields: Bool
        /// A description of the visible rows: `all rows`, or `rows whose …`.
        package let rows: String
        /// The entry of the description.
        package let origin: RuleOrigin?
    }

    /// The roles, in the order of the description.
    package let roles: [RoleAccess]

    /// Creates the overview of a description.
    /// - Parameter role: The name of the only role; nil for all roles.
    /// - Throws: ``DescriptionError`` if the roles have errors; ``UnknownRole``; `RoleError`.
    package init(of description: APIDescription, role: String? = nil) throws {
        let resolved = try role.map { [try description.knownRole($0)] } ?? description.resolvedRoles()
        let sentences = FilterSentence(description.catalogue)
        roles = try resolved.map { resolved in
            let visible = try description.catalogue.restricted(to: resolved.role)
            return RoleAccess(
                role: resolved.role.name, claims: resolved.role.claims,
                rules: visible.resources.compactMap { seen in
                    guard let whole = description.catalogue[seen.name] else { return nil }
                    let listsFields = if case .only? = resolved.role.reads[seen.name]?.fields { true } else { false }
                    return Rule(
                        resource: seen.name, fields: seen.fields.map(\.name),
                        hiddenFields: whole.fields.map(\.name).filter { seen.field($0) == nil },
                        listsFields: listsFields,
                        rows: sentences.rows(seen.condition, of: whole), origin: resolved.origins[seen.name])
                },
                hidden: description.catalogue.resources.map(\.name).filter { resolved.role.reads[$0] == nil })
        }
    }

    // MARK: Formats

    private static let columns = [
        WrappedTable.Column(title: "role"), .init(title: "resource", share: 2), .init(title: "action"),
        .init(title: "fields", share: 3), .init(title: "rows", share: 4), .init(title: "rule"),
    ]

    private var table: WrappedTable {
        var table = WrappedTable(Self.columns)
        for role in roles {
            table.rows += role.rules.map { rule in
                [
                    role.role, rule.resource, "read", rule.fieldsText, rule.rows,
                    rule.origin.map { $0.text(for: role.role) } ?? "",
                ]
            }
            if !role.hidden.isEmpty {
                table.rows.append(
                    [role.role, role.hidden.joined(separator: ", "), "read", "none", "no rows", "not given"])
            }
        }
        return table
    }

    /// Returns the permissions as a table for a terminal.
    /// - Parameter width: The maximum width in characters, unless a word is longer.
    package func text(width: Int) -> String { table.text(width: width) }

    /// The permissions as a table in Markdown.
    package var markdown: String { table.markdown }

    /// The permissions in JSON.
    package var json: JSONValue {
        let roles = roles.map { role -> JSONValue in
            let resources = role.rules.map { rule -> JSONValue in
                [
                    "resource": .string(rule.resource), "action": "read", "fields": .names(rule.fields),
                    "hiddenFields": .names(rule.hiddenFields), "rows": .string(rule.rows),
                    "rule": rule.origin?.json ?? .null,
                ]
            }
            return [
                "role": .string(role.role), "claims": .names(role.claims.map(\.description)),
                "resources": .array(resources), "hiddenResources": .names(role.hidden),
            ]
        }
        return ["roles": .array(roles)]
    }
}

extension AccessOverview.Rule {
    /// A short list of the visible fields.
    fileprivate var fieldsText: String {
        if hiddenFields.isEmpty { return "all" }
        return listsFields ? fields.joined(separator: ", ") : "all except \(hiddenFields.joined(separator: ", "))"
    }
}

extension RuleOrigin {
    /// Returns the place of the entry, followed by the included role and `*` if the entry is not the role's own entry
    /// for the resource: `api.yaml:12 (visitor, *)`.
    func text(for role: String) -> String {
        let remarks = [self.role == role ? nil : self.role, entry == RoleEntry.anyResource ? entry : nil]
            .compactMap(\.self)
        let place = place ?? "roles.\(self.role)"
        return remarks.isEmpty ? place : "\(place) (\(remarks.joined(separator: ", ")))"
    }

    /// `api.yaml:12`; nil if the description was not read from a file.
    private var place: String? {
        file.map { file in line.map { "\(file):\($0)" } ?? file }
    }

    var json: JSONValue {
        [
            "role": .string(role), "entry": .string(entry), "file": file.map { .string($0) } ?? .null,
            "line": line.map { .integer(Int64($0)) } ?? .null,
        ]
    }
}

extension JSONValue {
    static func names(_ names: [String]) -> JSONValue { .array(names.map { .string($0) }) }
}

/// The error for a name that is not the name of a role.
package struct UnknownRole: Error, Sendable, CustomStringConvertible {
    /// A sentence with the name and the roles of the description.
    package let description: String
}

extension APIDescription {
    /// Returns the role with a name.
    /// - Throws: ``UnknownRole`` if there is no such role; ``DescriptionError`` if the roles have errors.
    package func knownRole(_ name: String) throws -> ResolvedRole {
        if let role = try resolvedRole(name) { return role }
        var nearest = NearestName()
        let names = roles.map(\.name)
        throw UnknownRole(
            description: names.isEmpty
                ? "the description has no roles"
                : "the description has no role \(name)"
                    + nearest.hint(name, among: names, else: "; its roles are \(names.joined(separator: ", "))"))
    }
}
