package import DuetResourceService
package import DuetSQLDatabase

/// Reads the schema of a database. Each kind of database has its own reader, in a folder of this module.
package protocol SchemaReader: SendableMetatype {
    var connection: Connection { get }
    /// Creates a reader.
    /// - Parameter connection: A connection in a transaction of any kind.
    init(connection: Connection)

    /// Returns the tables and views, as ``DatabaseSchema/read(_:)`` describes them.
    func tables() throws -> [SchemaTable]
    /// Returns the foreign keys of tables in other databases; see ``DatabaseSchema/outerReferences``.
    func outerReferences() throws -> [TableConstraints.Reference]
    /// Returns the character sets of each collation; see ``DatabaseSchema/collations``.
    func collations() throws -> [String: Set<String>]

    /// The text before the name of a table in a statement. It ensures that the statement does not read a temporary
    /// table with the same name.
    var qualifier: String { get }
    /// Returns true for an error that concerns an object in a statement, such as a missing table, column, function,
    /// module or privilege. Returns false for an error of the connection or the file, for a timeout and for a
    /// cancellation.
    func concernsObject(_ error: DatabaseError) -> Bool
}

extension SchemaReader {
    package var qualifier: String { "" }

    package func outerReferences() -> [TableConstraints.Reference] { [] }

    package func concernsObject(_ error: DatabaseError) -> Bool {
        [.syntax, .missingColumn, .missingTable].contains(error.code)
    }

    /// Finds the tables and views that cannot be read. The function prepares statements that read the tables, but does
    /// not run them. Each statement reads many tables.
    ///
    /// A database reports the columns of a view without checking the whole definition. It checks the definition only
    /// when a statement uses the view. Such a statement fails if, for example, the account that defined the view no
    /// longer exists. In SQLite it also fails if the view has a list of column names and selects `*` from a table to
    /// which a column was added later.
    /// - Returns: The error messages of the tables that cannot be read, keyed by the names of the tables.
    func failures(ofReading names: [String]) throws -> [Identifier: String] {
        // A compound query of SQLite has at most 500 terms (sqlite.org/limits.html).
        let tablesPerStatement = 100
        var failures: [Identifier: String] = [:]
        var names = names[...]
        while !names.isEmpty {
            let chunk = names.prefix(tablesPerStatement)
            names = names.dropFirst(chunk.count)
            guard try failure(ofReading: chunk) != nil else { continue }
            for name in chunk { failures[Identifier(name)] = try failure(ofReading: [name]) }
        }
        return failures
    }

    private func failure(ofReading names: ArraySlice<String>) throws -> String? {
        let terms = names.map { "SELECT 1 FROM \(qualifier)\(SQLIdentifier.quoted($0))" }
        do {
            try connection.query(terms.joined(separator: " UNION ALL ")).close()
            return nil
        } catch let error as DatabaseError where concernsObject(error) {
            return error.message
        }
    }
}

extension DatabaseSchema {
    /// The readers, keyed by the dialect of the database.
    package static let readers: [Dialect: any SchemaReader.Type] = [
        .sqlite: SQLiteSchemaReader.self, .mariaDB: MariaDBSchemaReader.self,
    ]

    /// Reads the schema with the reader for the dialect of the database; see ``read(_:)``.
    /// - Throws: ``DatabaseError``; with the code `failed` if there is no reader for the dialect.
    package static func read(
        _ connection: Connection, _ readers: [Dialect: any SchemaReader.Type]
    ) throws -> DatabaseSchema {
        guard let type = readers[connection.dialect] else {
            throw DatabaseError(.failed, "the schema of a \(connection.dialect.title) database cannot be read")
        }
        let reader = type.init(connection: connection)
        // The rows of Duet's own table are not a part of any API.
        let tables = try reader.tables().filter { $0.name != IdempotencyTable.name }
        return DatabaseSchema(dialect: connection.dialect, tables: tables, collations: try reader.collations())
    }
}
