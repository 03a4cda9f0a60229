import DuetResourceService

extension RandomQuestion {
    /// The parameters of a REST request for the list.
    var restQuery: RESTStyle.Query { query(prefix: "") }

    private func query(prefix: String) -> RESTStyle.Query {
        var query: RESTStyle.Query = [("\(prefix)fields", fields.joined(separator: ","))]
        if let filter { query.append(("\(prefix)filter", filter.text(false))) }
        if !order.isEmpty {
            query.append(
                ("\(prefix)sort", order.map { ($0.descending ? "-" : "") + $0.field }.joined(separator: ",")))
        }
        if let first { query.append(("\(prefix)first", "\(first)")) }
        for (relation, below) in relations {
            query.append(("details", prefix + relation.name))
            query += below.query(prefix: "\(prefix)\(relation.name).")
        }
        return query
    }

    /// Returns a GraphQL document that requests a page of the list.
    /// - Parameters:
    ///   - size: The number of rows.
    ///   - after: The cursor after which the page begins.
    func document(_ size: Int, after: String? = nil) -> String {
        let cursor = after.map { ", after: \"\($0)\"" } ?? ""
        // A list without a key has no cursors.
        let pageInfo = resource.hasKey ? " pageInfo { endCursor }" : ""
        return "{ \(resource.name)(first: \(size)\(cursor)\(arguments.map { ", \($0)" }.joined())) "
            + "{ nodes { \(selection) } totalCount\(pageInfo) } }"
    }

    private var arguments: [String] {
        var arguments: [String] = []
        if let filter { arguments.append("filter: \(filter.text(true))") }
        if !order.isEmpty {
            let sorts = order.map { sort in
                let name = sort.field.map { $0.isUppercase ? "_\($0)" : $0.uppercased() }.joined()
                return "{field: \(name), direction: \(sort.descending ? "DESCENDING" : "ASCENDING")}"
            }
            arguments.append("orderBy: [\(sorts.joined(separator: ", "))]")
        }
        return arguments
    }

    private var selection: String {
        var members = fields
        for (relation, below) in relations {
            var arguments = relation.isToMany ? below.arguments : []
            if let first = below.first { arguments.append("first: \(first)") }
            let list = arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))"
            let isPage = if case .many = relation.size { true } else { false }
            let selected = isPage ? "nodes { \(below.selection) } totalCount" : below.selection
            members.append("\(relation.name)\(list) { \(selected) }")
        }
        return members.joined(separator: " ")
    }
}
