import DuetJSON
import DuetSQLDatabase

/// Creates filters from JSON objects, which have the same format in REST and GraphQL, and from query parameters.
///
/// A filter without conditions matches every row. Therefore a condition that is null or empty is an error: otherwise a
/// client that has not set a value would receive all rows. Only the object of the whole filter can be empty.
struct FilterReader: Sendable {
    let catalogue: Catalogue
    let values: ValueReader
    /// True if an operand of a comparison can be a claim. Requests contain no claims.
    var readsClaims = false

    /// The maximum number of conditions in a filter.
    static let maximumConditions = 100
    /// The maximum nesting depth of objects in a filter.
    private static let maximumDepth = 10
    /// The maximum number of values in a list. Together with ``maximumConditions``, it limits the number of parameters
    /// of a statement; SQLite supports 32,766.
    private static let maximumValues = 100

    /// Creates a filter from a JSON object: `{"hireDate":{"gte":"1990-01-01"},"or":[…],"titles":{"some":{…}}}`. A row
    /// must satisfy all members.
    /// - Parameter name: The name of the parameter or argument in errors.
    /// - Throws: ``ServiceError`` with the name of the invalid member and the valid names or values.
    func filter(_ object: JSONObject, of resource: Resource, _ name: String) throws -> Filter {
        var conditions = 0
        let filter = try filter(object, of: resource, name, depth: 1, &conditions)
        guard filter.aggregatedRelations <= Self.maximumAggregatedRelations else {
            throw ServiceError(
                .invalidParameter,
                "\(name) compares aggregates of more than \(Self.maximumAggregatedRelations) relations", parameter: name
            )
        }
        return filter
    }

    func filter(
        _ object: JSONObject, of resource: Resource, _ name: String, depth: Int, _ conditions: inout Int
    ) throws -> Filter {
        guard depth <= Self.maximumDepth else {
            throw ServiceError(
                .invalidParameter, "\(name) has more than \(Self.maximumDepth) nested objects", parameter: name)
        }
        var filters: [Filter] = []
        guard conditions <= Self.maximumConditions else { throw tooMany(name) }
        for member in object.members {
            let place = "\(name).\(member.key)"
            conditions += 1
            guard conditions <= Self.maximumConditions else { throw tooMany(name) }
            switch (member.key, member.value) {
            case ("and", let value), ("or", let value):
                filters.append(
                    try connected(by: member.key, value, of: resource, place, depth: depth, &conditions))
            case ("not", let value):
                let object = try self.object(value, place)
                guard !object.members.isEmpty else { throw empty(place) }
                filters.append(.not(try filter(object, of: resource, place, depth: depth + 1, &conditions)))
            default:
                if let named = resource.filter(member.key) {
                    filters.append(try filter(named, member.value, of: resource, place))
                } else if let relation = resource.relation(member.key) {
                    filters += try related(
                        relation, try self.object(member.value, place), place, depth: depth, &conditions)
                } else if let field = resource.field(member.key) {
                    filters += try comparisons(of: field, member.value, place, &conditions)
                } else {
                    let allowed = Catalogue.connectives + names(of: resource)
                    throw ServiceError(
                        .invalidParameter,
                        "\(name) has no member \(member.key); valid members are \(allowed.joined(separator: ", "))",
                        parameter: name, allowed: allowed)
                }
            }
        }
        return filters.count == 1 ? filters[0] : .all(filters)
    }

    func tooMany(_ name: String) -> ServiceError {
        ServiceError(
            .invalidParameter, "\(name) has more than \(Self.maximumConditions) conditions", parameter: name)
    }

    private func names(of resource: Resource) -> [String] {
        resource.filters.map(\.name) + resource.fields.map(\.name) + resource.relations.map(\.name)
    }

    /// Creates the filter for the member `and` or `or`.
    private func connected(
        by connective: String, _ value: JSONValue, of resource: Resource, _ name: String, depth: Int,
        _ conditions: inout Int
    ) throws -> Filter {
        guard value != .null else { throw null(name) }
        guard case .array(let elements) = value else { throw mismatch(name, "a list of objects", value) }
        conditions += elements.count
        // `or` without elements is false, and selects no row.
        guard connective == "or" || !elements.isEmpty else { throw empty(name) }
        let parts = try elements.map { element in
            guard element != .null else { throw null(name, isElement: true) }
            guard case .object(let object) = element else {
                throw mismatch("an element of \(name)", "an object", element, parameter: name)
            }
            guard !object.members.isEmpty else { throw empty("an element of \(name)", parameter: name) }
            return try filter(object, of: resource, name, depth: depth + 1, &conditions)
        }
        return connective == "and" ? .all(parts) : .any(parts)
    }

