import DuetResourceService
import DuetSQLDatabase

/// Reads a schema from MariaDB's `information_schema`, with one statement for each kind of object.
struct MariaDBSchemaReader: SchemaReader {
    let connection: Connection

    func tables() throws -> [SchemaTable] {
        let statements = [Self.tables, Self.columns, Self.checks, Self.uniqueIndexes, Self.foreignKeys]
        let results = try statements.map { try connection.query($0) }
        defer { for result in results { result.close() } }
        try connection.start(results)
        var (tables, database) = try self.tables(results[0])
        let positions = Dictionary(
            tables.enumerated().map { (Identifier($1.name), $0) }, uniquingKeysWith: { first, _ in first })
        func forEach(_ rows: ResultSet, _ body: (Int) -> Void) throws {
            while try rows.next() {
                if let position = positions[Identifier(rows.text(at: 0))] { body(position) }
            }
        }
        let (columns, checks, indexes, references) = (results[1], results[2], results[3], results[4])
        let names = Set(tables.map(\.name))
        try forEach(columns) { tables[$0].columns.append(MariaDBColumn(columns)) }
        try forEach(checks) {
            if checks.isNull(at: 1) {
                let definition = ViewDefinition(checks.isNull(at: 2) ? "" : checks.text(at: 2))
                tables[$0].baseTables = definition.tables(of: database, among: names)
            } else if checks.isNull(at: 2) {
                tables[$0].triggers.append(checks.text(at: 1))
            } else {
                tables[$0].checks.append((name: checks.text(at: 1), clause: checks.text(at: 2)))
            }
        }
        try forEach(indexes) { tables[$0].add(indexed: indexes.text(at: 2), of: indexes.text(at: 1)) }
        try forEach(references) {
            if references.isNull(at: 4) {
                tables[$0].set(
                    onDelete: references.text(at: 2), onUpdate: references.text(at: 3), of: references.text(at: 1))
            } else {
                tables[$0].add(
                    reference: references.text(at: 1), from: references.text(at: 2), to: references.text(at: 3),
                    referenced: references.text(at: 4))
            }
        }
        try check(&tables)
        return tables.map(\.draft).finished
    }

    func outerReferences() throws -> [TableConstraints.Reference] {
        let rows = try connection.query(Self.outerReferences)
        defer { rows.close() }
        var references: [TableConstraints.Reference] = []
        while try rows.next() {
            let (database, table, name) = (rows.text(at: 0), rows.text(at: 1), rows.text(at: 2))
            let last = references.last
            if last?.database != database || last?.table != table || last?.name != name {
                references.append(
                    TableConstraints.Reference(
                        name: name, database: database, table: table, columns: [], parent: rows.text(at: 4),
                        parentColumns: []))
            }
            let index = references.count - 1
            if rows.isNull(at: 5) {
                references[index].onDelete = .init(rawValue: rows.text(at: 3)) ?? .noAction
                references[index].onUpdate = .init(rawValue: rows.text(at: 4)) ?? .noAction
            } else {
                references[index].columns.append(rows.text(at: 3))
                references[index].parentColumns.append(rows.text(at: 5))
            }
        }
        return references.filter { !$0.columns.isEmpty }
    }

    private func tables(_ rows: ResultSet) throws -> ([MariaDBTable], database: String) {
        var tables: [MariaDBTable] = []
        var database = ""
        while try rows.next() {
            database = rows.text(at: 5)
            tables.append(
                MariaDBTable(
                    name: rows.text(at: 0), isView: rows.text(at: 1) == "VIEW", comment: rows.text(at: 2),
                    engine: rows.text(at: 3), hidesTriggers: rows.integer(at: 4) == 0))
        }
        return (tables, database)
    }

    /// Marks the tables that cannot be read. Only views, tables without columns, and tables with a storage engine other
    /// than InnoDB are checked.
    private func check(_ tables: inout [MariaDBTable]) throws {
        let doubtful = tables.filter { $0.columns.isEmpty || $0.isView || $0.engine != "InnoDB" }
        let failures = try failures(ofReading: doubtful.map(\.name))
        for index in tables.indices {
            guard let failure = failures[Identifier(tables[index].name)] else { continue }
            tables[index].failure = failure
            tables[index].columns = []
        }
    }

    /// If the account that defined a view does not exist, MariaDB reports the error of a rejected connection, with the
    /// code `unavailable`. An error without a code of the server is an error of this program.
    func concernsObject(_ error: DatabaseError) -> Bool {
        [.syntax, .missingColumn, .missingTable].contains(error.code)
            || error.backendCode != nil && (error.code == .failed || error.code == .unavailable)
    }

