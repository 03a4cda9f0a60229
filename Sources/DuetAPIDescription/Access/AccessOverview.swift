package import DuetJSON
package import DuetResourceService

/// The permissions of the roles of a description, for a person who reviews them: the fields and rows of each resource
/// that a role sees, the changes that it can make, and the entries of the description from which the permissions come.
package struct AccessOverview: Sendable {
    /// The permissions of a role.
    package struct RoleAccess: Sendable {
        /// The name of the role.
        package let role: String
        /// The claims that the conditions of the role compare.
        package let claims: [ClaimPath]
        /// The permissions for the visible resources, in the order of the description. The permission to read a
        /// resource precedes those to change it.
        package let rules: [Rule]
        /// The names of the resources that the role does not see.
        package let hidden: [String]
    }

    /// The permission of a role for an action on a resource.
    package struct Rule: Sendable {
        /// The name of the resource.
        package let resource: String
        /// The action.
        package let action: RoleAction
        /// The names of the visible fields, or of the fields that a request can set.
        package let fields: [String]
        /// The names of the other fields. For a change, these are fields that the resource permits to set.
        package let hiddenFields: [String]
        /// True if the rule names the visible fields, and not the hidden ones.
        fileprivate let listsFields: Bool
        /// The descriptions of the values that the server sets, by the names of the fields.
        package let set: [(field: String, value: String)]
        /// A description of the rows to which the action applies: `all rows`, or `rows whose …`; for new rows, of the
        /// rows that the role can create.
        package let rows: String
        /// A description of the rows after the change; nil if it is that of ``rows``.
        package let after: String?
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
                rules: visible.resources.flatMap { seen -> [Rule] in
                    guard let whole = description.catalogue[seen.name] else { return [] }
                    let listsFields = if case .only? = resolved.role.reads[seen.name]?.fields { true } else { false }
                    let read = Rule(
                        resource: seen.name, action: .read, fields: seen.fields.map(\.name),
                        hiddenFields: whole.fields.map(\.name).filter { seen.field($0) == nil },
                        listsFields: listsFields, set: [],
                        rows: sentences.rows(seen.condition, of: whole), after: nil,
                        origin: resolved.origins[seen.name])
                    return [read] + Self.changes(of: seen, whole, resolved, sentences)
                },
                hidden: description.catalogue.resources.map(\.name).filter { resolved.role.reads[$0] == nil })
        }
    }

    /// Returns the permissions to change a resource.
    private static func changes(
        of seen: Resource, _ whole: Resource, _ resolved: ResolvedRole, _ sentences: FilterSentence
    ) -> [Rule] {
        let own = resolved.role.writes[seen.name]
        func rule(
            _ kind: WriteRules.Kind, _ fields: [String], among all: [String], _ given: Role.Read.Fields?,
            _ set: [String: Operand], _ rows: String, _ after: String?
        ) -> Rule {
            let listsFields = if case .only? = given { true } else { false }
            return Rule(
                resource: seen.name, action: RoleAction(kind), fields: fields,
                hiddenFields: all.filter { !fields.contains($0) && set[$0] == nil }, listsFields: listsFields,
                set: set.sorted { $0.key < $1.key }.map { name, operand in
                    (name, sentences.value(operand, of: whole, name))
                }, rows: rows, after: after == rows ? nil : after,
                origin: resolved.origin(of: RoleAction(kind), on: seen.name))
        }
        func rows(_ condition: Filter) -> String { sentences.rows(seen.condition.and(condition), of: whole) }
        var rules: [Rule] = []
        if let create = seen.writes.create {
            rules.append(
                rule(
                    .create, create.fields, among: whole.writes.create?.fields ?? [], own?.create?.fields, create.set,
                    rows(create.check), nil))
        }
        if let update = seen.writes.update {
            rules.append(
                rule(
                    .update, update.fields, among: whole.writes.update?.fields ?? [], own?.update?.fields, update.set,
                    rows(update.condition), rows(update.check)))
        }
        if let delete = seen.writes.delete {
            rules.append(rule(.delete, [], among: [], nil, [:], rows(delete.condition), nil))
        }
        return rules
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
                    role.role, rule.resource, rule.action.rawValue, rule.fieldsText, rule.rowsText,
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
            let resources = role.rules.map(\.json)
            return [
                "role": .string(role.role), "claims": .names(role.claims.map(\.description)),
                "resources": .array(resources), "hiddenResources": .names(role.hidden),
            ]
        }
        return ["roles": .array(roles)]
    }
}

extension AccessOverview.Rule {
    /// A short list of the visible fields or, for a change, of the fields that a request can set and of the values that
    /// the server sets.
    fileprivate var fieldsText: String {
        let set = set.map { "\($0.field) = \($0.value)" }.joined(separator: ", ")
        let names: String
        if action == .delete {
            names = ""
        } else if hiddenFields.isEmpty, !(fields.isEmpty && action != .read) {
            names = "all"
        } else {
            names =
                listsFields || fields.isEmpty
                ? fields.joined(separator: ", ") : "all except \(hiddenFields.joined(separator: ", "))"
        }
        return [names, set].filter { !$0.isEmpty }.joined(separator: "; ")
    }

    /// The rows, and those after a change if they are different.
    fileprivate var rowsText: String { after.map { "\(rows); after the change: \($0)" } ?? rows }

    fileprivate var json: JSONValue {
        var object = JSONObject()
        object["resource"] = .string(resource)
        object["action"] = .string(action.rawValue)
        if action != .delete {
            object["fields"] = .names(fields)
            object["hiddenFields"] = .names(hiddenFields)
        }
        if action == .create || action == .update {
            object["set"] = .object(JSONObject(set.map { ($0.field, JSONValue.string($0.value)) }))
        }
        object["rows"] = .string(rows)
        if action == .update { object["rowsAfter"] = .string(after ?? rows) }
        object["rule"] = origin?.json ?? .null
        return .object(object)
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
