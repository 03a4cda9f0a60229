import DuetSQLDatabase

/// The statements of changes of all rows that match a filter.
extension Planner {
    /// Returns the statement that locks and returns the keys of the rows that match a condition, in the order of the
    /// keys.
    func keys(of resource: Resource, where condition: Filter, limit: Int) throws -> ChangePlan.Statement {
        var scope = StatementScope()
        var source = try RowSource(resource, self, &scope)
        try restrict(&source, to: condition, &scope)
        let columns = resource.keyFields.map { source.table.column($0.column) }.joined(separator: ", ")
        return statement("\(source.select(columns)) ORDER BY \(columns) LIMIT \(limit)\(dialect.rowLock)", scope)
    }

    /// Returns the source of the rows with the given keys.
    func rows(of resource: Resource, with keys: [[SQLValue]], _ scope: inout StatementScope) throws -> RowSource {
        var source = try RowSource(resource, self, &scope, .all)
        let fields = resource.keyFields
        let columns = fields.map { catalogue.compared(source.table.column($0.column), $0, of: resource) }
        let bound = keys.map { zip(fields, $0).map { $0.bound($1) } }
        // A list of consecutive integers is compared as a range, which can contain numbers with a fraction.
        let isList = fields.count == 1 && !fields.contains { $0.type.hasFractions }
        let values: Arguments.Argument = isList ? .list(bound.flatMap(\.self)) : .rows(bound)
        let names = isList ? columns[0] : "(\(columns.joined(separator: ", ")))"
        source.conditions.append("\(names) IN (\(scope.bind(values, to: "keys")))")
        return source
    }
}
