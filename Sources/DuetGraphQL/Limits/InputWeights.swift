/// The weights of the fields of input objects.
///
/// Each given field of an input object costs its weight, also if its value is empty. A null value costs nothing. The
/// table contains only the input objects that have a field with a weight, at any depth.
struct InputWeights: Sendable, Hashable {
    private struct Field: Hashable {
        var weight: Double
        /// The name of the field's type, without lists and non-null types.
        let type: String
    }

    /// The fields with a weight, or with an input object of the table, by the names of the type and of the field.
    private var fields: [String: [String: Field]] = [:]

    /// True if no field has a weight.
    var isEmpty: Bool { fields.isEmpty }

    /// Creates a table without weights.
    init() {}

    /// - Parameter weight: A closure that returns the weight of a field; nil if it is not specified.
    init(_ schema: Schema, weight: (SchemaInputValue) -> Double?) {
        var all: [String: [String: Field]] = [:]
        var users: [String: [String]] = [:]
        var open: [String] = []
        for case .inputObject(let type) in schema.types {
            for field in type.fields {
                let own = weight(field)
                let target = field.type.typeName.name
                all[type.name, default: [:]][field.name] = Field(weight: own ?? 0, type: target)
                users[target, default: []].append(type.name)
                if own != nil { open.append(type.name) }
            }
        }
        var known: Set<String> = []
        while let type = open.popLast() {
            if known.insert(type).inserted { open += users[type] ?? [] }
        }
        for type in known {
            fields[type] = all[type]?.filter { $0.value.weight != 0 || known.contains($0.value.type) }
        }
    }

    /// Returns true if values of the type can have a cost.
    func contains(_ type: String) -> Bool { fields[type] != nil }

    /// Returns the cost of a literal.
    /// - Parameters:
    ///   - type: The name of the type of the argument or field that has the value.
    ///   - variables: The variables in the literal, with the names of their types, are added to it.
    func weight(
        of literal: Literal, _ type: String, _ variables: inout [(name: String, type: String)]
    ) -> Double {
        guard let known = fields[type] else { return 0 }
        switch literal.kind {
        case .variable(let name):
            variables.append((name.value, type))
            return 0
        case .list(let elements):
            return elements.reduce(0) { $0 + weight(of: $1, type, &variables) }
        case .object(let members):
            return members.reduce(0) { sum, member in
                guard let field = known[member.name.value] else { return sum }
                if case .null = member.value.kind { return sum }
                return sum + field.weight + weight(of: member.value, field.type, &variables)
            }
        case .int, .float, .string, .boolean, .null, .enum: return 0
        }
    }

    /// Returns the cost of a coerced value.
    func weight(of value: Value, _ type: String) -> Double {
        guard let known = fields[type] else { return 0 }
        switch value {
        case .list(let elements): return elements.reduce(0) { $0 + weight(of: $1, type) }
        case .object(let object):
            return object.reduce(0) { sum, member in
                guard let field = known[member.name], member.value != .null else { return sum }
                return sum + field.weight + weight(of: member.value, field.type)
            }
        default: return 0
        }
    }
}
