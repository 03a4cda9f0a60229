import DuetResourceService
import SeededTesting

/// A condition on random rows.
indirect enum RandomFilter: Sendable {
    case compare(String, Comparison, [RandomValue])
    case like(String, String)
    case isNull(String, Bool)
    case all([RandomFilter])
    case any([RandomFilter])
    case not(RandomFilter)
    case related(String, isToMany: Bool, exists: Bool, RandomFilter)

    /// Returns the filter as the text in a request: an input object of GraphQL, or JSON for REST.
    /// - Parameter isGraphQL: True for GraphQL, where names have no quotes.
    func text(_ isGraphQL: Bool) -> String {
        func name(_ name: String) -> String { isGraphQL ? name : "\"\(name)\"" }
        func list(_ filters: [RandomFilter]) -> String {
            "[\(filters.map { $0.text(isGraphQL) }.joined(separator: ","))]"
        }
        return switch self {
        case .compare(let field, .in, let values):
            "{\(name(field)):{\(name("in")):[\(values.map(\.json).joined(separator: ","))]}}"
        case .compare(let field, let comparison, let values):
            "{\(name(field)):{\(name(comparison.rawValue)):\(values[0].json)}}"
        case .like(let field, let pattern): "{\(name(field)):{\(name("like")):\(RawJSON.string(pattern))}}"
        case .isNull(let field, let isNull): "{\(name(field)):{\(name("null")):\(isNull)}}"
        case .all(let filters): "{\(name("and")):\(list(filters))}"
        case .any(let filters): "{\(name("or")):\(list(filters))}"
        case .not(let filter): "{\(name("not")):\(filter.text(isGraphQL))}"
        case .related(let relation, true, let exists, let filter):
            "{\(name(relation)):{\(name(exists ? "some" : "none")):\(filter.text(isGraphQL))}}"
        case .related(let relation, false, _, let filter): "{\(name(relation)):\(filter.text(isGraphQL))}"
        }
    }
}

/// A random request ("question") for rows of a resource, with the requests for its selected relations.
struct RandomQuestion {
    let resource: Resource
    var fields: [String] = []
    var filter: RandomFilter?
    var order: [SortField] = []
    var first: Int?
    var relations: [(relation: Relation, question: RandomQuestion)] = []
}

/// Generates random requests, and evaluates them on the rows in memory.
struct RandomModel {
    let schema: RandomSchema
    let catalogue: Catalogue

    // MARK: Requests

