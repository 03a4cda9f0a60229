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
