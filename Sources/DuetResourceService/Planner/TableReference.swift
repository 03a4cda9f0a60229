import DuetSQLDatabase

/// A table in one statement. Only this type converts the name of a table to SQL, and only ``RowSource`` uses the
/// result, so that each statement reads a table through a row source.
struct TableReference {
    let name: String
    let alias: String

    /// The table in a `FROM` clause: `dept_emp AS t1`.
    var sql: String { "\(SQLIdentifier.quoted(name)) AS \(alias)" }

    /// Returns an expression for a column: `t1.emp_no`.
    func column(_ name: String) -> String { "\(alias).\(SQLIdentifier.quoted(name))" }
}

extension Catalogue {
    /// Returns a column of a table as an operand of a comparison or a term of an order.
    func compared(_ column: String, of table: TableReference) -> String {
        compared(table.column(column), column, of: table.name)
    }
}
