import DuetSQLDatabase

/// The tables of a statement that reads rows of a resource: the resource's table, the intermediate tables of the
/// relation that leads to the resource, and the tables that are joined for fields of to-one relations.
///
/// All statements of questions read their rows through a source: lists, related rows, counts, subqueries of filters,
/// the existence of rows, and the check of readiness. A source reads only rows that satisfy the conditions of their
/// resources (``Resource/condition``).
struct RowSource {
    /// The rows that a statement can read.
    enum Visibility {
        /// The rows that satisfy the conditions of their resources.
        case conditional
        /// All rows. The condition of a resource reads its related rows in this way. Otherwise two conditions that
        /// refer to each other would be an endless recursion.
        case all
    }

    let resource: Resource
    /// The resource's table.
    let table: TableReference
    let planner: Planner
    private let visibility: Visibility
    /// The relation that leads to the rows; nil for rows without a parent row.
    private let relation: Relation?
    /// The SQL of the resource's condition; nil if there is none.
    private var condition: String?
    /// The intermediate tables of the relation.
    private var path: [(join: Relation.Join, table: TableReference)] = []
    /// The tables that are joined for fields, with the names of their relations.
    private var fieldJoins: [(relation: String, table: TableReference, sql: String)] = []
    /// The SQL conditions on the rows.
    var conditions: [String] = []
    /// True if equal values in the columns of the relation have the same bytes; see ``Relation/Equality``.
    private let comparesBytes: Bool
    /// True if the statement needs the resource's table: it reads columns that the previous table does not contain, or
    /// the join with the resource's table can exclude rows.
    private var readsResource = false

    private var catalogue: Catalogue { planner.catalogue }

    /// Creates a source for the rows of a resource.
    init(
        _ resource: Resource, _ planner: Planner, _ scope: inout StatementScope, _ visibility: Visibility = .conditional
    ) throws {
        self.init(resource, scope.reference(to: resource.table), planner, visibility)
        condition = try condition(of: resource, table, &scope)
    }

    private init(_ resource: Resource, _ table: TableReference, _ planner: Planner, _ visibility: Visibility) {
        self.resource = resource
        self.table = table
        self.planner = planner
        self.visibility = visibility
        relation = nil
        comparesBytes = true
    }

    /// Creates a source for the related rows of a relation, with the conditions of the relation.
    /// - Parameters:
    ///   - parent: The resource that has the relation.
    ///   - isLink: True if the statement uses only ``selectLink(_:)`` and another source reads the resource's rows.
    init(
        _ relation: Relation, of parent: Resource, _ planner: Planner, _ scope: inout StatementScope,
        _ visibility: Visibility = .conditional, isLink: Bool = false
    ) throws {
        self.relation = relation
        self.planner = planner
        self.visibility = visibility
        comparesBytes = planner.catalogue.equality(of: relation, parent) == .bytes
        resource = try planner.catalogue.target(of: relation)
        // The target gets the first and shortest alias, because most columns are columns of the target.
        table = scope.reference(to: resource.table)
        for join in relation.joins {
            let joined = scope.reference(to: join.table)
            for condition in join.conditions {
                switch condition {
                case .equal(let column, let value):
                    conditions.append("\(joined.column(column)) = \(scope.bind(.value(value), to: column))")
                case .differs(let column, let other):
                    conditions.append("\(joined.column(column)) <> \((path.last?.table ?? joined).column(other))")
                }
            }
            path.append((join, joined))
            if let resource = catalogue.resource(of: join) {
                conditions += try condition(of: resource, joined, &scope).map { [$0] } ?? []
            }
        }
        if !isLink { condition = try condition(of: resource, table, &scope) }
        readsResource = condition != nil || !relation.joins.allSatisfy(\.isEnforced)
    }

    /// Creates a source for the related rows of this source's rows, with the same visibility.
    func related(_ relation: Relation, _ scope: inout StatementScope) throws -> RowSource {
        try RowSource(relation, of: resource, planner, &scope, visibility)
    }

