import DuetSQLDatabase

/// A statement that reads rows, while it is made: its names, tables and columns.
struct StatementDraft {
    var scope = StatementScope()
    var source: RowSource
    var columns: ColumnList

    /// A statement for rows of a resource.
    init(_ resource: Resource, _ catalogue: Catalogue) {
        source = RowSource(resource, catalogue, &scope)
        columns = ColumnList()
    }

    /// A statement for rows of a relation. It begins with the columns that say to which row they belong.
    /// - Parameter parent: The resource whose relation it is.
    init(_ relation: Relation, of parent: Resource, _ catalogue: Catalogue) throws {
        source = try RowSource(relation, of: parent, catalogue, &scope)
        columns = ColumnList(offset: relation.keyColumns.count)
    }

    mutating func expression(of field: Field) throws -> String { try source.expression(of: field, &scope) }

    /// The position of a field's column in the result set; adds the column if it is new.
    mutating func position(of field: Field) throws -> Int {
        columns.position(of: try expression(of: field), label: field.name)
    }

    /// The positions of the columns that rows are ordered by.
    mutating func positions(of order: [OrderColumn]) -> [Int] {
        order.map { columns.position(of: $0.expression, label: $0.label) }
    }
}

/// The names of one statement: its parameters with their arguments, and the aliases of its tables.
struct StatementScope {
    private(set) var arguments = Arguments()
    /// The number of values in lists.
    private(set) var listedValues = 0
    private var parameterCount = 0
    private var aliasCount = 0

    /// Binds a value.
    /// - Parameter name: The field or column that it is compared to, for readers of the statement.
    /// - Returns: The parameter: `:p1_hireDate`.
    mutating func bind(_ argument: Arguments.Argument, to name: String) -> String {
        parameterCount += 1
        if case .list(let values) = argument { listedValues += values.count }
        let parameter = "p\(parameterCount)_\(SQLName.parameter(name))"
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

/// The columns of a statement, each once, in the order in which they are first needed.
struct ColumnList {
    private var columns: [(label: String, expression: String)] = []
    /// The number of columns before them.
    private let offset: Int

    /// - Parameter offset: The number of other columns that the statement has before them.
    init(offset: Int = 0) {
        self.offset = offset
    }

    /// The position of a column in the result set; adds the column if it is new.
    mutating func position(of expression: String, label: String) -> Int {
        if let index = columns.firstIndex(where: { $0.label == label }) { return offset + index }
        columns.append((label, expression))
        return offset + columns.count - 1
    }

    /// `t.emp_no AS employeeNumber, …`; `1` if there is none.
    var sql: String {
        columns.isEmpty && offset == 0
            ? "1" : columns.map { "\($0.expression) AS \(SQLIdentifier.quoted($0.label))" }.joined(separator: ", ")
    }

    /// The labels; empty without columns.
    var labels: String { columns.map { SQLIdentifier.quoted($0.label) }.joined(separator: ", ") }
}
