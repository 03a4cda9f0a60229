import Crypto
import DuetSQLDatabase
import Foundation

/// A draft of a statement that reads rows: its names, tables and columns. The planner adds columns and conditions to a
/// draft before it creates the SQL.
struct StatementDraft {
    var scope = StatementScope()
    var source: RowSource
    var columns: ColumnList

    /// Creates a draft of a statement that reads rows of a resource.
    init(_ resource: Resource, _ planner: Planner, _ visibility: RowSource.Visibility = .conditional) throws {
        source = try RowSource(resource, planner, &scope, visibility)
        columns = ColumnList()
    }

    /// Creates a draft of a statement that reads related rows. The first columns of the result set identify the parent
    /// row.
    /// - Parameter parent: The resource that has the relation.
    init(_ relation: Relation, of parent: Resource, _ planner: Planner) throws {
        source = try RowSource(relation, of: parent, planner, &scope)
        columns = ColumnList(offset: relation.keyColumns.count)
    }

    /// Creates a draft of a statement that reads the rows of a source.
    init(_ source: RowSource, _ scope: StatementScope) {
        self.source = source
        self.scope = scope
        columns = ColumnList()
    }

    mutating func expression(of field: Field) throws -> String { try source.expression(of: field, &scope) }

    /// Returns the position of a field's column in the result set. The function adds the column if the statement does
    /// not contain it.
    mutating func position(of field: Field) throws -> Int {
        columns.position(of: try expression(of: field), label: field.name)
    }

    /// Returns the positions of the columns of an order. The function adds the columns that the statement does not
    /// contain.
    mutating func positions(of order: [OrderColumn]) -> [Int] {
        order.map { columns.position(of: $0.selected, label: $0.label) }
    }
}

/// The names in one statement: the parameters with their arguments, and the aliases of the tables.
struct StatementScope {
    private(set) var arguments = Arguments()
    /// The parameters whose arguments are bound when the plan is executed.
    private(set) var parameters: [PlanParameter] = []
    /// The total number of values in list arguments.
    private(set) var listedValues = 0
    /// The names of the tables that the statement reads.
    private(set) var tables: Set<String> = []
    private var parameterCount = 0
    private var aliasCount = 0

    /// Binds a value to a new parameter.
    /// - Parameter name: The name of the compared field or column. It becomes a part of the parameter's name to make
    ///   the SQL readable.
    /// - Returns: The parameter, such as `:p1_hireDate`.
    mutating func bind(_ argument: Arguments.Argument, to name: String) -> String {
        parameterCount += 1
        if case .list(let values) = argument { listedValues += values.count }
        let parameter = "p\(parameterCount)_\(SQLName.parameter(name))"
        arguments[parameter] = argument
        return ":" + parameter
    }

    /// Adds a parameter whose argument becomes known when the plan is executed.
    /// - Returns: The parameter of the statement.
    mutating func bind(_ parameter: PlanParameter) -> String {
        if !parameters.contains(parameter) { parameters.append(parameter) }
        return ":" + parameter.argumentName
    }

    /// Binds a value to a parameter with a given name.
    mutating func bind(_ argument: Arguments.Argument, as name: String) {
        arguments[name] = argument
    }

    /// Returns a table with a new alias.
    /// - Parameter database: The name of the database; nil for the database of the connection.
    mutating func reference(to table: String, in database: String? = nil) -> TableReference {
        tables.insert(table)
        return TableReference(database: database, name: table, alias: alias())
    }

    /// Returns a new alias: first `t`, then `t1`, `t2` and so on.
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

    /// Returns the position of a column in the result set. The function adds the column if the statement does not
    /// contain it.
    mutating func position(of expression: String, label: String) -> Int {
        if let index = columns.firstIndex(where: { $0.label == label }) { return offset + index }
        columns.append((label, expression))
        return offset + columns.count - 1
    }

    /// Returns true if the statement contains a column with the label.
    func contains(_ label: String) -> Bool { columns.contains { $0.label == label } }

    /// The select list: `t.emp_no AS employeeNumber, …`; `1` if the statement has no columns.
    var sql: String {
        columns.isEmpty && offset == 0
            ? "1" : columns.map { "\($0.expression) AS \(SQLIdentifier.quoted($0.label))" }.joined(separator: ", ")
    }

    /// The labels, separated by commas; empty if there are no columns.
    var labels: String { columns.map { SQLIdentifier.quoted($0.label) }.joined(separator: ", ") }
}

/// Creates labels and parameter names from column names, which can contain any characters.
enum SQLName {
    /// Returns the label of a column without a field. The label begins with a prefix such as `_c_`. The label is unique
    /// in a statement, because field names contain no underscores. A name with special characters is written in
    /// hexadecimal digits. A name of more than 64 bytes is replaced by a hash, because a label of MariaDB has at most
    /// 256 characters.
    static func hidden(_ column: String) -> String {
        if isPlain(column), column.utf8.count <= 64 { return "_c_" + column }
        let digits = column.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return digits.utf8.count <= 128
            ? "_x_" + digits
            : "_d_" + SHA256.hash(data: Data(column.utf8)).map { String($0, radix: 16) }.joined(separator: "_")
    }

    /// Returns the column name without the characters that are not valid in a parameter name.
    static func parameter(_ column: String) -> String {
        isPlain(column) ? column : String(decoding: column.utf8.filter(isPlain), as: UTF8.self)
    }

    private static func isPlain(_ name: String) -> Bool { name.utf8.allSatisfy(isPlain) }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }
}