    /// Returns the condition of a resource for one of its tables in the statement; nil if all rows are visible.
    private func condition(
        of resource: Resource, _ table: TableReference, _ scope: inout StatementScope
    ) throws -> String? {
        guard visibility == .conditional, !resource.condition.isEverything else { return nil }
        var rows = RowSource(resource, table, planner, .all)
        try planner.restrict(&rows, to: resource.condition, &scope)
        return rows.conditions.joined(separator: " AND ")
    }

    /// Adds a condition of a rule. Like the condition of a resource, it is evaluated with all rows of the database.
    mutating func require(_ rule: Filter, _ scope: inout StatementScope) throws {
        guard !rule.isEverything else { return }
        var rows = RowSource(resource, table, planner, .all)
        try planner.restrict(&rows, to: rule, &scope)
        conditions.append("(\(rows.conditions.joined(separator: " AND ")))")
    }

    // MARK: Expressions

    /// The columns that are compared with the columns of the parent row.
    var keys: [String] {
        let first = path.first?.table ?? table
        return relation?.keyColumns.map { catalogue.compared($0, of: first) } ?? []
    }

    /// The ``keys`` as expressions for the comparison with the columns of the parent row. An expression contains the
    /// collation of the comparison, if one is specified.
    var comparableKeys: [String] {
        zip(keys, relation?.keyPairs ?? []).map { $1.comparable($0) }
    }

    /// Returns a column of the resource's table as an operand of a comparison.
    func compared(_ name: String) -> String { catalogue.compared(name, of: table) }

    /// Returns a column of the intermediate table with an index as an operand of a comparison.
    func compared(_ name: String, ofJoin index: Int) -> String { catalogue.compared(name, of: path[index].table) }

    /// The columns of the relation's last intermediate table that are joined with the resource's table; nil if the
    /// relation has no intermediate tables.
    var linkColumns: [String]? {
        guard let last = path.last?.table, let relation else { return nil }
        return relation.columns.map { last.column($0.from) }
    }

    /// Returns the conditions that join the last intermediate table with a row of the resource that another source
    /// reads.
    func isLinked(to other: TableReference) -> [String] {
        guard let last = path.last?.table, let relation else { return [] }
        return relation.columns.map {
            "\($0.comparable(catalogue.compared($0.from, of: last))) = \(other.column($0.to))"
        }
    }

    /// Returns the conditions that select the row with a key.
    /// - Parameter key: The parameters for the fields of the key.
    func isRow(_ key: [String]) -> [String] {
        zip(resource.keyFields, key).map { field, parameter in
            let column = catalogue.compared(table.column(field.column), field, of: resource)
            return "\(column) = \(catalogue.narrowCollation(of: field, resource).comparable(parameter))"
        }
    }

    /// The conditions that select the row of a ``Subject``. The parameters have the names of the key fields.
    var isSubject: [String] { isRow(resource.keyFields.map { ":\($0.name)" }) }

    /// Returns an expression for a column of the resource's table. If a column of the last intermediate table has the
    /// same values, the function returns that column, because an index on the intermediate table can provide the order
    /// of the rows.
    mutating func column(_ name: String) -> String {
        if comparesBytes, let last = path.last, let pair = relation?.columns.first(where: { $0.to == name }) {
            return last.table.column(pair.from)
        }
        readsResource = true
        return table.column(name)
    }

    /// Returns an expression for a field. The function joins the table of the field's column if necessary.
    mutating func expression(of field: Field, _ scope: inout StatementScope) throws -> String {
        guard let name = field.relation else { return column(field.column) }
        if let join = fieldJoins.first(where: { $0.relation == name }) {
            return join.table.column(field.column)
        }
        let relation = try resource.requiredRelation(name)
        let target = try catalogue.target(of: relation)
        let joined = scope.reference(to: target.table)
        let kind = relation.size == .one(isOptional: true) ? "LEFT JOIN" : "JOIN"
        var (link, on) = ("", equal(relation.columns, joined, table))
        if !relation.joins.isEmpty {
            if planner.dialect.numbersFirstRows, catalogue.equality(of: relation, resource) == .bytes {
                (link, on) = try numbered(joined, of: relation, kind, &scope)
            } else {
                on = try isFirst(joined, of: relation, &scope)
            }
        }
        // In WHERE, the condition would also exclude the rows without a visible row of the target.
        if let condition = try condition(of: target, joined, &scope) { on += " AND \(condition)" }
        fieldJoins.append((name, joined, "\(link) \(kind) \(joined.sql) ON \(on)"))
        readsResource = true
        return joined.column(field.column)
    }

