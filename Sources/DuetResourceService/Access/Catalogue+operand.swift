package import DuetJSON
import DuetSQLDatabase

extension Catalogue {
    /// Creates the condition of a permission from a JSON object in the format of requests. A value can be a claim:
    /// `{"claim": "app.tenant"}` or `{"claim": ["app", "tenant"]}`.
    /// - Parameter name: The name of the condition in errors.
    /// - Throws: ``ServiceError`` whose message contains the name of the invalid member.
    package func condition(_ object: JSONObject, of resource: Resource, named name: String) throws -> Filter {
        // As in filter(_:of:readsClaims:), the values have the restrictions of MariaDB.
        try FilterReader(catalogue: self, values: Self.valuesOfPermissions, readsClaims: true)
            .filter(object, of: resource, name)
    }

    /// Creates the value that a permission sets: a scalar with the type of the field, null, or a claim in the format of
    /// ``condition(_:of:named:)``.
    /// - Throws: ``ServiceError`` whose message describes the valid values of the field.
    package func operand(_ json: JSONValue, of field: Field) throws -> Operand {
        if case .object(let object) = json {
            guard let path = ClaimPath(operand: object) else {
                throw Self.invalid(
                    field,
                    "must be a value or a claim such as {claim: customer}, {claim: app.tenant} or {claim: [app, tenant]}"
                )
            }
            return .parameter(path.parameter)
        }
        if json == .null {
            guard field.isNullable else { throw Self.invalid(field, "must not be null") }
            return .value(.null)
        }
        if case .json = field.type { return .value(.text(json.compactText)) }
        if case .text(let maximumLength?) = field.type, case .string(let text) = json,
            text.unicodeScalars.count > maximumLength
        {
            throw Self.invalid(field, "must have at most \(maximumLength) characters")
        }
        return .value(try Self.valuesOfPermissions.value(json, of: field, field.name))
    }

    private static var valuesOfPermissions: ValueReader { ValueReader(dates: .iso, dialect: .mariaDB) }

    private static func invalid(_ field: Field, _ reason: String) -> ServiceError {
        ServiceError(.invalidParameter, "\(field.name) \(reason)", parameter: field.name)
    }
}

extension ClaimPath {
    /// Creates the path in an operand: `{"claim": "app.tenant"}` or `{"claim": ["app", "tenant"]}`; nil for any other
    /// object.
    init?(operand object: JSONObject) {
        guard object.members.count == 1 else { return nil }
        switch object["claim"] {
        case .string(let text)?: self.init(text)
        case .array(let elements)?:
            let names = elements.compactMap { if case .string(let name) = $0 { name } else { nil } }
            guard !names.isEmpty, names.count == elements.count else { return nil }
            self.init(names)
        default: return nil
        }
    }
}
