import DuetResourceService
package import DuetSQLDatabase

/// An index of a table, with the columns by which it finds and orders rows.
package struct TableIndex: Sendable, Hashable {
    /// A column of an index.
    package struct Column: Sendable, Hashable {
        /// The name of the column.
        package let name: String
        /// True if the index has its values in descending order.
        package let isDescending: Bool
        /// True if the index has only the beginnings of the values, so that it finds rows but does not order them.
        package var isPartial = false
    }

    /// The columns. They end before the first expression.
    package fileprivate(set) var columns: [Column]
}

/// The indexes of a database's tables.
package struct DatabaseIndexes: Sendable {
    private let dialect: Dialect
    private var indexes: [Identifier: [TableIndex]] = [:]

    /// Returns the indexes of a table.
    package func of(_ table: SchemaTable) -> [TableIndex] { indexes[Identifier(table.name)] ?? [] }

    /// Reads the indexes of all tables. Partial indexes, and indexes with a collation other than that of the column,
    /// are omitted, because they serve only some requests.
    package static func read(_ connection: Connection, of schema: DatabaseSchema) throws -> DatabaseIndexes {
        try DatabaseIndexes(connection, schema)
    }

    private init(_ connection: Connection, _ schema: DatabaseSchema) throws {
        dialect = connection.dialect
        guard let statement = Self.statements[dialect] else { return }
        /// The rows of one index.
        struct Draft {
            let table: Identifier
            let name: String
            let isPrimary: Bool
            let isPrimaryAlways: Bool
            var index = TableIndex(columns: [])
            var isComplete = true
        }
        var drafts: [Draft] = []
        let rows = try connection.query(statement)
        while try rows.next() {
            let (table, name) = (rows.text(at: 0), rows.text(at: 1))
            if drafts.last.map({ $0.table != Identifier(table) || $0.name != name }) ?? true {
                drafts.append(
                    Draft(
                        table: Identifier(table), name: name, isPrimary: rows.integer(at: 5) == 1,
                        isPrimaryAlways: rows.integer(at: 6) == 1))
            }
            let position = drafts.count - 1
            let isUsable =
                !rows.isNull(at: 2)
                && (rows.isNull(at: 4)
                    || schema.table(named: table)?.column(named: rows.text(at: 2)).map {
                        ($0.collation ?? "BINARY").uppercased() == rows.text(at: 4).uppercased()
                    } ?? false)
            guard isUsable, drafts[position].isComplete else {
                drafts[position].isComplete = false
                continue
            }
            drafts[position].index.columns.append(
                TableIndex.Column(
                    name: rows.text(at: 2), isDescending: rows.integer(at: 3) == 1, isPartial: rows.integer(at: 7) == 1)
            )
        }
        rows.close()
        for table in schema.tables where table.kind == .table {
            let own = drafts.filter { $0.table == Identifier(table.name) }
            var found = own.filter { !$0.index.columns.isEmpty }
            // Without an index of the primary key, the key is the number by which SQLite stores the rows. The entries
            // of an index end with the key by which the rows are stored.
            let key = own.first(where: \.isPrimary)
            let stored: [TableIndex.Column] =
                if let key {
                    key.isPrimaryAlways ? key.index.columns : []
                } else {
                    (table.primaryKey ?? []).map { TableIndex.Column(name: $0, isDescending: false) }
                }
            for index in found.indices where found[index].isComplete && !found[index].isPrimary {
                let known = Set(found[index].index.columns.map(\.name))
                found[index].index.columns += stored.filter { !known.contains($0.name) }
            }
            indexes[Identifier(table.name)] =
                found.map(\.index) + (key == nil && !stored.isEmpty ? [TableIndex(columns: stored)] : [])
        }
    }

    /// The statements that return, for each column of each index in order: the table, the index, the column, 1 for a
    /// descending order, the collation if it must be compared with that of the column, 1 for the primary key, 1 if the
    /// rows are stored by this index, and 1 for a part of a column. The column is NULL for an expression.
    private static let statements: [Dialect: String] = [
        .sqlite: """
        SELECT l.name, i.name, x.name, x."desc", x.coll, i.origin = 'pk', i.origin = 'pk' AND l.wr, 0
        FROM pragma_table_list AS l CROSS JOIN pragma_index_list(l.name, 'main') AS i
        CROSS JOIN pragma_index_xinfo(i.name, 'main') AS x
        WHERE l.schema = 'main' AND l.type = 'table' AND NOT i.partial AND x."key"
        ORDER BY l.name, i.seq, x.seqno
        """,
        .mariaDB: """
        SELECT TABLE_NAME, INDEX_NAME, COLUMN_NAME, COLLATION <=> 'D', NULL,
        INDEX_NAME = 'PRIMARY', INDEX_NAME = 'PRIMARY', SUB_PART IS NOT NULL
        FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE() AND INDEX_TYPE = 'BTREE'
        ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX
        """,
    ]
}
