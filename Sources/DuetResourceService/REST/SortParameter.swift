/// Reads the query parameter `sort` of a list of rows: `-orders.count,name`.
struct SortParameter {
    let resource: Resource
    let catalogue: Catalogue
    /// The name of the parameter in errors.
    let name: String

    /// Returns the order.
    /// - Throws: ``ServiceError`` for an unknown field or aggregate, with the valid ones.
    func order(_ text: String) throws -> [RowOrder] {
        var order: [RowOrder] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let descending = part.hasPrefix("-")
            let value = try value(String(descending ? part.dropFirst() : part))
            order.add(RowOrder(value, descending: descending))
        }
        try order.checkAggregates(name)
        return order
    }

    private func value(_ text: String) throws -> RowOrder.Value {
        if resource.sortFields.contains(text) { return .field(text) }
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let relation = resource.comparedRelations.first(where: { $0 == parts[0] }) else {
            throw unknown(text)
        }
        let target = try catalogue.target(of: try resource.requiredRelation(relation))
        guard let aggregate = target.sortAggregates.first(where: { $0.name == parts[1] }) else {
            let allowed = target.sortAggregates.map { "\(relation).\($0.name)" }
            throw ServiceError(
                .invalidParameter,
                "\(name) has no aggregate \(text); valid aggregates are \(allowed.joined(separator: ", "))",
                parameter: name, allowed: allowed.flatMap { [$0, "-\($0)"] })
        }
        return .aggregate(aggregate, of: relation)
    }

    private func unknown(_ text: String) -> ServiceError {
        let (fields, relations) = (resource.sortFields, resource.comparedRelations)
        let counts = relations.map { "\($0).\(Aggregate(.count).name)" }
        var valid: [String] = []
        if !fields.isEmpty { valid.append("valid fields are \(fields.joined(separator: ", "))") }
        if let example = counts.first {
            valid.append("aggregates of \(relations.joined(separator: ", ")), such as \(example), are valid")
        }
        let rule =
            valid.isEmpty
            ? "rows have no sort keys; groups have them, as in group=…&\(name)=…"
            : "\(valid.joined(separator: "; ")), with a leading - for descending order"
        return ServiceError(
            .invalidParameter, "\(name) has no field \(text); \(rule)",
            parameter: name, allowed: (fields + counts).flatMap { [$0, "-\($0)"] })
    }
}
