/// Coerces the default values of a schema during its creation. A default value depends on the default values of the
/// input fields that it omits. Each value is coerced once, after the values on which it depends.
final class DefaultValueCoercion {
    private let schema: Schema
    private var started: Set<ObjectIdentifier> = []
    private var depth = 0

    init(schema: Schema) { self.schema = schema }

    func run(_ values: [SchemaInputValue]) {
        for value in values { _ = coerced(value) }
    }

    /// The maximum nesting depth of a default value, including the default values on which it depends.
    static let deepest = 100

    /// Returns the coerced default value. It is nil if the value cannot be coerced, depends on itself, or exceeds the
    /// maximum depth. Validation reports these errors.
    private func coerced(_ value: SchemaInputValue) -> Value? {
        if let literal = value.defaultLiteral, depth + literal.nesting <= Self.deepest,
            started.insert(ObjectIdentifier(value)).inserted
        {
            depth += literal.nesting
            defer { depth -= literal.nesting }
            value.defaultValue = try? schema.coerce(
                literal, to: value.type, variables: [:], defaultValue: { self.coerced($0) })
        }
        return value.defaultValue
    }
}

/// Finds default values of input fields that depend on themselves: InputObjectDefaultValueHasCycle (specification,
/// section 3.10). The default value of each field is visited once.
struct DefaultValueCycles {
    private var visited: Set<String> = []
    private var path: [(coordinate: String, field: SchemaInputValue)] = []
    private var places: [String: Int] = [:]
    private var depth = 0

    mutating func errors(from type: InputObjectType, in schema: Schema) -> [GraphQLError] {
        errors(in: Literal(.object([])), for: type, schema)
    }

    private mutating func errors(in literal: Literal, for type: InputObjectType, _ schema: Schema) -> [GraphQLError] {
        switch literal.kind {
        case .list(let items): return items.flatMap { errors(in: $0, for: type, schema) }
        case .object(let fields):
            let given = Dictionary(fields.map { ($0.name.value, $0.value) }, uniquingKeysWith: { first, _ in first })
            return type.fields.flatMap { field -> [GraphQLError] in
                guard case .inputObject(let fieldType)? = schema[field.type] else { return [] }
                if let value = given[field.name] { return errors(in: value, for: fieldType, schema) }
                return errors(inDefaultOf: field, "\(type.name).\(field.name)", fieldType, schema)
            }
        default: return []
        }
    }

    private mutating func errors(
        inDefaultOf field: SchemaInputValue, _ coordinate: String, _ type: InputObjectType, _ schema: Schema
    ) -> [GraphQLError] {
        guard let literal = field.defaultLiteral else { return [] }
        if let place = places[coordinate] {
            let between = path[(place + 1)...].map(\.coordinate)
            return [
                GraphQLError(
                    "Invalid circular reference. The default value of Input Object field \(coordinate) references itself"
                        + (between.isEmpty
                            ? "" : " via the default values of: \(between.joined(separator: ", "))") + ".",
                    locations: path[place...].compactMap { step in
                        step.field.definition?.location { $0.defaultValue?.range ?? $0.range }
                    })
            ]
        }
        if depth + literal.nesting > DefaultValueCoercion.deepest {
            return [
                GraphQLError(
                    "The default value of Input Object field \(coordinate) is nested too deeply, "
                        + "alone or inside other default values.",
                    locations: [field.definition?.location(\.range)].compactMap { $0 })
            ]
        }
        guard visited.insert(coordinate).inserted else { return [] }
        places[coordinate] = path.count
        path.append((coordinate, field))
        depth += literal.nesting
        let errors = errors(in: literal, for: type, schema)
        depth -= literal.nesting
        path.removeLast()
        places[coordinate] = nil
        return errors
    }
}
