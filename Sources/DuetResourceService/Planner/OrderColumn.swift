import DuetResultSetJSON
import DuetSQLDatabase

/// An expression by which rows are ordered, and whose values are in the cursors of the list.
///
/// The expression is the column of a field, except for a long column of MariaDB. Such a field has two expressions: the
/// beginning of the value, and a digest of the whole value. So the order compares as much of a value as the condition
/// that selects the rows after a cursor does, and a cursor has a limited length. Values with the same beginning are in
/// an arbitrary order, which is the same on each page.
///
/// The expression of an aggregate of related rows belongs to a subquery, which reads these rows.
struct OrderColumn: Sendable, Hashable {
    /// The label of the column in a statement that selects the value for a cursor.
    let label: String
    var expression: String
    let field: Field
    /// The type of the expression's values.
    let type: FieldType
    let descending: Bool
    /// The SQL condition that is true if the value is NULL.
    var isNull: String
    /// The collation of the column if the column is narrow (see ``NarrowColumns``); otherwise nil.
    let narrowCollation: NarrowCollation?
    /// True if a cursor contains the digest of a long value instead of the value itself.
    let permitsDigest: Bool
    /// The type of the numbers of which the expression is a sum or an average; nil for any other expression.
    var number: AggregateNumber?
    /// The aggregate of related rows; nil for a value of the rows themselves.
    var related: RelatedAggregate?

    /// The collation of the order by a subquery, which does not have that of its column; nil for any other expression.
    var collation: String?

    var isNullable: Bool { field.isNullable }

    /// The expression for the value in a cursor.
    var selected: String { related.map { $0.subquery.select($0.value) } ?? expression }

    /// The term of an `ORDER BY` clause: `t.hire_date DESC`.
    var sql: String {
        embedded(expression) + (collation.map { " COLLATE \($0)" } ?? "") + (descending ? " DESC" : "")
    }

    /// Returns a condition or an expression that contains ``expression`` as a part of the statement. The subquery of an
    /// aggregate computes it with one reading of the related rows.
    fileprivate func embedded(_ sql: String) -> String { related?.subquery.select(sql) ?? sql }
}

extension [OrderColumn] {
    /// Returns the context of a list's cursors, a text that identifies the list; see ``Cursor``.
    /// - Parameter list: The path of the list.
    func context(of list: String, _ filter: Filter) -> String {
        let parts = map { "\($0.label)\($0.descending ? "-" : "+")" }.joined(separator: ",")
        return "\(list)|\(parts)|\(filter.signature)"
    }

    /// Returns the shape of a page whose cursors consist of these columns.
    func shape(of members: [PageShape.Member], _ context: String) -> PageShape {
        PageShape(
            members,
            cursor: PageShape.Cursor(columns: map(\.label)) {
                Cursor(values: $0).encoded(context: context, order: self)
            })
    }

    /// Returns the condition for the rows that follow a row (keyset pagination). NULL is the smallest value, as in the
    /// order of both databases. The database can evaluate the condition with a range scan of an index. The condition is
    /// not a row comparison, `(a, b) > (…)`, because MariaDB uses no index for row comparisons.
    /// - Parameter values: The values of the row as SQL; nil for NULL.
    func after(_ values: [String?]) -> String {
        var condition: String?
        for (column, value) in zip(self, values).reversed() {
            let expression = column.expression
            guard let value else {
                // In descending order, NULL is the last value, so only rows with NULL can follow.
                let rest = condition.map { "\(column.isNull) AND (\($0))" }
                let next = column.descending ? nil : "\(expression) IS NOT NULL"
                let parts = [next, rest].compactMap(\.self)
                condition = parts.isEmpty ? "1 = 0" : column.embedded(parts.joined(separator: " OR "))
                continue
            }
            let strict = "\(expression) \(column.descending ? "<" : ">") \(value)"
            if column.descending, column.isNullable {
                let next = "\(strict) OR \(column.isNull)"
                condition = condition.map { "\(next) OR (\(expression) = \(value) AND (\($0)))" } ?? next
            } else if let rest = condition {
                condition = "\(expression) \(column.descending ? "<" : ">")= \(value) AND (\(strict) OR (\(rest)))"
            } else {
                condition = strict
            }
            condition = condition.map { column.embedded($0) }
        }
        return "(\(condition ?? "1 = 1"))"
    }
}

extension Planner {
    /// Returns the clause ` ORDER BY …`; an empty text without an order. An aggregate of related rows that the
    /// statement selects is not computed again.
    func orderClause(_ order: [OrderColumn], _ columns: ColumnList) -> String {
        let terms = order.map { column in
            column.related != nil && columns.contains(column.label) ? labelled(column).sql : column.sql
        }
        return terms.isEmpty ? "" : " ORDER BY " + terms.joined(separator: ", ")
    }

    /// Returns the column for a clause that can use the label of the selected value.
    func labelled(_ column: OrderColumn) -> OrderColumn {
        let label = SQLIdentifier.quoted(column.label)
        var column = column
        column.expression =
            column.number.map { dialect.comparable(label, $0) } ?? label
            + (column.collation.map { " COLLATE \($0)" } ?? "")
        column.collation = nil
        column.isNull = column.related == nil ? isNull(label, column.field) : "\(label) IS NULL"
        column.related = nil
        return column
    }

    /// Returns the condition for the rows of a list that follow the row of a cursor.
    func following(
        _ cursor: Cursor, _ order: [OrderColumn], of resource: Resource, _ scope: inout StatementScope
    ) throws -> String {
        var values: [String?] = []
        for (position, column) in zip(cursor.positions, order).reversed() {
            switch position {
            case .value(.null): values.append(nil)
            case .value(let value):
                let parameter = column.narrowCollation.comparable(scope.bind(.value(value), to: "after"))
                values.append(column.number.map { dialect.comparable(parameter, $0) } ?? parameter)
            case .digest(let digest):
                values.append(try stored(column, digest, Array(zip(order, cursor.positions)), of: resource, &scope))
            }
        }
        return order.after(values.reversed())
    }

    /// Returns a subquery that reads a long value of SQLite from the row of a cursor. Reading fails if the value has
    /// changed. `MAX` returns a row even if the row of the cursor was deleted.
    private func stored(
        _ column: OrderColumn, _ digest: String, _ row: [(OrderColumn, Cursor.Position)], of resource: Resource,
        _ scope: inout StatementScope
    ) throws -> String {
        var source = try RowSource(resource, self, &scope)
        let expression = try source.expression(of: column.field, &scope)
        for field in resource.keyFields {
            guard let (_, position) = row.first(where: { $0.0.field.name == field.name }) else { throw Cursor.changed }
            let key = catalogue.compared(try source.expression(of: field, &scope), field, of: resource)
            switch position {
            case .value(let value): source.conditions.append("\(key) = \(scope.bind(.value(value), to: field.name))")
            case .digest(let digest):
                source.conditions.append("duet_digest(\(key)) = \(scope.bind(.value(.text(digest)), to: "digest"))")
            }
        }
        let parameter = scope.bind(.value(.text(digest)), to: "digest")
        return "(\(source.select("duet_unchanged(MAX(\(expression)), \(parameter))")))"
    }
}