    private func related(
        _ relation: Relation, _ object: JSONObject, _ name: String, depth: Int, _ conditions: inout Int
    ) throws -> [Filter] {
        let target = try catalogue.target(of: relation)
        func condition(_ object: JSONObject, _ place: String) throws -> Filter {
            guard !object.members.isEmpty else {
                let hint = target.keyFields.first.map {
                    "; for any related row, set \(place).\($0.name).null to false"
                }
                throw empty(place, hint: hint ?? "")
            }
            return try filter(object, of: target, place, depth: depth + 1, &conditions)
        }
        guard relation.isToMany else {
            return [.related(relation.name, exists: true, try condition(object, name))]
        }
        guard !object.members.isEmpty else { throw empty(name, remedy: "add some or none") }
        let (quantified, aggregated) = object.members.partitioned { ["some", "none"].contains($0.key) }
        let filters = try quantified.map { member in
            let place = "\(name).\(member.key)"
            return Filter.related(
                relation.name, exists: member.key == "some",
                try condition(try self.object(member.value, place), place))
        }
        guard !aggregated.isEmpty else { return filters }
        return try filters + [aggregates(aggregated, of: relation, target, name, depth: depth, &conditions)]
    }

    // MARK: Errors

    func object(_ value: JSONValue, _ name: String) throws -> JSONObject {
        guard value != .null else { throw null(name) }
        guard case .object(let object) = value else { throw mismatch(name, "an object", value) }
        return object
    }

    private func mismatch(
        _ subject: String, _ expected: String, _ value: JSONValue, parameter: String? = nil
    ) -> ServiceError {
        ServiceError(
            .invalidParameter, "\(subject) must be \(expected), not \(value.typeName)",
            parameter: parameter ?? subject)
    }

    /// Returns the error for a condition that is null.
    /// - Parameters:
    ///   - field: The field in the condition, with its name in errors. If the field can be null, the error describes
    ///     the filter for null.
    ///   - isElement: True if null is an element of a list.
    private func null(
        _ name: String, _ field: (field: Field, name: String)? = nil, isElement: Bool = false
    ) -> ServiceError {
        let remedy =
            if let field, field.field.isNullable {
                "to select the rows whose \(field.field.name) is null, set \(field.name).null to true"
            } else {
                "if there is no such condition, omit it"
            }
        return ServiceError(
            .invalidParameter, "\(name) must not \(isElement ? "contain" : "be") null; \(remedy)", parameter: name)
    }

    /// Returns the error for an object or a list without conditions.
    func empty(
        _ subject: String, parameter: String? = nil, remedy: String = "add a condition", hint: String = ""
    ) -> ServiceError {
        ServiceError(
            .emptyFilter, "\(subject) is empty; \(remedy), or omit it\(hint)",
            parameter: parameter ?? subject)
    }

    // MARK: Comparisons

    /// Creates the comparisons of a field from an object whose members are operators.
    private func comparisons(
        of field: Field, _ value: JSONValue, _ name: String, _ conditions: inout Int
    ) throws -> [Filter] {
        guard value != .null else { throw null(name, (field, name)) }
        let object = try object(value, name)
        guard !object.members.isEmpty else { throw empty(name, remedy: "add an operator") }
        return try object.members.map { operation in
            conditions += 1
            return try comparison(field, operation.key, operation.value, name)
        }
    }

    /// Creates the comparison of a field with a value.
    /// - Parameter operation: The name of the operator.
    func comparison(_ field: Field, _ operation: String, _ value: JSONValue, _ name: String) throws -> Filter {
        if operation == "null" {
            guard case .bool(let isNull) = value else { throw mismatch("\(name).null", "true or false", value) }
            return .isNull(field.name, isNull)
        }
        let comparison = try comparison(operation, of: field, name)
        let place = "\(name).\(operation)"
        guard value != .null else { throw null(place, (field, name)) }
        if readsClaims, case .object(let object) = value {
            return .compare(field.name, comparison, [.parameter(try claim(object, place).parameter)])
        }
        switch (comparison, value) {
        case (.in, .array(let elements)):
            // SQL has no empty list. No value is in an empty list, so this filter matches no row.
            guard !elements.isEmpty else { return .any([]) }
            guard elements.count <= Self.maximumValues else {
                throw ServiceError(
                    .invalidParameter, "\(place) has more than \(Self.maximumValues) values", parameter: place)
            }
            guard !elements.contains(.null) else { throw null(place, (field, name), isElement: true) }
            return .compare(field.name, .in, values: try elements.map { try values.value($0, of: field, place) })
        case (.in, _): throw mismatch(place, "a list", value)
        case (.like, .string(let text)): return .compare(field.name, .like, values: [try values.pattern(text, place)])
        case (.like, _): throw mismatch(place, "a text", value)
        default: return .compare(field.name, comparison, values: [try values.value(value, of: field, place)])
        }
    }

    /// Reads a claim: `{"claim": "app.tenant"}` or `{"claim": ["app", "tenant"]}`.
    private func claim(_ object: JSONObject, _ place: String) throws -> ClaimPath {
        guard let path = ClaimPath(operand: object) else {
            throw ServiceError(
                .invalidParameter,
                "\(place) must be a value or a claim such as {claim: customer}, {claim: app.tenant} or {claim: [app, tenant]}",
                parameter: place)
        }
        return path
    }

