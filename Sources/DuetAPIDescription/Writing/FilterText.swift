import DuetJSON
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase

/// Formats the filters of a description.
struct FilterText {
    let catalogue: Catalogue

    /// Returns a filter in the JSON format of requests. Only the whole filter can be empty.
    func text(_ filter: Filter, _ resource: Resource?) -> String {
        filter == .everything ? "{}" : json(filter, resource).compactText
    }

    /// - Parameter resource: The resource of the rows; nil if it is unknown.
    private func json(_ filter: Filter, _ resource: Resource?) -> JSONValue {
        switch filter {
        case .compare(let field, let comparison, let operands):
            let type = comparison == .like ? nil : resource?.field(field)?.type
            let values = operands.map { Self.json($0, type) }
            // The operand of `in` is a list of values, or one claim.
            let isList = comparison == .in && !operands.contains { if case .parameter = $0 { true } else { false } }
            return [field: [comparison.rawValue: isList ? .array(values) : values.first ?? .null]]
        case .isNull(let field, let isNull): return [field: ["null": .bool(isNull)]]
        // `or` without elements is false for every row.
        case .all([]): return ["not": ["or": []]]
        case .all(let filters):
            let objects = filters.map { json($0, resource) }
            return Self.merged(objects) ?? ["and": .array(objects)]
        case .any(let filters): return ["or": .array(filters.map { json($0, resource) })]
        case .not(let filter): return ["not": json(filter, resource)]
        case .related(let name, let exists, let filter):
            let relation = resource?.relation(name)
            let condition = json(filter, relation.flatMap { catalogue[$0.target] })
            guard relation?.isToMany == false else { return [name: [exists ? "some" : "none": condition]] }
            // The condition on a to-one relation is the filter of the related row.
            return exists ? [name: condition] : ["not": [name: condition]]
        case .aggregate(let name, let condition, let filter):
            let target = resource?.relation(name).flatMap { catalogue[$0.target] }
            var object = JSONObject()
            if filter != .everything { object["filter"] = json(filter, target) }
            for (aggregate, operation, operand) in Self.comparisons(condition, target) {
                let path = [aggregate.field, aggregate.function.rawValue, operation].compactMap(\.self)
                object.set(operand, at: path[...])
            }
            return [name: .object(object)]
        }
    }

    /// Returns the comparisons of a condition on aggregates. The condition of a filter is a conjunction of comparisons.
    private static func comparisons(
        _ condition: GroupFilter, _ target: Resource?
    ) -> [(aggregate: Aggregate, operation: String, operand: JSONValue)] {
        switch condition {
        case .compare(let aggregate, let comparison, let values):
            let type = target.flatMap { try? $0.field(of: aggregate).type }
            let operands = values.map { json($0, type) }
            return [(aggregate, comparison.rawValue, comparison == .in ? .array(operands) : operands.first ?? .null)]
        case .isNull(let aggregate, let isNull): return [(aggregate, "null", .bool(isNull))]
        // The comparison with an empty list.
        case .any([]): return [(Aggregate(.count), Comparison.in.rawValue, [])]
        case .all(let parts), .any(let parts): return parts.flatMap { comparisons($0, target) }
        case .not(let part): return comparisons(part, target)
        }
    }

    /// Returns a value or a claim as a request or a role has it.
    /// - Parameter type: The type of the field; nil for a pattern.
    static func json(_ operand: Operand, _ type: FieldType?) -> JSONValue {
        switch operand {
        case .value(let value): json(value, type)
        case .parameter(let name): claim(ClaimPath(parameter: name))
        }
    }

    private static func claim(_ path: ClaimPath) -> JSONValue {
        let text = path.names.joined(separator: ".")
        let isPlain = ClaimPath(text) == path
        return ["claim": isPlain ? .string(text) : .array(path.names.map { .string($0) })]
    }

    /// Returns one object with the members of several filters, so that a filter has no more nested objects than when it
    /// was read; nil if several filters have the same member.
    private static func merged(_ filters: [JSONValue]) -> JSONValue? {
        var members: [(key: String, value: JSONValue)] = []
        for case .object(let filter) in filters { members += filter.members.map { ($0.key, $0.value) } }
        guard filters.count > 1, Set(members.map(\.key)).count == members.count else { return nil }
        return .object(JSONObject(members))
    }

    /// Returns a value as a request has it.
    /// - Parameter type: The type of the field; nil for a pattern.
    private static func json(_ value: SQLValue, _ type: FieldType?) -> JSONValue {
        switch (type, value) {
        case (.boolean, .integer(let integer)): return .bool(integer != 0)
        case (.json, .text(let text)): return (try? JSONValue(parsing: text.utf8)) ?? .string(text)
        case (.dateTime(isUTC: true, let form), _):
            if let instant = form.instant(value) { return .string(instant.text + "Z") }
            if case .text(let text) = value { return .string(text.hasSuffix("Z") ? text : text + "Z") }
        default: break
        }
        return switch value {
        case .null: .null
        case .blob: .string(value.keyText)
        case .integer(let integer): .integer(integer)
        case .unsigned(let integer): .string(String(integer))
        case .double(let double): .double(double)
        case .text(let text), .decimal(let text): .string(text)
        case .date(let date): .string(date.description)
        }
    }
}

extension JSONObject {
    /// Sets the value at a path of names.
    fileprivate mutating func set(_ value: JSONValue, at path: ArraySlice<String>) {
        guard let name = path.first else { return }
        guard path.count > 1 else {
            self[name] = value
            return
        }
        var inner = JSONObject()
        if case .object(let known)? = self[name] { inner = known }
        inner.set(value, at: path.dropFirst())
        self[name] = .object(inner)
    }
}
