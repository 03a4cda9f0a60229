import DuetResourceService

extension SchemaDescriber {
    /// Determines the key of a resource. If there is none, adds a comment with the reason.
    mutating func describeKey(of resource: inout TableResource) {
        let table = resource.table
        for candidate in Self.keys(of: table)
        where !hasNull(in: candidate, table) && !candidate.contains(where: { hasMismatches($0, resource) }) {
            let isPrimary = candidate == table.primaryKey
            let fields = candidate.compactMap(resource.field(ofColumn:))
            guard fields.count == candidate.count, fields.allSatisfy(\.type.isOrdered) else { continue }
            resource.key = fields.map(\.name)
            if isPrimary, fields.contains(where: \.isNullable) {
                // SQLite permits NULL in a primary key for compatibility (sqlite.org/lang_createtable.html).
                note(
                    resource.name,
                    "The primary key of \(table.name) is not declared NOT NULL. If a row contains NULL in the key, lists with this row fail."
                )
                for name in resource.key {
                    if let index = resource.fields.firstIndex(where: { $0.name == name }) {
                        resource.fields[index].isNullable = false
                    }
                }
            }
            return
        }
        note(
            resource.name,
            "\(reason(resource)): lists of \(resource.name) have no cursors, and single rows have no address. If fields identify a row, specify them: key: [...]"
        )
    }

    /// Returns the primary key and the unique keys that do not allow NULL.
    private static func keys(of table: SchemaTable) -> [[String]] {
        let unique = table.uniqueKeys.filter { key in
            key.allSatisfy { table.column(named: $0)?.isNullable == false }
        }
        return (table.primaryKey.map { [$0] } ?? []) + unique
    }

    private func hasMismatches(_ column: String, _ resource: TableResource) -> Bool {
        resource.field(ofColumn: column)?.nullifiesMismatches == true
    }

    /// Returns true if a row that was read has NULL in a column.
    private func hasNull(in columns: [String], _ table: SchemaTable) -> Bool {
        guard let contents = contents.tables[table.name] else { return false }
        return zip(table.columns, contents.columns).contains { columns.contains($0.name) && $1.nulls > 0 }
    }

    /// Returns the reason why a resource has no key.
    private func reason(_ resource: TableResource) -> String {
        let table = resource.table
        guard table.kind != .view else { return "A view has no key" }
        guard let first = Self.keys(of: table).first else {
            return table.uniqueKeys.isEmpty ? "There is no unique key" : "Every unique key allows NULL"
        }
        let columns = first.compactMap(table.column(named:))
        let key = "The key (\(first.joined(separator: ", ")))"
        if let hidden = columns.first(where: { resource.hidden.contains($0.name) }) {
            return "\(key) has the hidden column \(hidden.name)"
        }
        if hasNull(in: first, table) { return "\(key) is NULL in a row" }
        if first.contains(where: { hasMismatches($0, resource) }) {
            return "\(key) has values that JSON cannot represent"
        }
        if let field = first.compactMap(resource.field(ofColumn:)).first(where: { !$0.type.isOrdered }) {
            return "\(key) has the column \(field.column), whose values have no order"
        }
        return "\(key) has a column that no field exposes"
    }
}