    /// Returns the comparison for an operator.
    /// - Throws: ``ServiceError`` with the valid operators, if the field does not have this operator.
    func comparison(_ operation: String, of field: Field, _ name: String) throws -> Comparison {
        guard let comparison = Comparison(rawValue: operation), field.type.comparisons.contains(comparison) else {
            let allowed = operators(of: field)
            let hint =
                allowed.isEmpty
                ? "its values cannot be compared" : "valid operators are \(allowed.joined(separator: ", "))"
            throw ServiceError(
                .unknownParameter, "\(name) has no operator \(operation); \(hint)",
                parameter: "\(name).\(operation)", allowed: allowed.map { "\(name).\($0)" })
        }
        return comparison
    }

    /// Returns the names of the valid operators of a field.
    func operators(of field: Field) -> [String] {
        field.type.comparisons.map(\.rawValue) + (field.isNullable ? ["null"] : [])
    }

    /// Creates the comparison of a field from all query parameters that have the same name.
    /// - Parameters:
    ///   - texts: The values of the parameters with this name: one value, or several for `in`.
    ///   - name: The name of the parameters.
    func compare(_ field: Field, _ operation: String, _ texts: [String], _ name: String) throws -> Filter {
        if operation == "null" {
            return .isNull(field.name, try flag(texts[0], name))
        }
        let comparison = try comparison(operation, of: field, field.name)
        switch comparison {
        case .like: return .compare(field.name, .like, values: [try values.pattern(texts[0], name)])
        case .in: return .compare(field.name, .in, values: try texts.map { try listed($0, of: field, name) })
        default:
            return .compare(field.name, comparison, values: try texts.map { try values.value($0, of: field, name) })
        }
    }

    /// Parses one of several values of an `in` list. If the text is invalid and contains a comma, the error explains
    /// that the parameter can be repeated.
    private func listed(_ text: String, of field: Field, _ name: String) throws -> SQLValue {
        do {
            return try values.value(text, of: field, name)
        } catch var error as ServiceError where text.contains(",") {
            let parts = text.split(separator: ",").prefix(2).map { "\(name)=\($0)" }
            error.detail += "; repeat the parameter for several values, as in \(parts.joined(separator: "&"))"
            throw error
        }
    }

    // MARK: Named filters

    /// Creates the filter for the value of a named filter in a query parameter, such as `current=true`.
    func filter(_ named: NamedFilter, _ text: String, of resource: Resource, _ name: String) throws -> Filter {
        switch named.meaning {
        case .compare(let fields, .like): try any(fields, .like, try plainPattern(text, name))
        case .compare(let fields, let comparison):
            try any(fields, comparison, try values.value(text, of: try resource.requiredField(fields[0]), name))
        case .some(let relation, let fieldName, let other):
            try some(relation, fieldName, other, of: resource) { try values.value(text, of: $0, name) }
        case .flag(let whenTrue, let whenFalse): try flag(text, name) ? whenTrue : whenFalse
        }
    }

    /// Creates the filter for the value of a named filter in a JSON object.
    private func filter(
        _ named: NamedFilter, _ value: JSONValue, of resource: Resource, _ name: String
    ) throws -> Filter {
        guard value != .null else { throw null(name) }
        return switch (named.meaning, value) {
        case (.compare(let fields, .like), .string(let text)): try any(fields, .like, try plainPattern(text, name))
        case (.compare(let fields, let comparison), _):
            try any(fields, comparison, try values.value(value, of: try resource.requiredField(fields[0]), name))
        case (.some(let relation, let fieldName, let other), _):
            try some(relation, fieldName, other, of: resource) { try values.value(value, of: $0, name) }
        case (.flag(let whenTrue, let whenFalse), .bool(let isTrue)): isTrue ? whenTrue : whenFalse
        case (.flag, _): throw mismatch(name, "true or false", value)
        }
    }

    /// Returns the pattern for the value of a named filter. The asterisk is the only special character of such a value.
    private func plainPattern(_ text: String, _ name: String) throws -> SQLValue {
        _ = try values.pattern(text, name)
        return .text(text.replacing("\\", with: "\\\\"))
    }

    private func any(_ fields: [String], _ comparison: Comparison, _ value: SQLValue) throws -> Filter {
        let filters = fields.map { Filter.compare($0, comparison, values: [value]) }
        return filters.count == 1 ? filters[0] : .any(filters)
    }

    private func some(
        _ relationName: String, _ fieldName: String, _ other: Filter, of resource: Resource,
        _ value: (Field) throws -> SQLValue
    ) throws -> Filter {
        let relation = try resource.requiredRelation(relationName)
        let field = try catalogue.target(of: relation).requiredField(fieldName)
        return .related(
            relationName, exists: true, Filter.compare(fieldName, .equal, values: [try value(field)]).and(other))
    }

    /// Parses `true` or `false` in a query parameter.
    func flag(_ text: String, _ name: String) throws -> Bool {
        switch text {
        case "true": return true
        case "false": return false
        default:
            throw ServiceError(
                .invalidParameter, "\(name) must be true or false", parameter: name, allowed: ["true", "false"])
        }
    }
}
