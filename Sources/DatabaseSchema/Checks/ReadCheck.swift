import DuetSQLDatabase

/// Finds tables and views that have columns and cannot be read.
///
/// A database reports the columns of a view from its definition, and looks at the rest of it when a statement uses the
/// view: at the account it runs for, which may be gone, and in SQLite at the number of its columns, which differs if
/// the view names them and a table under `SELECT *` has got another one.
struct ReadCheck {
    let connection: Connection

    /// A compound query of SQLite has at most 500 terms (sqlite.org/limits.html).
    private static let tablesPerStatement = 100

    /// Prepares statements that read the tables, many in each, and runs none of them.
    /// - Returns: the messages of the tables that cannot be read, by their names.
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
        // A temporary table must not be in the place of another one.
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
    /// Returns true for errors about something that a statement names: a missing table, column, function, module or
    /// right. Returns false for those of the connection, the file, the time or a cancellation.
    var isAboutTables: Bool {
        // MariaDB refuses the account of a view by the error that refuses a connection.
        [.syntax, .missingColumn, .missingTable].contains(code)
            || backendCode?.contains("/") == true && (code == .failed || code == .unavailable)
    }
}
