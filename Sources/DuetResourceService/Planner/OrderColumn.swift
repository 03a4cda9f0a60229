import DuetResultSetJSON
import DuetSQLDatabase

/// A column in the order of rows.
struct OrderColumn: Sendable, Hashable {
    /// The label of the column in a statement that selects its value for a cursor.
    let label: String
    let expression: String
    let field: Field
    let descending: Bool
    /// The condition that the value is NULL.
    let isNull: String
    /// The collation of its column; nil if the column accepts all characters.
    let narrowCollation: NarrowCollation?

    var type: FieldType { field.type }
    var isNullable: Bool { field.isNullable }

    /// The term of an `ORDER BY` clause: `t.hire_date DESC`.
    var sql: String { descending ? expression + " DESC" : expression }
}

extension [OrderColumn] {
    /// Returns the context of cursors; see ``Cursor``.
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

    /// Returns the condition of the rows after a row with these values (keyset pagination). NULL is the smallest value,
    /// as in both databases. The condition allows a range scan of an index. It is not a row comparison, because MariaDB
    /// uses no index for those.
    func after(_ values: [SQLValue], _ scope: inout StatementScope) -> String {
        var condition: String?
        for (column, value) in zip(self, values).reversed() {
            let expression = column.expression
            if value == .null {
                // In descending order, only rows with NULL follow a NULL.
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
