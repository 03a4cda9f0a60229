import DuetSQLDatabase

/// The replacement of a row by its key. It is an insert if the row does not exist, and an update otherwise.
extension ChangeTransaction {
    /// Checks that the caller may replace the row or, if it does not exist, create it.
    /// - Throws: ``ServiceError`` for a row that does not exist and that the caller must not create; ``ServiceError``
    ///   with the code `write-not-permitted` for a row that the caller must not change.
    func checkReplacement(of resource: Resource, _ key: [SQLValue]) throws {
        guard try exists(planner.presence(of: resource, key)) else {
            guard resource.createsWithKey else { throw ServiceError.missing(resource, key) }
            return
        }
        guard let update = resource.writes.update,
            try update.condition.isEverything
                || exists(planner.presence(of: resource, key, satisfying: update.condition, isLocking: true))
        else { throw ServiceError.changeNotPermitted(of: resource) }
    }

    /// Replaces or inserts a row.
    func replace(_ change: Change) throws -> ChangeOutcome {
        let resource = try planner.resource(change.resource)
        guard let key = change.key, let row = change.rows.first else {
            throw CatalogueError("a replacement of \(resource.name) needs a key and one row of values")
        }
        let isPresent = try lock(resource, key, where: .everything)
        var performed = Change(
            isPresent ? .update : .insert, of: resource.name, key: isPresent ? key : nil)
        performed.appliesRules = change.appliesRules
        if isPresent {
            try setValues(of: row, resource, &performed)
        } else {
            performed.rows = [change.appliesRules ? try newRow(row, resource) : row]
        }
        return try perform(performed)
    }

    /// Adds the values of an update that replaces all fields that the caller may write. All other fields retain their
    /// values, even if the row has values for them.
    private func setValues(of row: RowValues, _ resource: Resource, _ update: inout Change) throws {
        let rules = update.appliesRules ? resource.writes.update : WriteRules.permitting([.update], of: resource).update
        var values = RowValues()
        var errors: [ServiceError.FieldError] = []
        for name in rules?.fields ?? [] where rules?.set[name] == nil && !resource.key.contains(name) {
            let field = try resource.requiredField(name)
            if let value = row[name] {
                values[name] = value
            } else if field.isRequiredForCreate {
                errors.append(ServiceError.FieldError(field: name, message: "is missing"))
            } else if field.databaseValue != .automatic {
                // The database generates an automatic value only for a new row.
                update.defaults.append(.init(field: name, expression: try defaultValue(of: field, resource)))
            }
        }
        guard errors.isEmpty else { throw ServiceError(invalid: errors) }
        update.rows = [values]
    }

    /// Returns the values of a new row. A value is missing or not permitted only if the caller may write different
    /// fields in new rows and in existing rows.
    private func newRow(_ row: RowValues, _ resource: Resource) throws -> RowValues {
        guard let rules = resource.writes.create else { return row }
        var errors: [ServiceError.FieldError] = []
        for name in rules.fields where row[name] == nil && rules.set[name] == nil {
            guard try resource.requiredField(name).isRequiredForCreate else { continue }
            errors.append(ServiceError.FieldError(field: name, message: "is missing"))
        }
        for name in row.names where !rules.fields.contains(name) {
            errors.append(ServiceError.FieldError(field: name, message: "cannot be set in a new row"))
        }
        guard errors.isEmpty else { throw ServiceError(invalid: errors) }
        return row
    }

    /// Returns the expression of the default value of a field in an `UPDATE`.
    private func defaultValue(of field: Field, _ resource: Resource) throws -> String {
        switch planner.dialect.defaultValue {
        case .keyword: return "DEFAULT"
        case .query(let sql, let expression):
            let row = try connection.query(
                sql, ["table": .value(.text(resource.table)), "column": .value(.text(field.column))])
            defer { row.close() }
            guard try row.next(), case .text(let text) = row.value(at: 0) else { return "NULL" }
            return expression(text)
        }
    }
}

extension ServiceError {
    /// Returns the error for a row that the caller may read, but not change.
    static func changeNotPermitted(of resource: Resource) -> ServiceError {
        ServiceError(
            .writeNotPermitted, "the rules for \(resource.name) do not permit a change of this \(resource.singular)")
    }
}