    func question(_ resource: Resource, depth: Int, isToMany: Bool = true, _ random: inout SplitMix64) -> RandomQuestion
    {
        var question = RandomQuestion(resource: resource)
        question.fields = resource.fields.map(\.name).filter { _ in Bool.random(using: &random) }
        if question.fields.isEmpty { question.fields = [resource.fields[0].name] }
        if isToMany {
            if Bool.random(using: &random) { question.filter = filter(resource, depth: 2, &random) }
            for name in resource.sortFields.shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random)) {
                question.order.append(SortField(name, descending: Bool.random(using: &random)))
            }
            if Bool.random(using: &random) { question.first = Int.random(in: 1...4, using: &random) }
        }
        guard depth > 0 else { return question }
        for relation in resource.relations.shuffled(using: &random).prefix(2) {
            guard let target = catalogue[relation.target] else { continue }
            question.relations.append(
                (relation, self.question(target, depth: depth - 1, isToMany: relation.isToMany, &random)))
        }
        return question
    }

    func filter(_ resource: Resource, depth: Int, _ random: inout SplitMix64) -> RandomFilter {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 5), using: &random) {
        case 5: return .all((0..<2).map { _ in filter(resource, depth: depth - 1, &random) })
        case 6: return .any((0..<2).map { _ in filter(resource, depth: depth - 1, &random) })
        case 7: return .not(filter(resource, depth: depth - 1, &random))
        case 8:
            guard let relation = resource.relations.randomElement(using: &random),
                let target = catalogue[relation.target]
            else {
                return .not(.any([]))
            }
            return .related(
                relation.name, isToMany: relation.isToMany, exists: !relation.isToMany || Bool.random(using: &random),
                filter(target, depth: depth - 1, &random))
        default: return comparison(resource, &random)
        }
    }

    private func comparison(_ resource: Resource, _ random: inout SplitMix64) -> RandomFilter {
        guard let field = resource.fields.randomElement(using: &random),
            let column = schema.table(resource.table)?.columns.first(where: { $0.name == field.column })
        else { return .not(.any([])) }
        if field.isNullable, Int.random(in: 0..<4, using: &random) == 0 {
            return .isNull(field.name, Bool.random(using: &random))
        }
        if column.type == .text, Int.random(in: 0..<3, using: &random) == 0 {
            return .like(field.name, ["a*", "*", "*b*", "A", "*\\\\**", "?"].randomElement(using: &random) ?? "*")
        }
        let comparisons: [Comparison] = [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in]
        let comparison = comparisons.randomElement(using: &random) ?? .equal
        return .compare(
            field.name, comparison, (0..<(comparison == .in ? 3 : 1)).map { _ in column.type.value(&random) })
    }

    // MARK: Rows

    typealias Row = [String: RandomValue]

    /// Returns the target of a REST request for a row.
    static func target(of row: Row, _ resource: Resource) -> String {
        let key = resource.key.map { name in
            let value = (row[resource.field(name)?.column ?? ""] ?? .null).json
            return value.hasPrefix("\"") ? RawJSON.text(value) : value
        }
        return "/\(resource.name)/\(KeySegment.text(key))"
    }

    /// Returns all rows that match a request, regardless of its page size, as JSON objects of a REST or GraphQL
    /// response.
    func answer(_ question: RandomQuestion, isGraphQL: Bool) -> [String] {
        let rows = schema.table(question.resource.table)?.rows ?? []
        return list(question, rows).map { object(question, $0, isGraphQL) }
    }

    private func list(_ question: RandomQuestion, _ rows: [Row]) -> [Row] {
        let rows = rows.filter { row in question.filter.map { holds($0, row, question.resource) == true } ?? true }
        return rows.sorted { left, right in
            let descending = question.order.last?.descending ?? false
            let key = question.resource.key.map { SortField($0, descending: descending) }
            for sort in question.order + key {
                let column = question.resource.field(sort.field)?.column ?? ""
                let sign = schema.compare(left[column] ?? .null, right[column] ?? .null)
                if sign != 0 { return (sign < 0) != sort.descending }
            }
            return false
        }
    }

    private func related(_ relation: Relation, _ row: Row) -> [Row] {
        var rows = [row]
        var tables = relation.joins.map { ($0.table, $0.columns) }
        tables.append((catalogue[relation.target]?.table ?? "", relation.columns))
        for (name, columns) in tables {
            let next = schema.table(name)?.rows ?? []
            rows = rows.flatMap { row in
                next.filter { candidate in
                    columns.allSatisfy { pair in
                        guard let value = row[pair.from], value != .null, let other = candidate[pair.to] else {
                            return false
                        }
                        return schema.compare(value, other) == 0 && other != .null
                    }
                }
            }
        }
        return rows
    }

    private func object(_ question: RandomQuestion, _ row: Row, _ isGraphQL: Bool) -> String {
        var members = question.fields.map { name in
            "\"\(name)\":\((row[question.resource.field(name)?.column ?? ""] ?? .null).json)"
        }
        for (relation, below) in question.relations {
            let rows = list(below, related(relation, row))
            let value: String
            switch relation.size {
            case .one: value = rows.first.map { object(below, $0, isGraphQL) } ?? "null"
            case .few, .many:
                let isPage = if case .many = relation.size { isGraphQL } else { false }
                let limit = below.first ?? 20
                let objects = rows.prefix(limit).map { object(below, $0, isGraphQL) }.joined(separator: ",")
                value = isPage ? "{\"nodes\":[\(objects)],\"totalCount\":\(rows.count)}" : "[\(objects)]"
            }
            members.append("\"\(relation.name)\":\(value)")
        }
        return "{\(members.joined(separator: ","))}"
    }

    /// Returns the result of a filter for a row, as in SQL: true, false, or nil for unknown.
    func holds(_ filter: RandomFilter, _ row: Row, _ resource: Resource) -> Bool? {
        func value(_ field: String) -> RandomValue { row[resource.field(field)?.column ?? ""] ?? .null }
        switch filter {
        case .compare(let field, let comparison, let values):
            let value = value(field)
            guard value != .null else { return nil }
            let sign = schema.compare(value, values[0])
            return switch comparison {
            case .equal: sign == 0
            case .notEqual: sign != 0
            case .less: sign < 0
            case .lessOrEqual: sign <= 0
            case .greater: sign > 0
            case .greaterOrEqual: sign >= 0
            case .in, .like: values.contains { schema.compare(value, $0) == 0 }
            }
        case .like(let field, let pattern):
            guard case .text(let text) = value(field) else { return nil }
            return switch pattern {
            case "a*": text.hasPrefix("a")
            case "*": true
            case "*b*": text.contains("b")
            case "*\\\\**": text.contains("\\")
            default: text == pattern
            }
        case .isNull(let field, let isNull): return (value(field) == .null) == isNull
        case .all(let filters):
            let results = filters.map { holds($0, row, resource) }
            return results.contains(false) ? false : results.contains(nil) ? nil : true
        case .any(let filters):
            let results = filters.map { holds($0, row, resource) }
            return results.contains(true) ? true : results.contains(nil) ? nil : false
        case .not(let filter): return holds(filter, row, resource).map { !$0 }
        case .related(let name, _, let exists, let filter):
            guard let relation = resource.relation(name), let target = catalogue[relation.target] else { return nil }
            return related(relation, row).contains { holds(filter, $0, target) == true } == exists
        }
    }
}
