package import DuetResultSetJSON
package import DuetSQLDatabase

extension Catalogue {
    /// Reads all fields of all rows of a resource, and checks the values in the same way as for a response.
    /// - Returns: The values that would make a request fail, grouped by field.
    /// - Throws: `DatabaseError`.
    package func mismatches(of resource: Resource, _ connection: Connection) throws -> [ValueMismatches] {
        var draft = try StatementDraft(resource, Planner(catalogue: self, dialect: connection.dialect), .all)
        let key = try resource.keyFields.map { try draft.expression(of: $0) }
        draft.columns = ColumnList(offset: key.count)
        let members = try resource.fields.map { field in
            ObjectShape.Member.column(
                name: field.name, .index(try draft.position(of: field)), field.format, choices: field.choices)
        }
        let columns = (key + [draft.columns.sql]).joined(separator: ", ")
        let rows = try connection.query(draft.source.select(columns))
        defer { rows.close() }
        return try ValueMismatches.all(in: rows, as: ObjectShape(members, of: resource.name), keyCount: key.count)
    }
}
