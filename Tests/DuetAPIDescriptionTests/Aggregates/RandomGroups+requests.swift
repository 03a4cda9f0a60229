import DuetJSON
import DuetResourceService

extension RandomGroups {
    // MARK: REST

    /// The path of a REST request for all groups.
    var path: String {
        var query: [String] = []
        if !keys.isEmpty { query.append("group=\(keys.map(\.name).joined(separator: ","))") }
        if !aggregates.isEmpty { query.append("aggregate=\(aggregates.map(\.name).joined(separator: ","))") }
        if let filter { query.append("filter=\(text(filter).queryValue)") }
        if let having { query.append("having=\(text(having).queryValue)") }
        if !order.isEmpty {
            let terms = order.map { ($0.descending ? "-" : "") + name($0.term) }
            query.append("sort=\(terms.joined(separator: ","))")
        }
        if !keys.isEmpty { query.append("timeZone=\(zone)") }
        return "/sales?\(query.joined(separator: "&"))"
    }

    func name(_ term: Term) -> String {
        switch term {
        case .key(let index): keys[index].name
        case .aggregate(let index): aggregates[index].name
        }
    }

    // MARK: GraphQL

    /// Returns the document of a GraphQL request for a page of groups, or for the aggregates of all rows.
    func document(after: String? = nil) -> String {
        var arguments: [String] = []
        if let filter { arguments.append("filter: \(text(filter, isGraphQL: true))") }
        let values = Self.selection(aggregates.map { $0.name.split(separator: ".").map(String.init) })
        guard !keys.isEmpty else {
            return "{ salesAggregate\(arguments.isEmpty ? "" : "(\(arguments[0]))") \(values) }"
        }
        arguments.append("groupBy: [\(keys.map(input).joined(separator: ", "))]")
        if let having { arguments.append("having: \(text(having, isGraphQL: true))") }
        if !order.isEmpty {
            let terms = order.map { term, descending in
                let value =
                    switch term {
                    case .key(let index): "key: \(input(keys[index]))"
                    case .aggregate(let index): "aggregate: \(input(aggregates[index]))"
                    }
                return "{\(value), direction: \(descending ? "DESCENDING" : "ASCENDING")}"
            }
            arguments.append("orderBy: [\(terms.joined(separator: ", "))]")
        }
        arguments.append("first: \(size)")
        arguments.append("timeZone: \"\(zone)\"")
        if let after { arguments.append("after: \"\(after)\"") }
        let members =
            keys.map { ["key"] + $0.members } + aggregates.map { $0.name.split(separator: ".").map(String.init) }
        return """
            { salesGroups(\(arguments.joined(separator: ", "))) \
            { nodes \(Self.selection(members)) totalCount pageInfo { endCursor hasNextPage } } }
            """
    }

    private func input(_ key: Key) -> String {
        if key.isOfShop { return "{shop: \(Self.constant(key.source.name))}" }
        return "{\(key.source.name): \(key.part.map { Self.constant($0.rawValue) } ?? "VALUE")}"
    }

    private func input(_ aggregate: Aggregate) -> String {
        guard let source = aggregate.source else { return "{count: VALUE}" }
        return "{\(source.name): \(Self.constant(aggregate.function.rawValue))}"
    }

    private static func constant(_ name: String) -> String {
        name.map { $0.isUppercase ? "_\($0)" : $0.uppercased() }.joined()
    }

    /// Returns the selection set of members, each with the names of its path.
    private static func selection(_ paths: [[String]]) -> String {
        var names: [String] = []
        for path in paths where !names.contains(path[0]) { names.append(path[0]) }
        let members = names.map { name -> String in
            let below = paths.filter { $0[0] == name && $0.count > 1 }.map { Array($0.dropFirst()) }
            return below.isEmpty ? name : "\(name) \(selection(below))"
        }
        return "{ \(members.joined(separator: " ")) }"
    }

    // MARK: Conditions

    /// Returns a condition as the text in a request.
    private func text(_ condition: Condition, isGraphQL: Bool = false) -> String {
        func name(_ name: String) -> String { isGraphQL ? name : "\"\(name)\"" }
        func list(_ conditions: [Condition]) -> String {
            "[\(conditions.map { text($0, isGraphQL: isGraphQL) }.joined(separator: ","))]"
        }
        func member(_ path: String, _ value: String) -> String {
            guard isGraphQL else { return "{\"\(path)\":\(value)}" }
            return path.split(separator: ".").reversed().reduce(value) { "{\($1): \($0)}" }
        }
        switch condition {
        case .compare(let path, let comparison, let values):
            let texts = values.map { operand($0, path, isGraphQL: isGraphQL) }
            let list = comparison == .in ? "[\(texts.joined(separator: ","))]" : texts[0]
            return member(path, "{\(name(comparison.rawValue)):\(list)}")
        case .isNull(let path, let isNull): return member(path, "{\(name("null")):\(isNull)}")
        case .all(let conditions): return "{\(name("and")):\(list(conditions))}"
        case .any(let conditions): return "{\(name("or")):\(list(conditions))}"
        case .not(let condition): return "{\(name("not")):\(text(condition, isGraphQL: isGraphQL))}"
        }
    }

    private func operand(_ value: SaleValue, _ path: String, isGraphQL: Bool) -> String {
        let parts = path.split(separator: ".")
        let column = RandomSales.columns.first { $0.name == parts[0] }
        let function = parts.count > 1 ? parts[1] : ""
        if let column, !["count", "countDistinct"].contains(function), function != "sum" || !column.isBoolean {
            if case .choice = column.kind, isGraphQL, case .text(let text) = value { return text }
            return column.json(value).compactText
        }
        return value.digits(minimum: 0)
    }
}

extension RandomGroups.Key {
    /// The path of the key in the object `key` of GraphQL.
    var members: [String] {
        if isOfShop { return ["shop", source.name] }
        switch source.kind {
        case .date, .timestamp: return [source.name, part?.rawValue ?? "value"]
        default: return [source.name]
        }
    }
}
