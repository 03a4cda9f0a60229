package import DuetJSON
import DuetSQLDatabase

/// Describes the rows that satisfy a filter as a part of an English sentence: `rows whose region equals "EU"`.
package struct FilterSentence: Sendable {
    private let catalogue: Catalogue
    private let claims: JSONObject?

    /// - Parameters:
    ///   - catalogue: The catalogue with all fields and relations of the filter.
    ///   - claims: The claims of a caller, whose values the sentence contains; nil for a sentence about all callers.
    package init(_ catalogue: Catalogue, claims: JSONObject? = nil) {
        self.catalogue = catalogue
        self.claims = claims
    }

    /// Returns the description of the rows of a resource that satisfy a filter. The fields and relations of a checked
    /// filter exist.
    package func rows(_ filter: Filter, of resource: Resource) -> String {
        switch clause(filter, resource, isNegated: false) {
        case .everything: "all rows"
        case .nothing: "no rows"
        case .text(let text, _): "rows \(text)"
        }
    }

    /// Returns the description of the value that a rule sets in a field: a value, or `the claim customer`.
    package func value(_ operand: Operand, of resource: Resource, _ field: String) -> String {
        text(operand, resource.declaredField(field))
    }

    private enum Connective: String {
        case and, or
    }

    private enum Clause {
        case everything, nothing
        /// A clause that follows a noun. The connective is that of its parts.
        case text(String, Connective?)
    }

    /// Returns the clause of a filter or of its negation. A negation applies to the comparisons, which has the same
    /// meaning in three-valued logic.
    private func clause(_ filter: Filter, _ resource: Resource, isNegated: Bool) -> Clause {
        switch filter {
        case .all(let filters):
            return joined(filters.map { clause($0, resource, isNegated: isNegated) }, by: isNegated ? .or : .and)
        case .any(let filters):
            return joined(filters.map { clause($0, resource, isNegated: isNegated) }, by: isNegated ? .and : .or)
        case .not(let filter): return clause(filter, resource, isNegated: !isNegated)
        case .isNull(let name, let isNull):
            return .text("whose \(name) is \(isNull != isNegated ? "null" : "not null")", nil)
        case .compare(let name, let comparison, let operands):
            let field = resource.declaredField(name)
            return .text("whose \(name) \(predicate(comparison, operands, field, isNegated: isNegated))", nil)
        case .related(let name, let exists, let filter):
            return related(name, filter, resource, exists: exists != isNegated)
        case .aggregate(let name, let condition, let filter):
            let target = resource.declaredRelation(name).flatMap { catalogue[$0.target] }
            var rows = ""
            if let target, case .text(let text, _) = clause(filter, target, isNegated: false) {
                rows = " of rows \(text)"
            }
            return aggregate(condition, name, target, rows, isNegated: isNegated)
        }
    }

    /// Returns the clause of a condition on the aggregates of related rows.
    /// - Parameter rows: The description of the rows whose aggregates are compared; empty for all related rows.
    private func aggregate(
        _ condition: GroupFilter, _ relation: String, _ target: Resource?, _ rows: String, isNegated: Bool
    ) -> Clause {
        func subject(_ aggregate: Aggregate) -> String { "whose \(relation).\(aggregate.name)\(rows)" }
        switch condition {
        case .compare(let aggregate, let comparison, let values):
            let field = try? target?.field(of: aggregate)
            let predicate = predicate(comparison, values.map { .value($0) }, field, isNegated: isNegated)
            return .text("\(subject(aggregate)) \(predicate)", nil)
        case .isNull(let aggregate, let isNull):
            return .text("\(subject(aggregate)) is \(isNull != isNegated ? "null" : "not null")", nil)
        case .all(let parts):
            let clauses = parts.map { aggregate($0, relation, target, rows, isNegated: isNegated) }
            return joined(clauses, by: isNegated ? .or : .and)
        case .any(let parts):
            let clauses = parts.map { aggregate($0, relation, target, rows, isNegated: isNegated) }
            return joined(clauses, by: isNegated ? .and : .or)
        case .not(let part): return aggregate(part, relation, target, rows, isNegated: !isNegated)
        }
    }

    private func joined(_ clauses: [Clause], by connective: Connective) -> Clause {
        var texts: [(text: String, connective: Connective?)] = []
        for clause in clauses {
            switch (clause, connective) {
            case (.everything, .and), (.nothing, .or): continue
            case (.everything, .or), (.nothing, .and): return clause
            case (.text(let text, let inner), _): texts.append((text, inner))
            }
        }
        guard texts.count > 1 else {
            return texts.first.map { .text($0.text, $0.connective) } ?? (connective == .and ? .everything : .nothing)
        }
        let parts = texts.map { text, inner in inner == nil || inner == connective ? text : "(\(text))" }
        return .text(parts.joined(separator: " \(connective) "), connective)
    }

    private func related(_ name: String, _ filter: Filter, _ resource: Resource, exists: Bool) -> Clause {
        guard let relation = resource.declaredRelation(name), let target = catalogue[relation.target] else {
            return .text("\(exists ? "with" : "without") related \(name)", nil)
        }
        let start = "\(exists ? relation.isToMany ? "with some" : "with a" : "without") related \(name)"
        switch clause(filter, target, isNegated: false) {
        case .everything: return .text(start, nil)
        case .nothing: return exists ? .nothing : .everything
        case .text(let text, nil): return .text("\(start) \(text)", nil)
        case .text(let text, _?): return .text("\(start) (\(text))", nil)
        }
    }

    // MARK: Comparisons

    private func predicate(
        _ comparison: Comparison, _ operands: [Operand], _ field: Field?, isNegated: Bool
    ) -> String {
        let texts = operands.map { text($0, field) }
        let first = texts.first ?? ""
        let isList = operands.first?.value == nil
        let verb =
            switch (comparison, isNegated) {
            case (.equal, false), (.notEqual, true): "equals"
            case (.equal, true), (.notEqual, false): "does not equal"
            case (.less, false), (.greaterOrEqual, true): "is less than"
            case (.lessOrEqual, false), (.greater, true): "is at most"
            case (.greater, false), (.lessOrEqual, true): "is greater than"
            case (.greaterOrEqual, false), (.less, true): "is at least"
            case (.like, false): "matches"
            case (.like, true): "does not match"
            case (.in, false): isList ? "is in" : texts.count == 1 ? "equals" : "is one of"
            case (.in, true): isList ? "is not in" : texts.count == 1 ? "does not equal" : "is none of"
            }
        return "\(verb) \(comparison == .in ? texts.joined(separator: ", ") : first)"
    }

    private func text(_ operand: Operand, _ field: Field?) -> String {
        switch operand {
        case .value(let value): return text(value, field)
        case .parameter(let name):
            guard let claims else { return "the claim \(name)" }
            let value = ClaimPath(parameter: name).value(in: claims)
            return "the claim \(name) (\(value?.compactText ?? "missing"))"
        }
    }

    private func text(_ value: SQLValue, _ field: Field?) -> String {
        switch field?.shown(value) ?? value {
        case .integer(let number) where field?.type == .boolean: number == 0 ? "false" : "true"
        case .text(let text): JSONValue.string(text).compactText
        case .null: "null"
        case let other: other.keyText
        }
    }
}
