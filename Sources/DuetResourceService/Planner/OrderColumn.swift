import DuetResultSetJSON
import DuetSQLDatabase

/// A column by which rows are ordered.
struct OrderColumn: Sendable, Hashable {
    /// The label of the column in a statement that selects the value for a cursor.
    let label: String
    let expression: String
    let field: Field
    let descending: Bool
    /// The SQL condition that is true if the value is NULL.
    let isNull: String
    /// The collation of the column if the column is narrow (see ``NarrowColumns``); otherwise nil.
    let narrowCollation: NarrowCollation?

    var type: FieldType { field.type }
    var isNullable: Bool { field.isNullable }

    /// The term of an `ORDER BY` clause: `t.hire_date DESC`.
    var sql: String { descending ? expression + " DESC" : expression }
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

    /// Returns the condition for the rows that follow a row with these values (keyset pagination). NULL is the smallest
    /// value, as in the order of both databases. The database can evaluate the condition with a range scan of an index.
    /// The condition is not a row comparison, `(a, b) > (…)`, because MariaDB uses no index for row comparisons.
    func after(_ values: [SQLValue], _ scope: inout StatementScope) -> String {
        var condition: String?
        for (column, value) in zip(self, values).reversed() {
            let expression = column.expression
            if value == .null {
                // In descending order, NULL is the last value, so only rows with NULL can follow.
                let rest = condition.map { "\(column.isNull) AND (\($0))" }
                let next = column.descending ? nil : "\(expression) IS NOT NULL"
                condition = [next, rest].compactMap(\.self).joined(separator: " OR ")
                if next == nil, rest == nil { condition = "1 = 0" }
                continue
            }
            let parameter = column.narrowCollation.comparable(scope.bind(.value(value), to: "after"))
            let strict = "\(expression) \(column.descending ? "<" : ">") \(parameter)"
            if column.descending, column.isNullable {
                let next = "\(strict) OR \(column.isNull)"
                condition = condition.map { "\(next) OR (\(expression) = \(parameter) AND (\($0)))" } ?? next
            } else if let rest = condition {
                condition =
                    "\(expression) \(column.descending ? "<" : ">")= \(parameter) AND (\(strict) OR (\(rest)))"
            } else {
                condition = strict
            }
        }
        return "(\(condition ?? "1 = 1"))"
    }
}