    // MARK: Statement

    /// The conditions of the statement, and the condition of the resource.
    var allConditions: [String] { conditions + (condition.map { [$0] } ?? []) }

    /// The `FROM` clause of the intermediate tables; nil if the relation has none.
    private var link: String? {
        guard let first = path.first?.table else { return nil }
        return zip(path, path.dropFirst()).reduce(first.sql) { sql, tables in
            let (previous, (join, table)) = (tables.0.table, tables.1)
            return sql + " JOIN \(table.sql) ON \(equal(join.columns, table, previous))"
        }
    }

    /// The `FROM` clause: `dept_emp AS t1 JOIN employees AS t ON t.emp_no = t1.emp_no`.
    private var tables: String {
        let joined = fieldJoins.map(\.sql).joined()
        guard let link, let last = path.last?.table, let relation else { return table.sql + joined }
        return "\(link) JOIN \(table.sql) ON \(equal(relation.columns, table, last))\(joined)"
    }

    private func equal(
        _ columns: [Relation.ColumnPair], _ table: TableReference, _ previous: TableReference
    ) -> String {
        columns.map { "\($0.comparable(catalogue.compared($0.to, of: table))) = \(previous.column($0.from))" }
            .joined(separator: " AND ")
    }

    /// Returns the statement `SELECT … FROM … WHERE …`.
    /// - Parameters:
    ///   - before: A table that precedes the other tables, followed by its join operator.
    ///   - omitsResource: True to omit the resource's table if the statement reads none of its columns.
    func select(_ columns: String, from before: String = "", omitsResource: Bool = false) -> String {
        "SELECT \(columns) \(clauses(from: before, omitsResource: omitsResource))"
    }

    /// Returns the clauses `FROM … WHERE …` of a statement; see ``select(_:from:omitsResource:)``.
    func clauses(from before: String = "", omitsResource: Bool = false) -> String {
        if omitsResource, !readsResource, let link { return Self.clauses(before + link, conditions) }
        return Self.clauses(before + tables, allConditions)
    }

    /// Returns the statement `SELECT … FROM … WHERE …` that reads only the intermediate tables of the relation, or the
    /// resource's table if the relation has none.
    func selectLink(_ columns: String) -> String {
        link.map { "SELECT \(columns) \(Self.clauses($0, conditions))" } ?? select(columns)
    }

    private static func clauses(_ tables: String, _ conditions: [String]) -> String {
        "FROM \(tables)" + (conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND "))
    }
}

/// A table in one statement. Only this type converts the name of a table to SQL. Only ``RowSource`` uses ``sql``, so
/// that each statement reads a table through a row source. An `INSERT` does not read its table.
struct TableReference {
    /// The name of the database; nil for the database of the connection.
    var database: String?
    let name: String
    let alias: String

    /// The table in a `FROM` clause: `dept_emp AS t1`.
    var sql: String {
        let qualifier = database.map { SQLIdentifier.quoted($0) + "." } ?? ""
        return "\(qualifier)\(SQLIdentifier.quoted(name)) AS \(alias)"
    }

    /// Returns the table of an `INSERT` statement, which has no alias: `dept_emp`.
    static func insertTarget(_ name: String) -> String { SQLIdentifier.quoted(name) }

    /// Returns an expression for a column: `t1.emp_no`.
    func column(_ name: String) -> String { "\(alias).\(SQLIdentifier.quoted(name))" }
}

extension Catalogue {
    /// Returns a column of a table as an operand of a comparison or a term of an order.
    func compared(_ column: String, of table: TableReference) -> String {
        table.database == nil ? compared(table.column(column), column, of: table.name) : table.column(column)
    }
}
