package import DuetResultSetJSON
package import DuetSQLDatabase

extension Catalogue {
    /// Returns the error for a value that does not have the type of its field, if a statement has failed because of
    /// such a value; see ``AggregatedColumn``. MariaDB does not report the value.
    func mismatch(_ error: DatabaseError) -> ValueMismatch? {
        guard let (name, value) = error.invalidValue else { return nil }
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2, let field = self[parts[0]]?.fields.first(where: { $0.name == parts[1] }) else {
            return nil
        }
        let unknown =
            !field.format.isDate
            ? "another value"
            : field.format.dateTimeForm.isNumber
                ? "a number outside the years 0 to 9999" : "a zero date, or a date that does not exist"
        return ValueMismatch(value ?? unknown, of: field.name, in: parts[0], field.format)
    }

    /// Returns the error for a text that is too long for a key of groups, if a statement has failed because of such a
    /// text.
    func longKey(_ error: DatabaseError) -> ServiceError? {
        guard let name = error.invalidValue?.field, name.hasPrefix(AggregatedColumn.longKeyMark) else { return nil }
        return ServiceError(
            .invalidParameter,
            "\(name.dropFirst(AggregatedColumn.longKeyMark.count)) has texts of more than \(AggregatedColumn.maximumKeyLength) characters, which cannot be keys of groups or sort keys; use another field, or exclude these rows by a filter"
        )
    }

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
