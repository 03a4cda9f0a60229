import DuetResourceService
import DuetSQLDatabase

/// Checks that the database can make the changes that the description permits.
extension SchemaValidator {
    mutating func validateWrites(of resource: Resource, _ table: SchemaTable) {
        validateAbsentValues(of: resource, table)
        guard !resource.writes.isEmpty else { return }
        let path = [resource.name, "writes"]
        guard table.kind == .table else {
            return report(
                .error, .writes, path,
                "\(resource.name): \(table.name) is a view, whose rows cannot be written; remove writes")
        }
        if let reason = table.constraints.rejectsWrites {
            return report(
                .error, .writes, path, "\(resource.name): \(reason), so its rows cannot be written; remove writes")
        }
        if resource.key.isEmpty, resource.writes.update != nil || resource.writes.delete != nil {
            let advice = Self.uniqueKeys(of: table).isEmpty ? "" : "add the member key, or "
            report(
                .error, .writes, path,
                "\(resource.name) has no key, so no request can identify a row to update or delete; \(advice)write writes: create"
            )
        }
        validateGeneratedColumns(of: resource, table)
        if resource.writes.create != nil { validateRequiredColumns(of: resource, table) }
    }

    /// Reports the members `absent` that no default of the database fulfills.
    private mutating func validateAbsentValues(of resource: Resource, _ table: SchemaTable) {
        for field in resource.fields where field.relation == nil {
            guard let value = field.databaseValue, let column = column(field.column, of: table), !hasValue(column)
            else {
                continue
            }
            let effect =
                column.isNullable
                ? "so it is null if a request omits it"
                : "so a new row needs a value\(value == .automatic ? ", unless a trigger sets it" : "")"
            report(
                column.isNullable || value == .automatic ? .warning : .error, .writes,
                [resource.name, "fields", field.name],
                "\(resource.name).\(field.name) has absent: \(value.rawValue), but \(table.name).\(column.name) has no default, \(effect); remove absent, or declare a default"
            )
        }
    }

    /// Reports the fields of generated columns that requests or roles can set.
    private mutating func validateGeneratedColumns(of resource: Resource, _ table: SchemaTable) {
        guard resource.writes.create != nil || resource.writes.update != nil else { return }
        for field in resource.fields where field.relation == nil {
            guard let column = column(field.column, of: table), column.isGenerated else { continue }
            if field.isWritable {
                report(
                    .error, .writes, [resource.name, "fields", field.name],
                    "\(resource.name).\(field.name) cannot be written, because the database computes \(table.name).\(column.name); add writable: false"
                )
            }
            for resolved in roles {
                let writes = resolved.role.writes[resource.name]
                for (part, set) in [(RolePart.createSet, writes?.create?.set), (.updateSet, writes?.update?.set)]
                where set?[field.name] != nil {
                    guard let place = place(of: part, resource, resolved) else { continue }
                    report(
                        .error, .writes, place, resource.name,
                        "roles.\(place.role): \(resource.name).\(field.name) cannot be set, because the database computes \(table.name).\(column.name)"
                    )
                }
            }
        }
    }

    /// Reports the columns that need a value in each new row, and for which neither a request nor a role has one.
    private mutating func validateRequiredColumns(of resource: Resource, _ table: SchemaTable) {
        let creators = roles.filter { $0.role.writes[resource.name]?.create != nil }
        guard description.roles.isEmpty || !creators.isEmpty else { return }
        for column in table.columns where !column.isNullable && !hasValue(column) {
            let fields = resource.fields.filter { field in
                field.relation == nil && self.column(field.column, of: table)?.name == column.name
            }
            let required = "new rows of \(table.name) need a value of \(column.name)"
            guard let field = fields.first else {
                report(
                    .error, .writes, [resource.name, "writes"],
                    "\(resource.name): \(required), for which there is no field; add a field, or remove create from writes"
                )
                continue
            }
            // Other findings report the fields of which the description says that a new row needs them, and those with
            // an automatic value that is not a default.
            guard !fields.contains(where: { $0.isRequiredForCreate || $0.databaseValue != nil }) else { continue }
            let names = Set(fields.map(\.name))
            if description.roles.isEmpty {
                guard names.isDisjoint(with: resource.writes.create?.fields ?? []) else { continue }
                report(
                    .error, .writes, [resource.name, "fields", field.name],
                    "\(resource.name).\(field.name): \(required), but the field is not writable; remove writable: false, or remove create from writes"
                )
            }
            for resolved in creators {
                guard let rules = description.catalogue.writeRules(of: resource, for: resolved.role).create,
                    names.isDisjoint(with: rules.fields), names.isDisjoint(with: rules.set.keys),
                    let place = place(of: .createSet, resource, resolved)
                else { continue }
                report(
                    .error, .writes, place, resource.name,
                    "roles.\(place.role): \(required), which the role does not set; add \(field.name) to set of create")
            }
        }
    }

    /// Returns true if the database stores a value other than NULL if a new row omits the column.
    private func hasValue(_ column: TableColumn) -> Bool {
        if column.hasDefault || column.isGenerated { return true }
        // In MariaDB, the default of an ENUM that is not nullable is its first value.
        if case .enumeration = column.type { return !column.isNullable && dialect.ordersChoicesByIndex }
        return false
    }

    private func place(of part: RolePart, _ resource: Resource, _ resolved: ResolvedRole) -> RolePlace? {
        resolved.origin(of: part.action, on: resource.name).map {
            RolePlace($0.role, path: ["resources", $0.entry] + part.path)
        }
    }
}
