import DuetResourceService

/// A table under construction, whose parts are collected from the rows of several statements.
struct TableDraft {
    var table: SchemaTable
    /// The unique keys except the primary key, in any order and possibly with duplicates.
    var uniqueKeys: [[String]] = []
    var foreignKeys: [ForeignKey] = []

    /// The complete table, with sorted keys. Duplicate keys are omitted. If the account of the connection has no
    /// privilege to read a column, the keys with this column are also omitted.
    var finished: SchemaTable {
        let positions = Dictionary(
            table.columns.enumerated().map { (Identifier($1.name), $0) }, uniquingKeysWith: { first, _ in first })
        func visible(_ columns: [String]) -> [Int]? {
            let found = columns.compactMap { positions[Identifier($0)] }
            return found.count == columns.count ? found : nil
        }
        var finished = table
        var known: Set<[Int]> = []
        if let primaryKey = table.primaryKey {
            if let key = visible(primaryKey) { known.insert(key) } else { finished.primaryKey = nil }
        }
        finished.uniqueKeys =
            uniqueKeys
            .compactMap { columns in visible(columns).map { (columns: columns, positions: $0) } }
            .filter { known.insert($0.positions).inserted }
            .sorted { $0.positions.lexicographicallyPrecedes($1.positions) }
            .map(\.columns)
        var unique: [(key: ForeignKey, positions: [Int])] = []
        for key in foreignKeys {
            guard let found = visible(key.columns), !unique.contains(where: { $0.key == key }) else { continue }
            unique.append((key, found))
        }
        finished.constraints.unique.sort { Identifier($0.name) < Identifier($1.name) }
        finished.foreignKeys =
            unique
            .sorted { left, right in
                left.positions == right.positions
                    ? left.key.target.lexicographicallyPrecedes(right.key.target)
                    : left.positions.lexicographicallyPrecedes(right.positions)
            }
            .map(\.key)
        return finished
    }
}

extension ForeignKey {
    fileprivate var target: [Identifier] { ([table] + referencedColumns).map { Identifier($0) } }

    /// Returns the foreign key with the names of the referenced table and columns in the spelling of their definition.
    /// If the constraint does not specify the referenced columns, the primary key of the referenced table is used.
    fileprivate func resolved(in table: SchemaTable) -> ForeignKey {
        var resolved = self
        resolved.table = table.name
        if referencedColumns.isEmpty, let primaryKey = table.primaryKey, primaryKey.count == columns.count {
            resolved.referencedColumns = primaryKey
        } else {
            resolved.referencedColumns = referencedColumns.map { name in
                let folded = Identifier(folding: name)
                return table.column(named: name)?.name
                    ?? table.columns.first { Identifier(folding: $0.name) == folded }?.name ?? name
            }
        }
        return resolved
    }
}

extension [TableDraft] {
    /// The complete tables. In a foreign key, the name of a table or column can have a different letter case than in
    /// the referenced table. Therefore the names in foreign keys are replaced by the names of the referenced tables and
    /// columns.
    var finished: [SchemaTable] {
        var exact: [Identifier: Int] = [:]
        var folded: [Identifier: Int] = [:]
        for (index, draft) in enumerated() {
            exact[Identifier(draft.table.name)] = index
            // If two names differ only in letter case, the first name in byte order is used.
            let key = Identifier(folding: draft.table.name)
            if let other = folded[key], Identifier(self[other].table.name) < Identifier(draft.table.name) { continue }
            folded[key] = index
        }
        return map { draft in
            var draft = draft
            draft.foreignKeys = draft.foreignKeys.map { key in
                let index = exact[Identifier(key.table)] ?? folded[Identifier(folding: key.table)]
                return index.map { key.resolved(in: self[$0].table) } ?? key
            }
            draft.table.constraints.references = draft.table.constraints.references.map { reference in
                guard
                    let index = exact[Identifier(reference.parent)] ?? folded[Identifier(folding: reference.parent)]
                else { return reference }
                let key = ForeignKey(
                    columns: reference.columns, table: reference.parent, referencedColumns: reference.parentColumns
                ).resolved(in: self[index].table)
                var reference = reference
                (reference.parent, reference.parentColumns) = (key.table, key.referencedColumns)
                return reference
            }
            return draft.finished
        }
    }
}
