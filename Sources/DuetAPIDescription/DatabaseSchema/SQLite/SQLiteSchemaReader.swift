import DuetSQLDatabase

/// Reads a schema with SQLite's table-valued pragma functions (sqlite.org/pragma.html#pragfunc). Each statement reads
/// one kind of information about all tables.
struct SQLiteSchemaReader: SchemaReader {
    let connection: Connection
    let qualifier = "main."

    init(connection: Connection) { self.connection = connection }

    /// Returns the collations of SQLite itself. The list of the connection also contains the stand-ins of unknown
    /// collations.
    func collations() -> [String: Set<String>] { ["binary": [], "nocase": [], "rtrim": []] }

    func tables() throws -> [SchemaTable] {
        var sources = try sources()
        try readColumns(&sources)
        try checkViews(&sources)
        try checkGeneratedColumns(&sources)
        findBaseTables(&sources)
        removeShadowTables(&sources)
        var indexes = Indexes(sources)
        try read(Self.uniqueIndexes) { row in
            guard let table = indexes[row.text(at: 0)] else { return }
            let column = row.isNull(at: 3) ? nil : row.text(at: 3)
            sources[table].add(
                indexed: column, collation: row.text(at: 4), of: row.text(at: 1), isPrimary: row.text(at: 2) == "pk",
                isPartial: row.integer(at: 5) != 0)
        }
        try read(Self.foreignKeys) { row in
            guard let table = indexes[row.text(at: 0)] else { return }
            sources[table].add(
                reference: row.integer(at: 1), to: row.text(at: 2), from: row.text(at: 3),
                referenced: row.isNull(at: 4) ? nil : row.text(at: 4), onDelete: row.text(at: 5),
                onUpdate: row.text(at: 6))
        }
        try read(Self.triggers) { row in
            if let table = indexes[row.text(at: 0)] { sources[table].triggers.append(row.text(at: 1)) }
        }
        return sources.map(\.draft).finished
    }

    /// Finds the tables of each view by their names in its text. A virtual table can read other tables.
    private func findBaseTables(_ sources: inout [SQLiteTable]) {
        for view in sources.indices where sources[view].type == "view" {
            let words = ViewText(sources[view].sql).words
            let tables = sources.filter { $0.name != sources[view].name && words.contains($0.name.lowercased()) }
            guard !tables.contains(where: { $0.type == "virtual" }) else { continue }
            sources[view].baseTables = Set(tables.map(\.name))
        }
    }

    /// The positions of the tables, keyed by their names. The position of the last table is cached, because the rows
    /// are grouped by table.
    private struct Indexes {
        private let positions: [Identifier: Int]
        private var last: (name: String, position: Int?)?

        init(_ sources: [SQLiteTable]) {
            positions = Dictionary(
                sources.enumerated().map { (Identifier($1.name), $0) }, uniquingKeysWith: { first, _ in first })
        }

        subscript(name: String) -> Int? {
            mutating get {
                if let last, last.name.utf8.elementsEqual(name.utf8) { return last.position }
                last = (name, positions[Identifier(name)])
                return last?.position
            }
        }
    }

    private func read(_ sql: String, _ arguments: Arguments = [:], _ body: (ResultSet) -> Void) throws {
        let rows = try connection.query(sql, arguments)
        defer { rows.close() }
        while try rows.next() { body(rows) }
    }

    private func sources() throws -> [SQLiteTable] {
        var sources: [SQLiteTable] = []
        try read(
            """
            SELECT l.name, l.type, l.wr, l.strict, s.sql FROM pragma_table_list AS l
            LEFT JOIN sqlite_schema AS s ON s.name = l.name AND s.type IN ('table', 'view')
            WHERE l.schema = 'main' AND l.type IN ('table', 'view', 'virtual', 'shadow')
            AND substr(l.name, 1, 7) <> 'sqlite_' COLLATE NOCASE ORDER BY l.name
            """
        ) { row in
            sources.append(
                SQLiteTable(
                    name: row.text(at: 0), type: row.text(at: 1), isWithoutRowID: row.integer(at: 2) != 0,
                    isStrict: row.integer(at: 3) != 0, sql: row.text(at: 4)))
        }
        return sources
    }

    private static let columns = """
        SELECT l.name, x.name, x.type, x."notnull", x.dflt_value, x.pk, x.hidden
        FROM pragma_table_list AS l CROSS JOIN pragma_table_xinfo(l.name, 'main') AS x
        WHERE l.schema = 'main' AND l.type IN ('table', 'view', 'virtual', 'shadow') ORDER BY l.name, x.cid
        """

