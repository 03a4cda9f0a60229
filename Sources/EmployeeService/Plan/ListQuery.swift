import SQLDatabase

/// The rows of a resource that a filter lets through, in an order: what a page is cut from.
struct ListQuery: Sendable {
    let resource: Resource
    /// The order, key included, so that no two rows stand at the same place.
    let order: [SortColumn]
    /// What a cursor of this list is bound to: resource, filter and order.
    let context: String
    private let conditions: [String]
    private let arguments: Arguments
    private let filter: EmployeeFilter
    private let dialect: Dialect

    init(_ resource: Resource, filter: EmployeeFilter, sort: SortOrder?, _ dialect: Dialect) {
        self.resource = resource
        order = Self.order(resource, sort)
        context = "\(resource.name)|\(order)|\(filter)"
        (conditions, arguments) = filter.conditions(dialect)
        self.filter = filter
        self.dialect = dialect
    }

    /// A cursor as a client sent it.
    /// - Throws: ``ServiceError`` for one that is not of this list.
    func cursor(_ text: String?) throws -> Cursor? {
        try text.map { try Cursor(decoding: $0, context: context, order: order) }
    }

    /// The statement that reads the rows.
    /// - Parameters:
    ///   - columns: without any, only rows are counted.
    ///   - limit: most rows; one more is read, which tells whether there is a next page. `nil` for all of them.
    ///   - cursor: behind which row to begin.
    func rows(columns: String, limit: Int?, after cursor: Cursor?) -> (sql: String, arguments: Arguments) {
        var (conditions, arguments) = (conditions, arguments)
        if let cursor { conditions.append(Self.after(cursor, order, &arguments)) }
        var sql = select(columns.isEmpty ? "1" : columns, where: conditions)
        sql += " ORDER BY " + order.map { $0.column + ($0.descending ? " DESC" : "") }.joined(separator: ", ")
        if let limit {
            sql += " LIMIT :limit"
            arguments["limit"] = .integer(limit + 1)
        }
        return (sql, arguments)
    }

    /// The statement that counts the rows of all pages.
    var count: (sql: String, arguments: Arguments) {
        let (conditions, arguments) = filter.conditions(dialect, isCounting: true)
        return (select("COUNT(*)", where: conditions), arguments)
    }

    private func select(_ columns: String, where conditions: [String]) -> String {
        let sql = "SELECT \(columns) FROM \(resource.from)"
        return conditions.isEmpty ? sql : sql + " WHERE " + conditions.joined(separator: " AND ")
    }

    private static func order(_ resource: Resource, _ sort: SortOrder?) -> [SortColumn] {
        guard let sort, var column = resource.sortColumns.first(where: { $0.label == sort.field }) else {
            return resource.key
        }
        // The whole order is reversed, key included, so that an index serves both directions.
        let key = resource.key.map { column in
            var column = column
            column.descending = column.descending != sort.descending
            return column
        }
        guard column.label != resource.key[0].label else { return key }
        column.descending = sort.descending
        return [column] + key
    }

    /// Keyset pagination: the rows behind the last one of the page before. Written so that an index finds the beginning;
    /// MariaDB does not use one for a comparison of rows.
    private static func after(_ cursor: Cursor, _ order: [SortColumn], _ arguments: inout Arguments) -> String {
        var condition = ""
        for (index, (column, value)) in zip(order, cursor.values).enumerated().reversed() {
            let name = "after\(index)"
            arguments[name] = .value(value)
            let comparison = column.descending ? "<" : ">"
            condition =
                condition.isEmpty
                ? "\(column.column) \(comparison) :\(name)"
                : "\(column.column) \(comparison)= :\(name) AND (\(column.column) \(comparison) :\(name) OR (\(condition)))"
        }
        return "(\(condition))"
    }
}
