import SQLDatabase

/// The tables of a relation in a statement, from the first one after the resource to the target.
struct RelationPath {
    private let relation: Relation
    /// The tables between, with their aliases.
    private let joins: [(join: Relation.Join, alias: String)]
    /// The target's table.
    var target: Table
    /// The conditions of the rows.
    var conditions: [String] = []
    /// True if the statement reads columns of the target that the table before has not.
    private(set) var readsTarget = false

    init(_ relation: Relation, _ catalogue: Catalogue, _ scope: inout StatementScope) throws {
        self.relation = relation
        // The target has the first alias, since it has the most columns.
        target = Table(try catalogue.target(of: relation), catalogue, &scope)
        joins = relation.joins.map { ($0, scope.alias()) }
        for (index, (join, alias)) in joins.enumerated() {
            for condition in join.conditions {
                switch condition {
                case .equal(let column, let value):
                    conditions.append("\(alias).\(column) = \(scope.bind(.value(value), to: column))")
                case .differs(let column, let other):
                    let previous = index > 0 ? joins[index - 1].alias : alias
                    conditions.append("\(alias).\(column) <> \(previous).\(other)")
                }
            }
        }
    }

    /// The columns whose values are those of the row that the rows belong to.
    var keys: [String] { relation.keyColumns.map { "\(joins.first?.alias ?? target.alias).\($0)" } }

    /// `dept_emp AS t1 JOIN employees AS t ON t.emp_no = t1.emp_no`.
    var sql: String {
        guard let link else { return target.sql }
        return "\(link.sql) JOIN \(target.resource.table) AS \(target.alias) ON "
            + Self.condition(relation.columns, target.alias, link.alias) + target.joinSQL
    }

    /// The tables between without the target, and the columns of the last one that the target is joined by; nil if there is none.
    var link: (sql: String, alias: String, columns: [String])? {
        guard let first = joins.first else { return nil }
        var sql = "\(first.join.table) AS \(first.alias)"
        var previous = first.alias
        for (join, alias) in joins.dropFirst() {
            sql += " JOIN \(join.table) AS \(alias) ON \(Self.condition(join.columns, alias, previous))"
            previous = alias
        }
        return (sql, previous, relation.columns.map { "\(previous).\($0.from)" })
    }

    private static func condition(_ columns: [Relation.ColumnPair], _ alias: String, _ previous: String) -> String {
        columns.map { "\(alias).\($0.to) = \(previous).\($0.from)" }.joined(separator: " AND ")
    }

    /// A field of the target as an expression. A column that the target is joined by is taken from the table before, whose index has
    /// it in the order of the rows.
    mutating func expression(of field: Field, _ scope: inout StatementScope) throws -> String {
        if field.relation == nil, let last = joins.last,
            let pair = relation.columns.first(where: { $0.to == field.column })
        {
            return "\(last.alias).\(pair.from)"
        }
        readsTarget = true
        return try target.expression(of: field, &scope)
    }

    /// Adds a filter on the target.
    mutating func add(_ filter: Filter, _ planner: Planner, _ scope: inout StatementScope, isCounting: Bool = false)
        throws
    {
        let added = try planner.conditions(filter, &target, &scope, isCounting: isCounting)
        readsTarget = readsTarget || !added.isEmpty
        conditions += added
    }

    /// The alias of a table between.
    func alias(ofJoin index: Int) -> String { joins[index].alias }

    /// `SELECT … FROM … WHERE …`.
    /// - Parameter omitsTarget: True to leave the target's table out where nothing of it is read.
    func select(_ columns: String, omitsTarget: Bool = false) -> String {
        let tables = omitsTarget && !readsTarget ? link?.sql ?? sql : sql
        return "SELECT \(columns) FROM \(tables)"
            + (conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND "))
    }
}
