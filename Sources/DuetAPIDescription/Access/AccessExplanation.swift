package import DuetJSON
package import DuetResourceService

/// The explanation of the effect of a role on a request: the rules that apply to each resource, and the reasons why the
/// request is refused.
package struct AccessExplanation: Sendable {
    private let request: String
    private let claims: JSONObject
    private let access: RequestAccess
    private let resolved: ResolvedRole
    /// The response; nil if the request was not sent.
    private let answer: AccessExplainer.Answer?

    /// Creates an explanation.
    /// - Parameters:
    ///   - request: The request as the operator wrote it.
    ///   - claims: The claims of the caller.
    ///   - role: The role of the caller.
    package init(
        of access: RequestAccess, to request: String, _ role: ResolvedRole, claims: JSONObject,
        answer: AccessExplainer.Answer? = nil
    ) {
        self.request = request
        self.claims = claims
        self.access = access
        resolved = role
        self.answer = answer
    }

    /// True if the request makes changes.
    package var isWrite: Bool { access.isWrite }

    /// True if nothing of the request is refused.
    package var isAllowed: Bool { access.refusals.isEmpty }

    private var role: String { resolved.role.name }

    // MARK: Text

    /// The explanation as text.
    package var text: String {
        var lines = [request, "as \(role) with the claims \(JSONValue.object(claims).compactText)", ""]
        for change in access.changes { lines += self.lines(of: change) }
        for part in access.parts {
            lines.append("\(part.resource): \(rule(of: part))")
            guard part.isVisible else { continue }
            if !part.fields.isEmpty { lines.append("  fields: \(part.fields.joined(separator: ", "))") }
            lines.append("  rows: \(part.rows)")
        }
        if !(access.parts.isEmpty && access.changes.isEmpty) { lines.append("") }
        for refusal in access.refusals {
            lines.append("refused: \(refusal.status) \(refusal.code): \(refusal.detail)")
            lines += reasons(for: refusal).map { "  \($0)" }
        }
        if isAllowed { lines.append("allowed") }
        if let answer { lines += ["", "\(answer.status) \(answer.body)"] }
        return lines.joined(separator: "\n") + "\n"
    }

    private func rule(of part: RequestAccess.Part) -> String {
        guard part.isVisible else { return "no rule, so \(role) does not see it" }
        return resolved.origins[part.resource].map { "read, by \($0.text(for: role))" } ?? "read"
    }

    private func lines(of change: RequestAccess.Change) -> [String] {
        let (resource, kind) = (change.resource, change.kind.rawValue)
        guard change.isPermitted else {
            return ["\(resource): no rule for \(kind), so \(role) does not have this permission"]
        }
        let origin = resolved.origin(of: RoleAction(change.kind), on: resource)
        var lines = ["\(resource): \(kind)\(origin.map { ", by \($0.text(for: role))" } ?? "")"]
        if change.kind != .delete {
            lines.append("  fields: \(change.fields.isEmpty ? "none" : change.fields.joined(separator: ", "))")
        }
        if !change.set.isEmpty {
            lines.append("  set: \(change.set.map { "\($0.field) = \($0.value)" }.joined(separator: ", "))")
        }
        if let rows = change.rows { lines.append("  rows: \(rows)") }
        if let after = change.rowsAfter {
            lines.append("  \(change.kind == .create ? "new rows" : "rows after the change"): \(after)")
        }
        return lines
    }

    /// The sentences that say why a request is refused, for the operator. A client does not get them, because they name
    /// what the role does not see.
    private func reasons(for refusal: RequestAccess.Refusal) -> [String] {
        if let claim = refusal.claim {
            return access.changes.filter { uses(claim, $0) }.map { change in
                "the rule for \(change.kind.rawValue) of \(change.resource) uses the claim \(claim)\(place(of: change))"
            }
                + access.parts.filter { compares(claim, $0.resource) }.map { part in
                    "the rows of \(part.resource) depend on the claim \(claim)\(place(of: part))"
                }
        }
        if refusal.isIndependentOfRole { return ["the request is refused without roles, too"] }
        let ofChanges = access.changes.flatMap { change -> [String] in
            guard change.isPermitted else {
                return [
                    "\(change.resource) permits \(change.kind.rawValue), but \(role) does not have this permission"
                ]
            }
            return change.refusedFields.map {
                "\(change.kind.rawValue) of \(role) does not include the field \(change.resource).\($0)\(place(of: change))"
            }
        }
        return ofChanges
            + access.parts.flatMap { part -> [String] in
                guard part.isVisible else {
                    return ["the description has \(part.resource), but \(role) does not see it"]
                }
                return part.hiddenFields.map {
                    "the description has the field \(part.resource).\($0), but \(role) does not see it\(place(of: part))"
                }
                    + part.hiddenRelations.map {
                        "the description has the relation \(part.resource).\($0), but \(role) does not see where it leads"
                    }
            }
    }

    private func compares(_ claim: ClaimPath, _ resource: String) -> Bool {
        guard let read = resolved.role.reads[resource] else { return false }
        return Role(role, reads: [resource: read]).claims.contains(claim)
    }

    private func uses(_ claim: ClaimPath, _ change: RequestAccess.Change) -> Bool {
        guard let writes = resolved.role.writes[change.resource] else { return compares(claim, change.resource) }
        let part =
            switch change.kind {
            case .create: Role.Writes(create: writes.create)
            case .update: Role.Writes(update: writes.update)
            case .delete: Role.Writes(delete: writes.delete)
            }
        return Role(role, reads: [:], writes: [change.resource: part]).claims.contains(claim)
    }

    private func place(of change: RequestAccess.Change) -> String {
        resolved.origin(of: RoleAction(change.kind), on: change.resource).map { " (\($0.text(for: role)))" } ?? ""
    }

    private func place(of part: RequestAccess.Part) -> String {
        resolved.origins[part.resource].map { " (\($0.text(for: role)))" } ?? ""
    }

    // MARK: JSON

    /// The explanation in JSON.
    package var json: JSONValue {
        var object = JSONObject()
        object["request"] = .string(request)
        object["role"] = .string(role)
        object["claims"] = .object(claims)
        object["allowed"] = .bool(isAllowed)
        if isWrite { object["changes"] = .array(access.changes.map(json)) }
        object["resources"] = .array(
            access.parts.map { part in
                [
                    "resource": .string(part.resource), "visible": .bool(part.isVisible),
                    "fields": .names(part.fields), "hiddenFields": .names(part.hiddenFields),
                    "hiddenRelations": .names(part.hiddenRelations), "rows": .string(part.rows),
                    "rule": resolved.origins[part.resource]?.json ?? .null,
                ]
            })
        object["refusals"] = .array(
            access.refusals.map { refusal in
                [
                    "status": .integer(Int64(refusal.status)), "code": .string(refusal.code),
                    "detail": .string(refusal.detail),
                    "claim": refusal.claim.map { .string($0.description) } ?? .null,
                    "reasons": .names(reasons(for: refusal)),
                ]
            })
        if let answer {
            let body = (try? JSONValue(parsing: answer.body.utf8)) ?? .string(answer.body)
            object["answer"] = ["status": .integer(Int64(answer.status)), "body": body]
        }
        return .object(object)
    }

    private func json(_ change: RequestAccess.Change) -> JSONValue {
        var object = JSONObject()
        object["resource"] = .string(change.resource)
        object["action"] = .string(change.kind.rawValue)
        object["permitted"] = .bool(change.isPermitted)
        object["fields"] = .names(change.fields)
        object["refusedFields"] = .names(change.refusedFields)
        object["set"] = .object(JSONObject(change.set.map { ($0.field, JSONValue.string($0.value)) }))
        if let rows = change.rows { object["rows"] = .string(rows) }
        if let after = change.rowsAfter { object["rowsAfter"] = .string(after) }
        object["rule"] = resolved.origin(of: RoleAction(change.kind), on: change.resource)?.json ?? .null
        return .object(object)
    }
}
