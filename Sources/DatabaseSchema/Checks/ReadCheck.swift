import DuetSQLDatabase

/// Finds tables and views that have columns but cannot be read.
///
/// A database reports the columns of a view from its definition. It checks the rest of the definition only when a
/// statement uses the view. Then the account of the view may no longer exist. In SQLite the number of columns may also
/// differ, if the view names its columns and the table under `SELECT *` has an additional column.
struct ReadCheck {
    let connection: Connection

    /// A compound query of SQLite has at most 500 terms (sqlite.org/limits.html).
    private static let tablesPerStatement = 100

    /// Prepares statements that read the tables, many tables in each statement, and runs none of them.
    /// - Returns: The messages of the tables that cannot be read, by their names.
    func failures(of names: [String]) throws -> [Identifier: String] {
        var failures: [Identifier: String] = [:]
        var names = names[...]
        while !names.isEmpty {
            let chunk = names.prefix(Self.tablesPerStatement)
            names = names.dropFirst(chunk.count)
            guard try failure(ofReading: chunk) != nil else { continue }
            for name in chunk { failures[Identifier(name)] = try failure(ofReading: [name]) }
        }
        return failures
    }

    private func failure(ofReading names: ArraySlice<String>) throws -> String? {
        // The database name ensures that a temporary table does not hide a table of the same name.
        let database = connection.dialect == .sqlite ? "main." : ""
        let terms = names.map { "SELECT 1 FROM \(database)\(SQLIdentifier.quoted($0))" }
        do {
            try connection.query(terms.joined(separator: " UNION ALL ")).close()
            return nil
        } catch let error as DatabaseError where error.isAboutTables {
            return error.message
        }
    }
}

extension DatabaseError {
    /// Returns true for errors about an object that a statement names: a missing table, column, function, module or
    /// privilege. Returns false for errors of the connection or the file, for timeouts and for cancellations.
    var isAboutTables: Bool {
        // If the account of a view is missing, MariaDB reports the same error as for a rejected connection.
        [.syntax, .missingColumn, .missingTable].contains(code)
            || backendCode?.contains("/") == true && (code == .failed || code == .unavailable)
    }
}
