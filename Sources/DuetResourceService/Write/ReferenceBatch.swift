import DuetSQLDatabase

/// The check of the references of several new rows together.
extension ChangeTransaction {
    /// Searches for the rows to which new rows refer, with one statement for each reference of the resource. A key that
    /// is not found need not be missing: the row with this key can be one of the new rows, or its key can be equal only
    /// for the database.
    /// - Returns: For each key that was not found, the index of the first new row that has it. After
    ///   ``checkReferences(of:_:)`` has accepted this row, all references with this key are correct.
    func rowsToCheck(amongReferencesOf resource: Resource, _ rows: [RowValues]) throws -> Set<Int> {
        guard seesOnlySomeRows else { return [] }
        var references: [[String]: ReferencedKeys] = [:]
        for (index, row) in rows.enumerated() {
            for link in planner.catalogue.links(from: row, of: resource) where isLimited(link) {
                guard let key = Self.values(of: link, row, resource) else { continue }
                let name = [link.table] + link.columns.flatMap { [$0.from, $0.to] }
                references[name, default: ReferencedKeys(link: link)].add(key, of: index)
            }
        }
        var result: Set<Int> = []
        for var keys in references.values {
            for target in keys.link.targets where !keys.firstRows.isEmpty { try find(&keys, in: target) }
            result.formUnion(keys.firstRows.values)
        }
        return result
    }

    /// Removes the keys of the rows of a resource that exist for the caller.
    private func find(_ keys: inout ReferencedKeys, in target: Resource) throws {
        var scope = StatementScope()
        var source = try RowSource(target, planner, &scope)
        let names = keys.link.columns.map(\.to)
        let columns = names.map { planner.catalogue.compared($0, of: source.table) }
        let searched = Array(keys.firstRows.keys)
        let parameter = scope.bind(
            columns.count == 1 ? .list(searched.compactMap(\.first)) : .rows(searched), to: "keys")
        let row = columns.count == 1 ? columns[0] : "(\(columns.joined(separator: ", ")))"
        source.conditions.append("\(row) IN (\(parameter))")
        let found = try query(statement(source.select(names.map(source.table.column).joined(separator: ", ")), scope))
        defer { found.close() }
        while try found.next() {
            keys.firstRows[names.indices.map { found.value(at: $0) }] = nil
        }
    }
}

/// The keys to which new rows refer by the same reference.
private struct ReferencedKeys {
    let link: ReferenceLink
    /// The index of the first row for each key.
    var firstRows: [[SQLValue]: Int] = [:]

    init(link: ReferenceLink) {
        self.link = link
    }

    mutating func add(_ key: [SQLValue], of row: Int) {
        if firstRows[key] == nil { firstRows[key] = row }
    }
}
