import SQLDatabase

/// The names of one statement: its parameters with their arguments, and the aliases of its tables.
struct StatementScope {
    private(set) var arguments = Arguments()
    private var parameterCount = 0
    private var aliasCount = 0

    /// Binds a value.
    /// - Parameter name: The field or column that it is compared to, for readers of the statement.
    /// - Returns: The parameter: `:p1_hireDate`.
    mutating func bind(_ argument: Arguments.Argument, to name: String) -> String {
        parameterCount += 1
        let parameter = "p\(parameterCount)_\(name)"
        arguments[parameter] = argument
        return ":" + parameter
    }

    /// Binds a value under a name of its own.
    mutating func bind(_ argument: Arguments.Argument, as name: String) {
        arguments[name] = argument
    }

    /// A new alias: `t`, then `t1`, `t2`, ….
    mutating func alias() -> String {
        defer { aliasCount += 1 }
        return aliasCount == 0 ? "t" : "t\(aliasCount)"
    }
}

/// A table of a statement under an alias, and the tables joined to it for fields of to-one relations.
struct Table {
    let resource: Resource
    let alias: String
    private let catalogue: Catalogue
    /// The joins, by the name of the relation.
    private var joins: [(relation: String, alias: String, sql: String)] = []

    init(_ resource: Resource, _ catalogue: Catalogue, _ scope: inout StatementScope) {
        self.resource = resource
        self.catalogue = catalogue
        alias = scope.alias()
    }

    /// `employees AS t`, with its joins.
    var sql: String { "\(resource.table) AS \(alias)" + joins.map(\.sql).joined() }

    /// The joins alone.
    var joinSQL: String { joins.map(\.sql).joined() }

    /// A field as an expression; joins the table that has its column.
    mutating func expression(of field: Field, _ scope: inout StatementScope) throws -> String {
        guard let name = field.relation else { return "\(alias).\(field.column)" }
        if let join = joins.first(where: { $0.relation == name }) { return "\(join.alias).\(field.column)" }
        guard let relation = resource.relation(name) else {
            throw CatalogueError("\(resource.name) has no relation \(name)")
        }
        let target = try catalogue.target(of: relation)
        let joined = scope.alias()
        let isOptional = if case .one(isOptional: true) = relation.size { true } else { false }
        let condition = relation.columns.map { "\(joined).\($0.to) = \(alias).\($0.from)" }.joined(separator: " AND ")
        joins.append(
            (name, joined, " \(isOptional ? "LEFT JOIN" : "JOIN") \(target.table) AS \(joined) ON \(condition)"))
        return "\(joined).\(field.column)"
    }

    /// The field of that name.
    /// - Throws: ``CatalogueError``: questions name only fields that there are.
    func field(_ name: String) throws -> Field {
        guard let field = resource.field(name) else { throw CatalogueError("\(resource.name) has no field \(name)") }
        return field
    }
}
