import DuetJSON
import DuetSQLDatabase

/// A change that a request makes, with the fields that it sets.
struct RequestedChange {
    let write: Write
    /// The names of the fields that the request sets.
    var fields: [String] = []

    /// The kinds of changes whose permission the write needs.
    var kinds: [WriteRules.Kind] {
        switch write.kind {
        case .insert: [.create]
        case .update: [.update]
        case .delete: [.delete]
        case .upsert where write.link != nil: [.create]
        default: [.create, .update]
        }
    }
}

extension AccessExplainer {
    /// The methods of writes, for a path that does not have the method of the request.
    private static let methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]

    /// Returns the effect of the role on a REST request with another method than GET and HEAD.
    /// - Parameter body: The body; nil if it is unknown.
    func write(
        _ method: String, _ path: String, _ query: RESTStyle.Query, _ body: JSONValue?
    ) throws -> RequestAccess {
        let known = OperationPath(path, method: method, in: declared)
        var change = known?.operation.write.map { RequestedChange(write: $0) }
        if let members = body?.inputMembers { change?.fields = members.map { $0.name } }
        let changes = [change].compactMap(\.self)
        guard let permitted = OperationPath(path, method: method, in: service.catalogue),
            let write = permitted.operation.write
        else {
            var request = QuestionParts(declared)
            if changes.isEmpty, let other = OperationPath(path, in: declared) {
                request.touch(other.operation.resource)
            }
            let allowed = Self.methods.filter { OperationPath(path, method: $0, in: service.catalogue) != nil }
            guard !allowed.isEmpty else {
                return access(request, changes, [Self.unknownPath(isIndependentOfRole: known == nil)])
            }
            var refusal = RequestAccess.Refusal(
                status: 405, code: "method-not-allowed",
                detail: "\(method) is not allowed for this path; use \(allowed.joined(separator: " or "))")
            refusal.isIndependentOfRole = known == nil
            return access(request, changes, [refusal])
        }
        var parts = QuestionParts(service.catalogue)
        do {
            let style = RESTStyle(service)
            let operation = permitted.operation
            var planned = try style.change(
                write, operation, try style.path(operation, permitted.segment), query)
            if write.kind != .delete || write.link != nil {
                if let body, write.link == nil { try style.read(body, for: write, into: &planned) }
                add(planned, to: &parts)
            }
            for change in changes { try checkClaims(of: change) }
            return access(parts, changes, [])
        } catch let error as ParameterError {
            return access(parts, changes, [RequestAccess.Refusal(error, isGraphQL: false)])
        } catch let error as ServiceError {
            let refusal = RequestAccess.Refusal(
                status: error.code.status, code: error.code.rawValue,
                detail: ([error.detail] + error.fields.map { "\($0.field) \($0.message)" }).joined(separator: "; "))
            return access(parts, changes, [refusal])
        }
    }

    /// Adds the resources and fields in the answer to a change.
    private func add(_ change: Change, to parts: inout QuestionParts) {
        for representation in change.representations {
            switch representation {
            case .question(let question): parts.add(question)
            case .row(let selection):
                parts.add(Question(.item(resource: change.resource, key: change.key ?? []), .item(selection)))
            }
        }
    }

    /// Checks the claims in the rules for a change.
    /// - Throws: ``ParameterError`` for a claim that is missing or has the wrong type.
    func checkClaims(of change: RequestedChange) throws {
        guard let resource = try? service.catalogue.changedResource(of: change.write) else { return }
        let rules = resource.writes
        for kind in change.kinds {
            let (conditions, set): ([Filter?], [String: Operand]?) =
                switch kind {
                case .create: ([rules.create?.check], rules.create?.set)
                case .update: ([rules.update?.condition, rules.update?.check], rules.update?.set)
                case .delete: ([rules.delete?.condition], nil)
                }
            for case let condition? in conditions {
                let statement = try service.planner.presence(of: resource, where: condition)
                _ = try service.arguments(of: statement.parameters)
            }
            for case (let name, .parameter(let claim)) in (set ?? [:]).sorted(by: { $0.key < $1.key }) {
                let parameter = PlanParameter(
                    name: claim, field: try resource.requiredField(name), resource: resource.name, isList: false,
                    form: .value)
                _ = try service.arguments(of: [parameter])
            }
        }
    }

    /// Returns the rules for a change.
    func changes(_ change: RequestedChange) -> [RequestAccess.Change] {
        guard let whole = try? declared.changedResource(of: change.write) else { return [] }
        let seen = service.catalogue.resources.first { $0.name == whole.name }
        let rules = seen?.writes ?? WriteRules()
        func rows(_ condition: Filter?) -> String {
            guard let seen, let condition else { return "no rows" }
            return sentences.rows(seen.condition.and(condition), of: whole)
        }
        return change.kinds.map { kind in
            let (fields, declared, set): ([String]?, [String]?, [String: Operand]?) =
                switch kind {
                case .create: (rules.create?.fields, whole.writes.create?.fields, rules.create?.set)
                case .update: (rules.update?.fields, whole.writes.update?.fields, rules.update?.set)
                case .delete: ([], [], [:])
                }
            let before: Filter? = kind == .update ? rules.update?.condition : rules.delete?.condition
            let after: Filter? = kind == .create ? rules.create?.check : rules.update?.check
            return RequestAccess.Change(
                resource: whole.name, kind: kind, isPermitted: rules.kinds.contains(kind), fields: fields ?? [],
                refusedFields: (declared ?? []).filter {
                    change.fields.contains($0) && fields?.contains($0) != true
                },
                set: (set ?? [:]).sorted { $0.key < $1.key }.map { name, operand in
                    .init(field: name, value: sentences.value(operand, of: whole, name))
                },
                rows: kind == .create ? nil : rows(before), rowsAfter: kind == .delete ? nil : rows(after))
        }
    }
}
