/// A table as `information_schema` reports it.
struct MariaDBTable {
    private struct Reference {
        let name: String
        var key: ForeignKey
    }

    private struct Index {
        let name: String
        var columns: [String]
    }

    let name: String
    let isView: Bool
    /// The comment; of a view `VIEW`, and of a table that cannot be opened the error.
    var comment: String
    var columns: [MariaDBColumn] = []
    var checks: [String] = []
    private var indexes: [Index] = []
    private var references: [Reference] = []

    init(name: String, isView: Bool, comment: String) {
        self.name = name
        self.isView = isView
        self.comment = comment
    }

    /// Adds the next column of a unique index; rows come index by index.
    mutating func add(indexed column: String, of index: String) {
        if indexes.last?.name != index { indexes.append(Index(name: index, columns: [])) }
        indexes[indexes.count - 1].columns.append(column)
    }

    /// Adds the next column of a foreign key; rows come key by key.
    mutating func add(reference name: String, from column: String, to table: String, referenced: String) {
        if references.last?.name != name {
            let key = ForeignKey(columns: [], table: table, referencedColumns: [])
            references.append(Reference(name: name, key: key))
        }
        references[references.count - 1].key.columns.append(column)
        references[references.count - 1].key.referencedColumns.append(referenced)
    }

    var draft: TableDraft {
        var draft = TableDraft(table: Table(name: name, kind: isView ? .view : .table))
        draft.table.columns = columns.map { column in
            column.tableColumn(isInView: isView, isJSON: checks.contains(where: column.isJSON))
        }
        if columns.isEmpty {
            draft.table.failure =
                comment.isEmpty || comment == "VIEW" ? "no column of \(name) can be read" : comment
        } else if !isView, !comment.isEmpty {
            draft.table.comment = comment
        }
        // Each unique index of a system-versioned table ends with the end of the row's time. Current rows differ
        // without it.
        let times = Set(columns.filter(\.isRowTime).map { Identifier($0.name) })
        for index in indexes {
            let names = index.columns.filter { !times.contains(Identifier($0)) }
            if index.name == "PRIMARY" { draft.table.primaryKey = names } else { draft.uniqueKeys.append(names) }
        }
        draft.foreignKeys = references.map(\.key)
        return draft
    }
}
