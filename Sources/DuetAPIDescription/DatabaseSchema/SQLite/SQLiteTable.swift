import DuetResourceService
import DuetSQLDatabase

/// A table in the form in which SQLite's pragmas report it.
struct SQLiteTable {
    /// A row of `pragma_table_xinfo` (sqlite.org/pragma.html#pragma_table_xinfo).
    struct Column {
        let name: String
        let type: String
        let isNotNull: Bool
        let defaultValue: String?
        /// The one-based position in the primary key; 0 if the column is not a key column.
        let keyPosition: Int64
        let hidden: Int64

        init(_ row: ResultSet) {
            name = row.text(at: 1)
            type = row.text(at: 2)
            isNotNull = row.integer(at: 3) != 0
            defaultValue = row.isNull(at: 4) ? nil : row.text(at: 4)
            keyPosition = row.integer(at: 5)
            hidden = row.integer(at: 6)
        }
    }

    private struct Index {
        let name: String
        let isPrimary: Bool
        let isPartial: Bool
        /// The names of the columns and their collations. The name is `nil` for an expression.
        var columns: [(name: String?, collation: String)]
    }

    private struct Reference {
        let id: Int64
        let table: String
        var columns: [String]
        var referenced: [String?]
        let onDelete: String
        let onUpdate: String
    }

    let name: String
    /// `table`, `view`, `virtual` or `shadow`.
    let type: String
    let isWithoutRowID: Bool
    let isStrict: Bool
    let sql: String
    var columns: [Column] = []
    var failure: String?
    /// The error messages of the generated columns that cannot be read, by name.
    var unreadableColumns: [String: String] = [:]
    var triggers: [String] = []
    /// The tables of a view; nil if they are unknown.
    var baseTables: Set<String>?
    private var indexes: [Index] = []
    private var references: [Reference] = []

    init(name: String, type: String, isWithoutRowID: Bool, isStrict: Bool, sql: String) {
        self.name = name
        self.type = type
        self.isWithoutRowID = isWithoutRowID
        self.isStrict = isStrict
        self.sql = sql
    }

    /// Adds the next column of an index. The caller adds all columns of an index consecutively.
    mutating func add(indexed column: String?, collation: String, of index: String, isPrimary: Bool, isPartial: Bool) {
        if indexes.last?.name != index {
            indexes.append(Index(name: index, isPrimary: isPrimary, isPartial: isPartial, columns: []))
        }
        indexes[indexes.count - 1].columns.append((column, collation))
    }

    /// Adds the next column of a foreign key. The caller adds all columns of a key consecutively.
    mutating func add(
        reference id: Int64, to table: String, from column: String, referenced: String?, onDelete: String,
        onUpdate: String
    ) {
        if references.last?.id != id {
            references.append(
                Reference(id: id, table: table, columns: [], referenced: [], onDelete: onDelete, onUpdate: onUpdate))
        }
        references[references.count - 1].columns.append(column)
        references[references.count - 1].referenced.append(referenced)
    }

    /// The name of the column that is an alias of the row ID (sqlite.org/lang_createtable.html#rowid). Such a column is
    /// never NULL. A column declared as `INTEGER PRIMARY KEY DESC` has an index and is not an alias.
    private var rowIDColumn: String? {
        let key = columns.filter { $0.keyPosition > 0 }
        guard ["table", "shadow"].contains(type), !isWithoutRowID, key.count == 1,
            !indexes.contains(where: \.isPrimary),
            key[0].type.uppercased() == "INTEGER"
        else { return nil }
        return key[0].name
    }

    var draft: TableDraft {
        let collations = type == "table" ? CreateTableScanner.collations(in: sql) : [:]
        func collation(of column: String) -> String? { collations[Identifier(folding: column)] }
        let rowIDColumn = rowIDColumn
        var draft = TableDraft(table: SchemaTable(name: name, kind: type == "view" ? .view : .table, failure: failure))
        // The value 1 means a hidden column of a virtual table; 2 and 3 mean a generated column.
        draft.table.unreadableColumns = unreadableColumns
        let readable = columns.filter { $0.hidden != 1 && unreadableColumns[$0.name] == nil }
        draft.table.columns = readable.map { column in
            let isRowID = column.name == rowIDColumn
            let isKeyWithoutNull = (isWithoutRowID || isStrict) && column.keyPosition > 0
            return TableColumn(
                name: column.name, declaredType: column.type, type: SQLiteType(column.type).columnType,
                isNullable: !(column.isNotNull || isRowID || isKeyWithoutNull), collation: collation(of: column.name),
                isGenerated: column.hidden >= 2,
                hasDefault: isRowID || column.defaultValue.map { $0.uppercased() != "NULL" } ?? false)
        }
        let key = columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }
        if !key.isEmpty { draft.table.primaryKey = key.map(\.name) }
        for index in indexes where !index.isPrimary && !index.isPartial {
            let names = index.columns.compactMap { column in
                column.name.flatMap { Self.isUnique(column.collation, for: collation(of: $0)) ? $0 : nil }
            }
            if names.count == index.columns.count { draft.uniqueKeys.append(names) }
        }
        draft.foreignKeys = references.map {
            let referenced = $0.referenced.compactMap(\.self)
            return ForeignKey(
                columns: $0.columns, table: $0.table,
                referencedColumns: referenced.count == $0.columns.count ? referenced : [])
        }
        draft.table.constraints =
            type == "view"
            ? TableConstraints.Table(viewOf: baseTables) : constraints(key.map(\.name), rowIDColumn)
        return draft
    }

    private func constraints(_ key: [String], _ rowIDColumn: String?) -> TableConstraints.Table {
        var constraints = TableConstraints.Table()
        if !key.isEmpty { constraints.unique.append(.init(name: "PRIMARY", columns: key)) }
        constraints.unique += indexes.filter { !$0.isPrimary }.map { index in
            TableConstraints.Unique(name: index.name, columns: index.columns.compactMap(\.name))
        }
        let declared = CreateTableScanner.constraints(in: type == "table" ? sql : "")
        constraints.checks = declared.checks
        constraints.triggers = triggers
        // SQLite numbers the foreign keys from the last one of the statement to the first one.
        let deferred = Array(declared.deferredReferences.reversed())
        constraints.references = references.map { reference in
            let referenced = reference.referenced.compactMap(\.self)
            let position = Int(reference.id)
            return TableConstraints.Reference(
                table: name, columns: reference.columns, parent: reference.table,
                parentColumns: referenced.count == reference.columns.count ? referenced : [],
                onDelete: .init(rawValue: reference.onDelete) ?? .noAction,
                onUpdate: .init(rawValue: reference.onUpdate) ?? .noAction,
                isDeferred: deferred.indices.contains(position) && deferred[position])
        }
        if let rowIDColumn { constraints.automaticColumns = [rowIDColumn] }
        if type == "virtual" || type == "shadow" {
            constraints.rejectsWrites = "\(name) is a \(type) table, whose rows only its module can write safely"
        }
        return constraints
    }

    /// Returns true if values that the index treats as distinct are also distinct in a comparison of the column. This
    /// is true if the collations are equal, or if the column has the collation `BINARY`.
    private static func isUnique(_ index: String, for column: String?) -> Bool {
        let column = column ?? "BINARY"
        return column == "BINARY" || index.uppercased() == column
    }
}
