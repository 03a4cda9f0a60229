import DuetSQLDatabase

/// The tables of a statement that reads rows of a resource: the resource's table, the intermediate tables of the
/// relation that leads to the resource, and the tables that are joined for fields of to-one relations.
struct RowSource {
    let resource: Resource
    /// The alias of the resource's table.
    let alias: String
    private let catalogue: Catalogue
    /// The relation that leads to the rows; nil for rows without a parent row.
    private let relation: Relation?
    /// The intermediate tables of the relation with their aliases.
    private var path: [(join: Relation.Join, alias: String)] = []
    /// The tables that are joined for fields, with the names of their relations.
    private var fieldJoins: [(relation: String, alias: String, sql: String)] = []
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
        alias = scope.alias()
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
        alias = scope.alias()
        for join in relation.joins {
            let (previous, alias) = (path.last?.alias, scope.alias())
            for condition in join.conditions {
                switch condition {
                case .equal(let column, let value):
                    conditions.append(
                        "\(alias).\(SQLIdentifier.quoted(column)) = \(scope.bind(.value(value), to: column))")
                case .differs(let column, let other):
                    conditions.append(
                        "\(alias).\(SQLIdentifier.quoted(column)) <> \(previous ?? alias).\(SQLIdentifier.quoted(other))"
                    )
                }
            }
            path.append((join, alias))
        }
    }

    // MARK: Expressions

    /// The columns that are compared with the columns of the parent row.
    var keys: [String] {
        let (alias, table) = path.first.map { ($0.alias, $0.join.table) } ?? (alias, resource.table)
        return relation?.keyColumns.map {
            catalogue.compared("\(alias).\(SQLIdentifier.quoted($0))", $0, of: table)
        } ?? []
    }

    /// The ``keys`` as expressions for the comparison with the columns of the parent row. An expression contains the
    /// collation of the comparison, if one is specified.
    var comparableKeys: [String] {
        zip(keys, relation?.keyPairs ?? []).map { $1.comparable($0) }
    }

    /// Returns a column of the resource's table as an operand of a comparison.
    func compared(_ name: String) -> String {
        catalogue.compared("\(alias).\(SQLIdentifier.quoted(name))", name, of: resource.table)
    }

    /// Returns an expression for a column of the resource's table. If a column of the last intermediate table has the
    /// same values, the function returns that column, because an index on the intermediate table can provide the order
    /// of the rows.
    mutating func column(_ name: String) -> String {
        if comparesBytes, let last = path.last, let pair = relation?.columns.first(where: { $0.to == name }) {
            return "\(last.alias).\(SQLIdentifier.quoted(pair.from))"
        }
        readsResource = true
        return "\(alias).\(SQLIdentifier.quoted(name))"
    }

    /// Returns an expression for a field. The function joins the table of the field's column if necessary.
    mutating func expression(of field: Field, _ scope: inout StatementScope) throws -> String {
        guard let name = field.relation else { return column(field.column) }
        if let join = fieldJoins.first(where: { $0.relation == name }) {
            return "\(join.alias).\(SQLIdentifier.quoted(field.column))"
        }
        let relation = try resource.requiredRelation(name)
        let target = try catalogue.target(of: relation)
        let joined = scope.alias()
        let kind = relation.size == .one(isOptional: true) ? "LEFT JOIN" : "JOIN"
        let condition = equal(relation.columns, joined, target.table, alias)
        fieldJoins.append((name, joined, " \(kind) \(SQLIdentifier.quoted(target.table)) AS \(joined) ON \(condition)"))
        readsResource = true
        return "\(joined).\(SQLIdentifier.quoted(field.column))"
    }

    /// Returns an expression for a column of the intermediate table with an index.
    func column(_ name: String, ofJoin index: Int) -> String { "\(path[index].alias).\(SQLIdentifier.quoted(name))" }

    // MARK: Statement

    /// The `FROM` clause of the intermediate tables, and the alias and join columns of the last intermediate table; nil
    /// if the relation has no intermediate tables.
    var link: (sql: String, alias: String, columns: [String])? {
        guard let first = path.first, let relation else { return nil }
        var sql = "\(SQLIdentifier.quoted(first.join.table)) AS \(first.alias)"
        var previous = first.alias
        for (join, alias) in path.dropFirst() {
            sql +=
                " JOIN \(SQLIdentifier.quoted(join.table)) AS \(alias) ON \(equal(join.columns, alias, join.table, previous))"
            previous = alias
        }
        return (sql, previous, relation.columns.map { "\(previous).\(SQLIdentifier.quoted($0.from))" })
    }

    /// The `FROM` clause: `dept_emp AS t1 JOIN employees AS t ON t.emp_no = t1.emp_no`.
    var tables: String {
        let own = "\(SQLIdentifier.quoted(resource.table)) AS \(alias)"
        let joined = fieldJoins.map(\.sql).joined()
        guard let link, let relation else { return own + joined }
        return "\(link.sql) JOIN \(own) ON \(equal(relation.columns, alias, resource.table, link.alias))\(joined)"
    }

    private func equal(
        _ columns: [Relation.ColumnPair], _ alias: String, _ table: String, _ previous: String
    ) -> String {
        columns.map { pair in
            let column = catalogue.compared("\(alias).\(SQLIdentifier.quoted(pair.to))", pair.to, of: table)
            return "\(pair.comparable(column)) = \(previous).\(SQLIdentifier.quoted(pair.from))"
        }.joined(separator: " AND ")
    }

    /// Returns the statement `SELECT … FROM … WHERE …`.
    /// - Parameters:
    ///   - before: A table that precedes the other tables, followed by its join operator.
    ///   - omitsResource: True to omit the resource's table if the statement reads none of its columns.
    func select(_ columns: String, from before: String = "", omitsResource: Bool = false) -> String {
        let tables = omitsResource && !readsResource ? link?.sql ?? tables : tables
        return "SELECT \(columns) FROM \(before)\(tables)"
            + (conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND "))
    }
}
