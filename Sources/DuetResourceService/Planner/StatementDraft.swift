import DuetSQLDatabase

/// A statement under construction that reads rows: its names, tables and columns.
struct StatementDraft {
    var scope = StatementScope()
    var source: RowSource
    var columns: ColumnList

    /// Creates a statement that reads rows of a resource.
    init(_ resource: Resource, _ catalogue: Catalogue) {
        source = RowSource(resource, catalogue, &scope)
        columns = ColumnList()
    }

    /// Creates a statement that reads rows of a relation. Its first columns identify the parent row.
    /// - Parameter parent: The resource that has the relation.
    init(_ relation: Relation, of parent: Resource, _ catalogue: Catalogue) throws {
        source = try RowSource(relation, of: parent, catalogue, &scope)
        columns = ColumnList(offset: relation.keyColumns.count)
    }

    mutating func expression(of field: Field) throws -> String { try source.expression(of: field, &scope) }

    /// Returns the position of a field's column in the result set. It adds the column if it is new.
    mutating func position(of field: Field) throws -> Int {
        columns.position(of: try expression(of: field), label: field.name)
    }

    /// Returns the positions of the columns of an order. It adds new columns.
    mutating func positions(of order: [OrderColumn]) -> [Int] {
        order.map { columns.position(of: $0.expression, label: $0.label) }
    }
}

/// The namespace of one statement: its parameters with their arguments, and the aliases of its tables.
struct StatementScope {
    private(set) var arguments = Arguments()
    /// The number of values in lists.
    private(set) var listedValues = 0
    private var parameterCount = 0
    private var aliasCount = 0

    /// Binds a value to a new parameter.
    /// - Parameter name: The field or column in the comparison, which makes the SQL readable.
    /// - Returns: The parameter, such as `:p1_hireDate`.
    mutating func bind(_ argument: Arguments.Argument, to name: String) -> String {
        parameterCount += 1
        if case .list(let values) = argument { listedValues += values.count }
        let parameter = "p\(parameterCount)_\(SQLName.parameter(name))"
        arguments[parameter] = argument
        return ":" + parameter
    }

    /// Binds a value to a parameter with a given name.
    mutating func bind(_ argument: Arguments.Argument, as name: String) {
        arguments[name] = argument
    }

    /// Returns a new alias: `t`, then `t1`, `t2`, ….
    mutating func alias() -> String {
        defer { aliasCount += 1 }
        return aliasCount == 0 ? "t" : "t\(aliasCount)"
    }
}

/// The unique columns of a statement, in the order of their first use.
struct ColumnList {
    private var columns: [(label: String, expression: String)] = []
    /// The number of preceding columns.
    private let offset: Int

    /// Creates an empty list.
    /// - Parameter offset: The number of preceding columns of the statement.
    init(offset: Int = 0) {
        self.offset = offset
    }

    /// Returns the position of a column in the result set. It adds the column if it is new.
    mutating func position(of expression: String, label: String) -> Int {
        if let index = columns.firstIndex(where: { $0.label == label }) { return offset + index }
        columns.append((label, expression))
        return offset + columns.count - 1
    }

    /// The select list: `t.emp_no AS employeeNumber, …`; `1` if it is empty.
    var sql: String {
        columns.isEmpty && offset == 0
            ? "1" : columns.map { "\($0.expression) AS \(SQLIdentifier.quoted($0.label))" }.joined(separator: ", ")
    }

    /// The labels; empty without columns.
    var labels: String { columns.map { SQLIdentifier.quoted($0.label) }.joined(separator: ", ") }
}
