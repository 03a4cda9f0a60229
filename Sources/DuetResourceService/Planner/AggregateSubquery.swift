import DuetSQLDatabase

/// A subquery that reads aggregates of the related rows of one row. It returns one row, even if there are no related
/// rows. The database can find the related rows with an index on the columns of the relation.
struct AggregateSubquery: Sendable, Hashable {
    /// The clauses that follow the selected expression: `FROM orders AS t1 WHERE t1.customer_id = t.id`.
    private let clauses: String

    fileprivate init(_ source: RowSource) { clauses = source.clauses(omitsResource: true) }

    /// Returns the subquery for an expression of aggregates, of columns of the outer row, and of parameters.
    func select(_ expression: String) -> String { "(SELECT \(expression) \(clauses))" }
}

/// An aggregate of related rows by which the rows of a list are ordered.
struct RelatedAggregate: Sendable, Hashable {
    let relation: String
    let aggregate: Aggregate
    /// The expression of the value inside the subquery.
    let value: String
    let subquery: AggregateSubquery
}

extension Planner {
    /// Returns the condition on the aggregates of the related rows that match a filter.
    func condition(
        onAggregatesOf name: String, _ condition: GroupFilter, _ filter: Filter, _ source: inout RowSource,
        _ scope: inout StatementScope
    ) throws -> String {
        // Without an aggregate, the subquery would return all related rows.
        guard !condition.aggregates.isEmpty else { return "1 = 0" }
        let (condition, subquery) = try aggregates(of: name, filter, &source, &scope) { columns, draft in
            try columns.condition(condition, &draft) ?? "1 = 1"
        }
        return subquery.select(condition)
    }

    /// Returns the column of an order by an aggregate of related rows.
    func orderColumn(
        _ aggregate: Aggregate, of name: String, descending: Bool, _ draft: inout StatementDraft
    ) throws -> OrderColumn {
        let label = "_" + SQLName.hidden("\(name).\(aggregate.name)")
        let (result, subquery) = try aggregates(of: name, .everything, &draft.source, &draft.scope) { columns, draft in
            (
                value: try columns.cursorValue(aggregate, &draft),
                collation: try columns.collation(aggregate, &draft),
                column: try columns.orderColumn(aggregate, label: label, descending: descending, &draft)
            )
        }
        var column = result.column
        column.collation = result.collation
        column.related = RelatedAggregate(
            relation: name, aggregate: aggregate, value: result.value, subquery: subquery)
        return column
    }

    /// Runs a closure that creates expressions of aggregates of related rows.
    private func aggregates<Value>(
        of name: String, _ filter: Filter, _ source: inout RowSource, _ scope: inout StatementScope,
        _ body: (inout GroupColumns, inout StatementDraft) throws -> Value
    ) throws -> (Value, AggregateSubquery) {
        let relation = try source.resource.requiredRelation(name)
        let parentColumns = relation.parentColumns.map {
            catalogue.compared(source.column($0), $0, of: source.table.name)
        }
        var related = try source.related(relation, &scope)
        related.conditions.insert(
            contentsOf: zip(related.comparableKeys, parentColumns).map { "\($0) = \($1)" }, at: 0)
        try restrict(&related, to: filter, &scope)
        var draft = StatementDraft(related, scope)
        var columns = try GroupColumns(Aggregation(), &draft, self)
        columns.usesLabels = false
        let value = try body(&columns, &draft)
        scope = draft.scope
        return (value, AggregateSubquery(draft.source))
    }
}
