import DuetSQLDatabase

/// The tables of a statement that reads rows of a resource: the resource's table, the intermediate tables of the
/// relation that leads to the resource, and the tables that are joined for fields of to-one relations.
///
/// All statements of questions read their rows through a source: lists, related rows, counts, subqueries of filters,
/// the existence of rows, and the check of readiness.
struct RowSource {
    let resource: Resource
    /// The resource's table.
    let table: TableReference
    private let catalogue: Catalogue
    /// The relation that leads to the rows; nil for rows without a parent row.
    private let relation: Relation?
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

    /// Creates a source for the rows of a resource.
    init(_ resource: Resource, _ catalogue: Catalogue, _ scope: inout StatementScope) {
        self.resource = resource
        self.catalogue = catalogue
        relation = nil
        comparesBytes = true
        table = TableReference(name: resource.table, alias: scope.alias())
    }

    /// Creates a source for the related rows of a relation, with the conditions of the relation.
    /// - Parameter parent: The resource that has the relation.
    init(
        _ relation: Relation, of parent: Resource, _ catalogue: Catalogue, _ scope: inout StatementScope
    ) throws {
        self.relation = relation
        self.catalogue = catalogue
        comparesBytes = catalogue.equality(of: relation, parent) == .bytes
        readsResource = !relation.joins.allSatisfy(\.isEnforced)
        resource = try catalogue.target(of: relation)
        // The target gets the first and shortest alias, because most columns are columns of the target.
        table = TableReference(name: resource.table, alias: scope.alias())
        for join in relation.joins {
            let joined = TableReference(name: join.table, alias: scope.alias())
            for condition in join.conditions {
                switch condition {
                case .equal(let column, let value):
                    conditions.append("\(joined.column(column)) = \(scope.bind(.value(value), to: column))")
                case .differs(let column, let other):
                    conditions.append("\(joined.column(column)) <> \((path.last?.table ?? joined).column(other))")
                }
            }
            path.append((join, joined))
        }
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
        let joined = TableReference(name: target.table, alias: scope.alias())
        let kind = relation.size == .one(isOptional: true) ? "LEFT JOIN" : "JOIN"
        fieldJoins.append((name, joined, " \(kind) \(joined.sql) ON \(equal(relation.columns, joined, table))"))
        readsResource = true
        return joined.column(field.column)
    }

    // MARK: Statement

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
        select(columns, from: before + (omitsResource && !readsResource ? link ?? tables : tables))
    }

    /// Returns the statement `SELECT … FROM … WHERE …` that reads only the intermediate tables of the relation.
    func selectLink(_ columns: String) -> String { select(columns, from: link ?? tables) }

    private func select(_ columns: String, from tables: String) -> String {
        "SELECT \(columns) FROM \(tables)"
            + (conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND "))
    }
}
