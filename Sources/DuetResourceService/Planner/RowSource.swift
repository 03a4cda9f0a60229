import DuetSQLDatabase

/// The tables that rows of a resource are read from in one statement: the resource's own, those of the relation by which the rows belong
/// to other rows, and those that are joined for fields of to-one relations.
struct RowSource {
    let resource: Resource
    /// The alias of the resource's table.
    let alias: String
    private let catalogue: Catalogue
    /// The relation by which the rows belong to other rows; nil if they are read for themselves.
    private let relation: Relation?
    /// The tables of the relation before the resource's own, with their aliases.
    private var path: [(join: Relation.Join, alias: String)] = []
    /// The tables that are joined for fields, by the name of the relation.
    private var fieldJoins: [(relation: String, alias: String, sql: String)] = []
    /// The conditions of the rows.
    var conditions: [String] = []
    /// True if columns of the relation that are equal have the same bytes.
    private let comparesBytes: Bool
    /// True if the statement reads columns of the resource's table that the table before does not have.
    private var readsResource = false

    /// The rows of a resource.
    init(_ resource: Resource, _ catalogue: Catalogue, _ scope: inout StatementScope) {
        self.resource = resource
        self.catalogue = catalogue
        relation = nil
        comparesBytes = true
        alias = scope.alias()
    }

    /// The rows of a relation, with its conditions.
    /// - Parameter parent: The resource whose relation it is.
    init(
        _ relation: Relation, of parent: Resource, _ catalogue: Catalogue, _ scope: inout StatementScope
    ) throws {
        self.relation = relation
        self.catalogue = catalogue
        comparesBytes = catalogue.equality(of: relation, parent) == .bytes
        readsResource = !relation.joins.allSatisfy(\.isEnforced)
        resource = try catalogue.target(of: relation)
        // The target has the first alias, since it has the most columns.
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

    /// The columns whose values are those of the row that the rows belong to.
    var keys: [String] {
        relation?.keyColumns.map { "\(path.first?.alias ?? alias).\(SQLIdentifier.quoted($0))" } ?? []
    }

    /// The ``keys``, to be compared with those of the row that the rows belong to.
    var comparableKeys: [String] {
        zip(keys, relation?.keyPairs ?? []).map { $1.comparable($0) }
    }

    /// A column of the resource's table as an expression. A column that the table is joined by is taken from the table before, whose
    /// index has it in the order of the rows.
    mutating func column(_ name: String) -> String {
        if comparesBytes, let last = path.last, let pair = relation?.columns.first(where: { $0.to == name }) {
            return "\(last.alias).\(SQLIdentifier.quoted(pair.from))"
        }
        readsResource = true
        return "\(alias).\(SQLIdentifier.quoted(name))"
    }

    /// A field as an expression; joins the table that has its column.
    mutating func expression(of field: Field, _ scope: inout StatementScope) throws -> String {
        guard let name = field.relation else { return column(field.column) }
        if let join = fieldJoins.first(where: { $0.relation == name }) {
            return "\(join.alias).\(SQLIdentifier.quoted(field.column))"
        }
        let relation = try resource.requiredRelation(name)
        let target = try catalogue.target(of: relation)
        let joined = scope.alias()
        let kind = relation.size == .one(isOptional: true) ? "LEFT JOIN" : "JOIN"
        let condition = Self.equal(relation.columns, joined, alias)
        fieldJoins.append((name, joined, " \(kind) \(SQLIdentifier.quoted(target.table)) AS \(joined) ON \(condition)"))
        readsResource = true
        return "\(joined).\(SQLIdentifier.quoted(field.column))"
    }

    /// A column of a table of the relation, by its position.
    func column(_ name: String, ofJoin index: Int) -> String { "\(path[index].alias).\(SQLIdentifier.quoted(name))" }

    // MARK: Statement

    /// The tables of the relation without the resource's own, and the columns of the last one that this one is joined by; nil if there
    /// is none.
    var link: (sql: String, alias: String, columns: [String])? {
        guard let first = path.first, let relation else { return nil }
        var sql = "\(SQLIdentifier.quoted(first.join.table)) AS \(first.alias)"
        var previous = first.alias
        for (join, alias) in path.dropFirst() {
            sql +=
                " JOIN \(SQLIdentifier.quoted(join.table)) AS \(alias) ON \(Self.equal(join.columns, alias, previous))"
            previous = alias
        }
        return (sql, previous, relation.columns.map { "\(previous).\(SQLIdentifier.quoted($0.from))" })
    }

    /// `dept_emp AS t1 JOIN employees AS t ON t.emp_no = t1.emp_no`.
    var tables: String {
        let own = "\(SQLIdentifier.quoted(resource.table)) AS \(alias)"
        let joined = fieldJoins.map(\.sql).joined()
        guard let link, let relation else { return own + joined }
        return "\(link.sql) JOIN \(own) ON \(Self.equal(relation.columns, alias, link.alias))\(joined)"
    }

    private static func equal(_ columns: [Relation.ColumnPair], _ alias: String, _ previous: String) -> String {
        columns.map {
            "\($0.comparable("\(alias).\(SQLIdentifier.quoted($0.to))")) = \(previous).\(SQLIdentifier.quoted($0.from))"
        }.joined(separator: " AND ")
    }

    /// `SELECT … FROM … WHERE …`.
    /// - Parameters:
    ///   - before: A table before these, with the word that joins it.
    ///   - omitsResource: True to leave the resource's table out where nothing of it is read.
    func select(_ columns: String, from before: String = "", omitsResource: Bool = false) -> String {
        let tables = omitsResource && !readsResource ? link?.sql ?? tables : tables
        return "SELECT \(columns) FROM \(before)\(tables)"
            + (conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND "))
    }
}
