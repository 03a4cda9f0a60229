import DuetSQLDatabase

/// The errors of changes that the constraints of the database reject. They have the names of the API, and no values. A
/// name of the database occurs only if the caller sees the table.
extension ChangeTransaction {
    /// Returns the error for a statement that the database has rejected; nil if the cause is not a constraint.
    func violationError(
        _ error: DatabaseError, of resource: Resource, _ change: Change
    ) throws -> ServiceError? {
        let violation = error.violation
        switch error.code {
        case .uniqueViolation: return conflict(violation, of: resource)
        case .foreignKeyViolation: return try referenceError(of: resource, change, violation)
        case .constraintViolation: return rejection(violation, of: resource, change)
        default: return nil
        }
    }

    private func conflict(_ violation: ConstraintViolation?, of resource: Resource) -> ServiceError {
        let fields = uniqueColumns(violation, of: resource).compactMap { resource.visibleField(ofColumn: $0)?.name }
        let names = fields.joined(separator: ", ")
        return ServiceError(
            .conflict,
            fields.isEmpty
                ? "another row already has the same key or another unique value; send other values"
                : "another row already has the same value of \(names); send another value",
            fields: fields.map {
                ServiceError.FieldError(field: $0, message: "has a value that another row already has")
            })
    }

    /// Returns the columns of the resource's table that another row has with the same values.
    private func uniqueColumns(_ violation: ConstraintViolation?, of resource: Resource) -> [String] {
        guard let violation, isOwn(violation, resource) else { return [] }
        guard violation.columns.isEmpty, let name = violation.name else { return violation.columns }
        let index = planner.catalogue.constraints[resource.table].unique.first {
            $0.name.lowercased() == name.lowercased()
        }
        return index?.columns ?? []
    }

    private func rejection(
        _ violation: ConstraintViolation?, of resource: Resource, _ change: Change
    ) -> ServiceError {
        guard let violation else { return .violatedRule("") }
        switch violation.kind {
        case .check:
            return .violatedRule(visibleName(of: violation, resource).map { " (the constraint \($0))" } ?? "")
        case .trigger:
            guard planner.catalogue.view == .whole, let message = violation.message else {
                var error = ServiceError(
                    .constraintViolated, "a trigger of the database rejects the change; send other values")
                // The message can contain the names and values of rows that the caller does not see.
                error.rejection = violation.message.map { "a trigger of \(resource.table): \($0)" }
                return error
            }
            return ServiceError(.constraintViolated, "a trigger of the database rejects the change: \(message)")
        case .notNull, .tooLong, .outOfRange, .invalid:
            let fields =
                isOwn(violation, resource)
                ? violation.columns.compactMap { resource.visibleField(ofColumn: $0)?.name } : []
            guard !fields.isEmpty else { return .violatedRule("") }
            return ServiceError(
                invalid: fields.map { name in
                    .init(
                        field: name,
                        message: violation.requirement(isGiven: change.rows.contains { $0[name] != nil }))
                })
        case .unique, .missingParent, .rowInUse, .foreignKey: return .violatedRule("")
        }
    }

    /// Returns true if the violated constraint can belong to the table of the resource. A trigger can violate
    /// constraints of other tables.
    private func isOwn(_ violation: ConstraintViolation, _ resource: Resource) -> Bool {
        violation.table.map { planner.catalogue.constraints.isSame($0, resource.table) } ?? true
    }

    /// Returns the name of a CHECK constraint, if it has one and the caller sees its whole table. The name can contain
    /// the name of a column.
    private func visibleName(of violation: ConstraintViolation, _ resource: Resource) -> String? {
        let catalogue = planner.catalogue
        let table = violation.table ?? resource.table
        guard let name = violation.name, catalogue.constraints[table].checks.contains(name),
            catalogue.resources.contains(where: {
                catalogue.constraints.isSame($0.table, table) && $0.concealed.fields.isEmpty
            })
        else { return nil }
        return name
    }
}

extension ConstraintViolation {
    /// The reason why the value of a member is invalid.
    fileprivate func requirement(isGiven: Bool) -> String {
        switch kind {
        case .notNull: isGiven ? "must not be null" : "is missing"
        case .tooLong: "is too long for the database"
        case .outOfRange: "is outside the range of the values that the database can store"
        default: "has a value that the database cannot store"
        }
    }
}

extension ServiceError {
    fileprivate static func violatedRule(_ name: String) -> ServiceError {
        ServiceError(.constraintViolated, "the values violate a rule of the database\(name); send other values")
    }
}
