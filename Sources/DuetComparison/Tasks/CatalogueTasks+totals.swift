import DuetJSON
import DuetResourceService

/// The task that shows numbers about all rows: aggregates, and the rows from which a client computes the same numbers.
extension CatalogueTasks {
    /// The maximum number of rows of the task. Most styles of the task read all rows, so a large table would take too
    /// long.
    private static let maximumRows = 10_000

    /// Returns true if a resource has at most so many rows as the task can read, and if the limit of examined rows
    /// permits aggregates of all rows.
    static func hasFewRows(_ resource: Resource, _ service: ResourceService) async throws -> Bool {
        let constant = Selection([.constant(name: "row", json: "1")])
        do {
            let answer = try await service.answer(
                Question(
                    .list(resource: resource.name, Window(first: maximumRows + 1)), .list(.array(constant))))
            guard case .array(let rows) = try JSONValue(parsing: answer.body.readableBytesView),
                rows.count <= maximumRows
            else { return false }
            guard resource.isAggregated else { return true }
            let count = GroupForm.object([.aggregate(name: "count", Aggregate(.count))])
            _ = try await service.answer(
                Question(.list(resource: resource.name, Window()), .groups(Aggregation(), count)))
            return true
        } catch let error where !ReadableFields.concernsAll(error) {
            return false
        }
    }

    /// The task: the number of the rows, a sum, and the number of the rows with each value of a field. It is nil if no
    /// field is suitable, or if there are too many rows.
    var totals: JSONObject? {
        let taken = ["Aggregate", "Groups"].map { root.name + $0 }
        guard hasFewRows, root.isAggregated,
            !catalogue.resources.contains(where: { taken.contains($0.name) || taken.contains($0.singular) })
        else { return nil }
        let number = defaults.first(where: isNumber)
        let key = defaults.first(where: isKey)
        guard number != nil || key != nil else { return nil }
        let fields = [key, number].compactMap { $0?.name }
        let isDate = key.map { $0.type == .date } == true
        let keyName = key.map { $0.name + (isDate ? ".year" : "") }
        let aggregates = ["count"] + (number.map { ["\($0.name).sum"] } ?? [])

        var rest = ["GET /\(root.name)?aggregate=\(aggregates.joined(separator: ","))"]
        var operation = ["query Totals {", "  \(root.name)Aggregate {", "    count"]
        if let number { operation.append("    \(number.name) { sum }") }
        operation.append("  }")
        var values: [JSONValue] = [["aggregate": .array(aggregates.map { .string($0) })]]
        if let key, let keyName {
            rest.append("GET /\(root.name)?group=\(keyName)&aggregate=count&first=1000")
            operation += [
                "  \(root.name)Groups(groupBy: [{ \(key.name): \(isDate ? "YEAR" : "VALUE") }], first: 1000) {",
                "    nodes {", "      key { \(key.name)\(isDate ? " { year }" : "") }", "      count", "    }", "  }",
            ]
            values.append(["group": [.string(keyName)], "aggregate": ["count"]])
        }
        operation.append("}")
        var rows = list("first: 1000, after: $after", fields, "query Rows($after: String) {")
        rows.insert(
            contentsOf: ["    pageInfo {", "      hasNextPage", "      endCursor", "    }"], at: rows.count - 2)

        func lines(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
        var task = JSONObject([
            "name": "totals", "sentence": .string(sentence(number, key, isDate: isDate)), "pages": 10, "allPages": true,
        ])
        task["onPage"] = [
            ["style": "rest-aggregates"],
            ["name": "totals-of-rows", "style": "rest-fields", "sentence": "Read the rows that have these numbers."],
        ]
        task["rest"] = lines(["GET /\(root.name)?first=1000"])
        task["rest-fields"] = lines(["GET /\(root.name)?first=1000&fields=\(fields.joined(separator: ","))"])
        task["rest-aggregates"] = lines(rest)
        task["graphql"] = lines(rows)
        task["graphql-aggregates"] = lines(operation)
        task["aggregates"] = .array(values)
        return task
    }

    private func sentence(_ number: Field?, _ key: Field?, isDate: Bool) -> String {
        let sum = number.map { "the sum of \($0.name)" }
        let groups = key.map { "the number for each \(isDate ? "year of " : "")\($0.name)" }
        return "Show \(["the number of \(root.name)", sum, groups].compactMap(\.self).inWords)."
    }

    /// The readable default fields of the resource's own table, except those of the key. The style `rest` returns only
    /// default fields.
    private var defaults: [Field] {
        root.defaultFields.compactMap(root.field).filter { field in
            field.isAggregated && field.relation == nil && !field.nullifiesMismatches
                && !root.key.contains(field.name) && readable.contains(field.name, of: root.name)
                // In GraphQL, the members of a group have these names.
                && !["count", "key"].contains(field.name)
        }
    }

    /// Returns true for a number whose sum has a meaning. The columns of relations are references to other rows.
    private func isNumber(_ field: Field) -> Bool {
        guard case .integer = field.type, !field.isOrdinal else { return false }
        return !root.relations.contains { relation in
            (relation.joins.first?.columns ?? relation.columns).contains { $0.from == field.column }
        }
    }

    /// Returns true for a field with few different values, or for a date, of which the task shows the years. Texts can
    /// have a collation that a client does not know.
    private func isKey(_ field: Field) -> Bool {
        switch field.type {
        case .choice, .boolean, .date: true
        default: false
        }
    }
}
