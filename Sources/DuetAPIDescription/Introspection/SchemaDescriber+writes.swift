import DuetResourceService

extension SchemaDescriber {
    /// Permits all changes of a table with a key, and describes the values that the database sets.
    mutating func permitWrites(of position: Int) {
        var resource = resources[position]
        defer { resources[position] = resource }
        let table = resource.table
        guard table.kind == .table, !resource.key.isEmpty else { return }
        if let reason = table.constraints.rejectsWrites {
            note(resource.name, "The rows cannot be written: \(reason).")
            return
        }
        for index in resource.fields.indices {
            guard let column = table.column(named: resource.fields[index].column) else { continue }
            if column.isGenerated {
                resource.fields[index].isWritable = false
            } else if table.constraints.automaticColumns.contains(column.name) {
                resource.fields[index].databaseValue = .automatic
            } else if column.hasDefault {
                resource.fields[index].databaseValue = .default
            }
        }
        resource.writes = [.create, .update, .delete]
        let required = table.columns.first { column in
            !column.isNullable && !column.hasDefault && !column.isGenerated
                && resource.field(ofColumn: column.name)?.isSettable != true
        }
        guard let required else { return }
        resource.writes.remove(.create)
        note(
            "\(resource.name)/writes",
            "A new row needs a value in the column \(required.name), which no writable field exposes.")
    }
}

extension Field {
    /// True if a request can set the field. A field with values of any type cannot be written.
    fileprivate var isSettable: Bool { isWritable && type != .any }
}
