import DuetResourceService

/// A table in the form in which `information_schema` reports it.
struct MariaDBTable {
    private struct Reference {
        let name: String
        var key: ForeignKey
        var onDelete = TableConstraints.Action.noAction
        var onUpdate = TableConstraints.Action.noAction
    }

    private struct Index {
        let name: String
        var columns: [String]
    }

    let name: String
    let isView: Bool
    /// The comment of a table; `VIEW` for a view.
    let comment: String
    /// The storage engine; empty for a view.
    let engine: String
    /// True if the account cannot see whether the table has triggers.
    let hidesTriggers: Bool
    /// True if a foreign key can change rows after a change of a table that is not in this database.
    private var changesWithOtherDatabase = false
    /// The tables of a view; nil if they are unknown.
    var baseTables: Set<String>?
    var failure: String?
    var columns: [MariaDBColumn] = []
    var checks: [(name: String, clause: String)] = []
    var triggers: [String] = []
    private var indexes: [Index] = []
    private var references: [Reference] = []

    init(name: String, isView: Bool, comment: String, engine: String, hidesTriggers: Bool) {
        self.hidesTriggers = hidesTriggers
        self.name = name
        self.isView = isView
        self.comment = comment
        self.engine = engine
    }

    /// Adds the next column of a unique index.
    mutating func add(indexed column: String, of index: String) {
        if let position = indexes.lastIndex(where: { $0.name == index }) {
            indexes[position].columns.append(column)
        } else {
            indexes.append(Index(name: index, columns: [column]))
        }
    }

    /// Adds the next column of a foreign key.
    mutating func add(reference name: String, from column: String, to table: String, referenced: String) {
        if let position = references.lastIndex(where: { $0.name == name }) {
            references[position].key.columns.append(column)
            references[position].key.referencedColumns.append(referenced)
        } else {
            let key = ForeignKey(columns: [column], table: table, referencedColumns: [referenced])
            references.append(Reference(name: name, key: key))
        }
    }

    /// Sets the actions of a foreign key.
    mutating func set(onDelete: String, onUpdate: String, of reference: String) {
        let (onDelete, onUpdate) = (
            TableConstraints.Action(rawValue: onDelete) ?? .noAction,
            TableConstraints.Action(rawValue: onUpdate) ?? .noAction
        )
        // The columns of a foreign key to a table of another database have not been added.
        guard let position = references.lastIndex(where: { $0.name == reference }) else {
            changesWithOtherDatabase = changesWithOtherDatabase || onDelete.changesRows || onUpdate.changesRows
            return
        }
        references[position].onDelete = onDelete
        references[position].onUpdate = onUpdate
    }

    /// The storage engines whose tables take part in a transaction.
    private static let transactionalEngines: Set = ["innodb", "rocksdb", "tokudb"]

    /// The storage engines whose tables store their rows themselves. The rows of others, such as MERGE, are in other
    /// tables.
    private static let storingEngines: Set = transactionalEngines.union(["aria", "myisam", "memory", "archive", "csv"])

    private func constraints(_ times: Set<Identifier>) -> TableConstraints.Table {
        var constraints = TableConstraints.Table()
        constraints.unique = indexes.map { index in
            TableConstraints.Unique(
                name: index.name, columns: index.columns.filter { !times.contains(Identifier($0)) })
        }
        constraints.references = references.map { reference in
            TableConstraints.Reference(
                name: reference.name, table: name, columns: reference.key.columns, parent: reference.key.table,
                parentColumns: reference.key.referencedColumns, onDelete: reference.onDelete,
                onUpdate: reference.onUpdate)
        }
        constraints.checks = checks.map(\.name)
        constraints.triggers = triggers
        constraints.hidesTriggers = hidesTriggers
        constraints.changesWithUnknownTables =
            changesWithOtherDatabase || !Self.storingEngines.contains(engine.lowercased())
        constraints.automaticColumns = Set(columns.filter(\.isAutomatic).map(\.name))
        if !Self.transactionalEngines.contains(engine.lowercased()) {
            constraints.rejectsWrites = "\(name) has the storage engine \(engine), which has no transactions"
        }
        return constraints
    }

    var draft: TableDraft {
        var draft = TableDraft(table: SchemaTable(name: name, kind: isView ? .view : .table))
        draft.table.columns = columns.map { column in
            column.tableColumn(isInView: isView, isJSON: checks.contains { column.isJSON($0.clause) })
        }
        if columns.isEmpty { draft.table.failure = failure ?? "no column of \(name) can be read" }
        if !isView, !comment.isEmpty { draft.table.comment = comment }
        // In a system-versioned table, the last column of each unique index is the end of the period in which the row
        // is valid. The other columns identify a current row, so the key omits the last column.
        let times = Set(columns.filter(\.isRowTime).map { Identifier($0.name) })
        for index in indexes {
            let names = index.columns.filter { !times.contains(Identifier($0)) }
            if index.name == "PRIMARY" { draft.table.primaryKey = names } else { draft.uniqueKeys.append(names) }
        }
        draft.foreignKeys = references.map(\.key)
        draft.table.constraints = isView ? TableConstraints.Table(viewOf: baseTables) : constraints(times)
        return draft
    }
}