    /// Returns the collations. Since version 10.10, MariaDB has collations for several character sets. Such a collation
    /// has a short name, `uca1400_ai_ci`, and a full name for each character set, such as `utf8mb4_uca1400_ai_ci`.
    func collations() throws -> [String: Set<String>] {
        let rows = try connection.query("SELECT * FROM information_schema.COLLATION_CHARACTER_SET_APPLICABILITY")
        defer { rows.close() }
        let names = rows.columns.indices.filter {
            ["COLLATION_NAME", "FULL_COLLATION_NAME"].contains(rows.columns[$0].name.uppercased())
        }
        var collations: [String: Set<String>] = [:]
        while try rows.next() {
            let characterSet = rows.text(at: 1)
            for index in names { collations[rows.text(at: index).lowercased(), default: []].insert(characterSet) }
        }
        return collations
    }

    /// The statement for tables and views. It excludes sequences and temporary tables by their type. The fifth column
    /// is 1 if the server lists triggers, which it does for an account with the privilege TRIGGER.
    private static let tables = """
        SELECT TABLE_NAME, TABLE_TYPE, TABLE_COMMENT, ENGINE,
        EXISTS (SELECT 1 FROM information_schema.USER_PRIVILEGES WHERE PRIVILEGE_TYPE = 'TRIGGER'
        AND GRANTEE = CONCAT('''', REPLACE(CURRENT_USER(), '@', '''@'''), ''''))
        OR EXISTS (SELECT 1 FROM information_schema.SCHEMA_PRIVILEGES
        WHERE PRIVILEGE_TYPE = 'TRIGGER' AND DATABASE() LIKE TABLE_SCHEMA
        AND GRANTEE = CONCAT('''', REPLACE(CURRENT_USER(), '@', '''@'''), '''')), DATABASE()
        FROM information_schema.TABLES
        WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE IN ('BASE TABLE', 'SYSTEM VERSIONED', 'VIEW')
        """

    /// The statement for columns. The server lists a column if the account has any privilege on it. The statement
    /// returns only columns with the privilege SELECT, because other columns cannot be read.
    private static let columns = """
        SELECT TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, DATA_TYPE, IS_NULLABLE, COLUMN_DEFAULT, EXTRA, COLUMN_COMMENT,
        COLLATION_NAME, CHARACTER_MAXIMUM_LENGTH, NUMERIC_PRECISION, NUMERIC_SCALE, DATETIME_PRECISION,
        GENERATION_EXPRESSION
        FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND PRIVILEGES LIKE '%select%'
        ORDER BY TABLE_NAME, ORDINAL_POSITION
        """

    /// The statement for CHECK constraints, for triggers, which have no clause, and for the definitions of views, which
    /// have no name. A definition is empty if the account must not see it.
    private static let checks = """
        SELECT TABLE_NAME, CONSTRAINT_NAME, CHECK_CLAUSE FROM information_schema.CHECK_CONSTRAINTS
        WHERE CONSTRAINT_SCHEMA = DATABASE()
        UNION ALL SELECT EVENT_OBJECT_TABLE, TRIGGER_NAME, NULL FROM information_schema.TRIGGERS
        WHERE EVENT_OBJECT_SCHEMA = DATABASE()
        UNION ALL SELECT TABLE_NAME, NULL, VIEW_DEFINITION FROM information_schema.VIEWS WHERE TABLE_SCHEMA = DATABASE()
        """

    private static let uniqueIndexes = """
        SELECT TABLE_NAME, INDEX_NAME, COLUMN_NAME FROM information_schema.STATISTICS
        WHERE TABLE_SCHEMA = DATABASE() AND NON_UNIQUE = 0 ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX
        """

    /// The statement for the columns of foreign keys, and then for their actions.
    private static let foreignKeys = """
        SELECT TABLE_NAME, CONSTRAINT_NAME, COLUMN_NAME, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME,
        ORDINAL_POSITION AS place FROM information_schema.KEY_COLUMN_USAGE
        WHERE TABLE_SCHEMA = DATABASE() AND REFERENCED_TABLE_SCHEMA = DATABASE()
        UNION ALL SELECT TABLE_NAME, CONSTRAINT_NAME, DELETE_RULE, UPDATE_RULE, NULL, 1000
        FROM information_schema.REFERENTIAL_CONSTRAINTS WHERE CONSTRAINT_SCHEMA = DATABASE()
        ORDER BY TABLE_NAME, CONSTRAINT_NAME, place
        """

    /// The statement for the columns and the actions of foreign keys in other databases. The server ignores the system
    /// databases without reading their tables.
    private static let outerReferences = """
        SELECT TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, COLUMN_NAME, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME,
        ORDINAL_POSITION AS place FROM information_schema.KEY_COLUMN_USAGE
        WHERE TABLE_SCHEMA NOT IN (DATABASE(), 'information_schema', 'mysql', 'performance_schema', 'sys')
        AND REFERENCED_TABLE_SCHEMA = DATABASE()
        UNION ALL SELECT CONSTRAINT_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, DELETE_RULE, UPDATE_RULE, NULL, 1000
        FROM information_schema.REFERENTIAL_CONSTRAINTS
        WHERE CONSTRAINT_SCHEMA NOT IN (DATABASE(), 'information_schema', 'mysql', 'performance_schema', 'sys')
        AND UNIQUE_CONSTRAINT_SCHEMA = DATABASE()
        ORDER BY TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, place
        """
}
