import DuetSQLDatabase

/// The rows of to-one relations with intermediate tables, in statements that read fields of these rows. If there are
/// several related rows, the row of the relation is the first one in the order of the relation, as in responses. The
/// relation must lead to the key of its target.
extension RowSource {
    /// Returns the condition that a row of the target is the row of the relation. A subquery finds it for each row.
    func isFirst(
        _ joined: TableReference, of relation: Relation, _ scope: inout StatementScope
    ) throws -> String {
        try relation.columns.map { pair in
            var rows = try related(relation, &scope)
            let parent = relation.parentColumns.map { compared($0) }
            rows.conditions.insert(contentsOf: zip(rows.comparableKeys, parent).map { "\($0) = \($1)" }, at: 0)
            let order = try rows.order(of: relation, &scope)
            let column = rows.column(pair.to)
            let first = rows.select(column, omitsResource: true) + " ORDER BY \(order) LIMIT 1"
            return "\(pair.comparable(planner.catalogue.compared(pair.to, of: joined))) = (\(first))"
        }.joined(separator: " AND ")
    }

    /// Returns a join with a derived table that has the related rows of all rows, each with its position among the rows
    /// of its parent row, and the condition that a row of the target belongs to the first one. Equal values in the
    /// columns of the relation must have the same bytes.
    /// - Parameter kind: The join operator.
    func numbered(
        _ joined: TableReference, of relation: Relation, _ kind: String, _ scope: inout StatementScope
    ) throws -> (join: String, condition: String) {
        let numbered = scope.alias()
        var rows = try related(relation, &scope)
        let order = try rows.order(of: relation, &scope)
        let keys = rows.keys
        func list(_ texts: [String]) -> String { texts.joined(separator: ", ") }
        let columns =
            keys.enumerated().map { "\($1) AS __parent\($0)" }
            + relation.columns.enumerated().map { "\(rows.column($1.to)) AS __target\($0)" }
            + ["ROW_NUMBER() OVER (PARTITION BY \(list(keys)) ORDER BY \(order)) AS __place"]
        let related = rows.select(list(columns), omitsResource: true)
        let isOfRow = relation.parentColumns.enumerated().map { "\(numbered).__parent\($0) = \(compared($1))" }
        let isTarget = relation.columns.enumerated().map {
            "\(joined.column($1.to)) = \(numbered).__target\($0)"
        }
        return (
            " \(kind) (\(related)) AS \(numbered) ON "
                + (isOfRow + ["\(numbered).__place = 1"]).joined(separator: " AND "),
            isTarget.joined(separator: " AND ")
        )
    }

    /// Returns the order of the related rows: the order of the relation, followed by the key of the target.
    private mutating func order(of relation: Relation, _ scope: inout StatementScope) throws -> String {
        var order: [String] = []
        for term in relation.order {
            switch term {
            case .field(let name, let descending):
                let field = try resource.requiredField(name)
                let column = planner.catalogue.compared(try expression(of: field, &scope), field, of: resource)
                order.append(column + (descending ? " DESC" : ""))
            case .join(let index, let column, let descending):
                order.append(compared(column, ofJoin: index) + (descending ? " DESC" : ""))
            }
        }
        for field in resource.keyFields where !relation.order.contains(where: { $0.sortsBy(field.name) }) {
            order.append(planner.catalogue.compared(column(field.column), field, of: resource))
        }
        return order.joined(separator: ", ")
    }
}

extension Relation.Order {
    /// Returns true if the rows are ordered by a field of the target.
    fileprivate func sortsBy(_ name: String) -> Bool { if case .field(name, _) = self { true } else { false } }
}