    private static let columnsOfOne = """
        SELECT :table, x.name, x.type, x."notnull", x.dflt_value, x.pk, x.hidden
        FROM pragma_table_xinfo(:table, 'main') AS x ORDER BY x.cid
        """

    private static let uniqueIndexes = """
        SELECT l.name, i.name, i.origin, x.name, x.coll, i.partial FROM pragma_table_list AS l
        CROSS JOIN pragma_index_list(l.name, 'main') AS i CROSS JOIN pragma_index_xinfo(i.name, 'main') AS x
        WHERE l.schema = 'main' AND l.type = 'table' AND i."unique" AND x."key"
        ORDER BY l.name, i.seq, x.seqno
        """

    private static let foreignKeys = """
        SELECT l.name, f.id, f."table", f."from", f."to", f.on_delete, f.on_update FROM pragma_table_list AS l
        CROSS JOIN pragma_foreign_key_list(l.name, 'main') AS f
        WHERE l.schema = 'main' AND l.type = 'table' ORDER BY l.name, f.id, f.seq
        """

    private static let triggers =
        "SELECT tbl_name, name FROM sqlite_schema WHERE type = 'trigger' ORDER BY tbl_name, name"

    /// Reads the columns of all tables in one statement. If this statement fails because of a view, the columns are
    /// read with one statement for each table.
    private func readColumns(_ sources: inout [SQLiteTable]) throws {
        var indexes = Indexes(sources)
        var columns = sources.map { _ in [SQLiteTable.Column]() }
        do {
            try read(Self.columns) { row in
                if let table = indexes[row.text(at: 0)] { columns[table].append(SQLiteTable.Column(row)) }
            }
        } catch let error as DatabaseError where concernsObject(error) {
            columns = sources.map { _ in [] }
            for index in sources.indices {
                do {
                    try read(Self.columnsOfOne, ["table": .text(sources[index].name)]) { row in
                        columns[index].append(SQLiteTable.Column(row))
                    }
                } catch let error as DatabaseError where concernsObject(error) {
                    columns[index] = []
                    sources[index].failure = error.message
                }
            }
        }
        for index in sources.indices { sources[index].columns = columns[index] }
    }

    /// Marks the views that have columns but cannot be read.
    private func checkViews(_ sources: inout [SQLiteTable]) throws {
        let views = sources.filter { $0.type == "view" && $0.failure == nil }
        // A view whose query compares values by an unknown collation cannot be read.
        let failures = try connection.refusingUnknownCollations {
            try self.failures(ofReading: views.map(\.name))
        }
        for index in sources.indices {
            guard let failure = failures[Identifier(sources[index].name)] else { continue }
            sources[index].failure = failure
            sources[index].columns = []
        }
    }

    /// Finds the generated columns that cannot be computed. SQLite computes a column that is not stored when a
    /// statement reads it.
    private func checkGeneratedColumns(_ sources: inout [SQLiteTable]) throws {
        for index in sources.indices where sources[index].failure == nil {
            let table = "\(qualifier)\(SQLIdentifier.quoted(sources[index].name))"
            func failure(ofReading columns: [String]) throws -> String? {
                do {
                    let list = columns.map { "\(table).\(SQLIdentifier.quoted($0))" }.joined(separator: ", ")
                    try connection.query("SELECT \(list) FROM \(table)").close()
                    return nil
                } catch let error as DatabaseError where concernsObject(error) {
                    return error.message
                }
            }
            let generated = sources[index].columns.filter { $0.hidden == 2 }.map(\.name)
            guard !generated.isEmpty, try failure(ofReading: generated) != nil else { continue }
            for column in generated { sources[index].unreadableColumns[column] = try failure(ofReading: [column]) }
        }
    }

    /// Removes the shadow tables of the virtual tables that can be read. If a virtual table cannot be read, for example
    /// because its tokenizer is unknown, its shadow tables have its data.
    private func removeShadowTables(_ sources: inout [SQLiteTable]) {
        let unreadable = sources.filter { $0.type == "virtual" && $0.failure != nil }.map { $0.name + "_" }
        sources.removeAll { source in
            source.type == "shadow" && !unreadable.contains { source.name.hasPrefix($0) }
        }
    }
}
