import DuetSQLDatabase

/// A check that finds the tables and views that cannot be read.
///
/// A database reports the columns of a view without checking the whole definition. It checks the definition only when a
/// statement uses the view. Such a statement fails if, for example, the account that defined the view no longer exists.
/// In SQLite it also fails if the view has a list of column names and selects `*` from a table to which a column was
/// added later.
struct ReadCheck {
    let connection: Connection

    /// The number of tables in one statement. A compound query of SQLite has at most 500 terms
    /// (sqlite.org/limits.html).
    private static let tablesPerStatement = 100

    /// Prepares statements that read the tables, but does not run them. Each statement reads many tables.
    /// - Returns: The error messages of the tables that cannot be read, keyed by the names of the tables.
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
        // The qualified name ensures that the statement does not read a temporary table with the same name.
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
    /// True for errors that concern an object in a statement, such as a missing table, column, function, module or
    /// privilege. False for errors of the connection or the file, for timeouts and for cancellations.
    var isAboutTables: Bool {
        // If the account that defined a view does not exist, MariaDB reports the error of a rejected connection, whose
        // code is `unavailable`.
        [.syntax, .missingColumn, .missingTable].contains(code)
            || backendCode?.contains("/") == true && (code == .failed || code == .unavailable)
    }
}
