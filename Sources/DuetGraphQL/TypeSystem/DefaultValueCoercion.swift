/// Coerces the default values of a schema that is being made, each once, in whatever order they need one another.
final class DefaultValueCoercion {
    private let schema: Schema
    private var started: Set<ObjectIdentifier> = []
    private var depth = 0

    init(schema: Schema) { self.schema = schema }

    func run(_ values: [SchemaInputValue]) {
        for value in values { _ = coerced(value) }
    }

    /// How deep default values may be nested, in one literal or by way of one another.
    static let deepest = 100

    /// The coerced default value. One that cannot be coerced, that needs itself, or that needs too many others in a row is left
    /// out; validation reports it.
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
