import DuetSQLDatabase

extension EmployeeTable {
    /// Returns an inserter for rows whose values are in the order of ``columns``.
    func inserter(_ connection: Connection) throws -> BulkInserter {
        try connection.bulkInserter(into: rawValue, columns: columns.map(\.name))
    }

    /// Checks that all tables are empty.
    /// - Throws: ``LoadError`` with the code `tablesNotEmpty`. The message contains the names of the tables that have
    ///   rows.
    static func requireEmpty(_ connection: Connection, toLoad what: String) throws {
        let filled = try allCases.filter { table in
            try connection.query("SELECT 1 FROM \(table.rawValue) LIMIT 1").next()
        }
        guard filled.isEmpty else {
            let names = filled.map(\.rawValue).joined(separator: ", ")
            throw LoadError(
                .tablesNotEmpty,
                "\(what) needs empty tables, but \(names) have rows; use another database or empty these tables"
            )
        }
    }
}
