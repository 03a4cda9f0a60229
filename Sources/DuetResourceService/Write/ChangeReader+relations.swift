import DuetJSON
import DuetSQLDatabase

/// Changes of links and of related rows.
extension ChangeReader {
    /// Returns the change of a write that adds or removes a link.
    func link(_ write: Write, key: [SQLValue], relatedKey: [SQLValue]) throws -> Change {
        guard let relation = write.place.relation else { throw CatalogueError("\(write.name) has no relation") }
        var change = Change(write.kind, of: try catalogue.changedResource(of: write).name)
        change.appliesRules = true
        change.link = Change.Link(resource: write.resource, key: key, relation: relation, relatedKey: relatedKey)
        return change
    }

    /// Checks that the values of a row do not contradict the path of a derived write of related rows.
    /// - Throws: ``ServiceError`` with the code `key-differs`.
    func checkPath(_ row: RowValues, of write: Write, _ change: Change) throws {
        let differences = try differences(row, of: write, change.rows.first ?? RowValues(), at: [])
        try ServiceError.require(noErrors: [], differences)
    }

    /// Returns the errors of the values that contradict the path of a derived write of related rows.
    /// - Parameters:
    ///   - fixed: The values that the path determines. In a batch, they can become known later.
    ///   - place: The path of the row in the body.
    func differences(
        _ row: RowValues, of write: Write, _ fixed: RowValues, at place: [String]
    ) throws -> [ServiceError.FieldError] {
        guard write.origin == .derived, let name = write.place.relation else { return [] }
        let target = try catalogue.changedResource(of: write)
        let relation = try catalogue.required(write.resource).requiredRelation(name)
        return relation.columns.compactMap { pair in
            guard let field = target.ownField(ofColumn: pair.to), let value = row[field.name],
                value != fixed[field.name]
            else { return nil }
            return .differing(field, from: fixed[field.name], at: place)
        }
    }
}

extension ServiceError {
    /// Throws the error for a body with invalid members, if it has any.
    /// - Parameters:
    ///   - errors: The invalid members.
    ///   - differences: The members that differ from the path.
    /// - Throws: ``ServiceError`` with the code `validation-failed` or, if all errors are differences, `key-differs`.
    static func require(noErrors errors: [FieldError], _ differences: [FieldError]) throws {
        guard errors.isEmpty else { throw ServiceError(invalid: errors + differences) }
        guard !differences.isEmpty else { return }
        let names = differences.prefix(10).map { $0.pointer?.description ?? $0.field }.joined(separator: ", ")
        throw ServiceError(.keyDiffers, "the body differs from the path: \(names)", fields: differences)
    }
}

extension ServiceError.FieldError {
    /// Returns the error of a member that differs from the path.
    /// - Parameters:
    ///   - value: The value in the path; nil if it is the key of a row that does not exist yet.
    ///   - place: The path of the row in the body.
    static func differing(_ field: Field, from value: SQLValue?, at place: [String] = []) -> Self {
        let message =
            value.map { "must be \($0.keyText), as in the path, or be absent" }
            ?? "must be absent, because the path determines it"
        return Self(
            field: field.name, message: message,
            pointer: place.isEmpty ? nil : JSONPointer(place + [field.name]))
    }
}
