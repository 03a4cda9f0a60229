extension ValidationRule {
    /// Requires that each value of an enum and its extensions is defined once (specification, section 3.9).
    public static let uniqueEnumValueNames = ValidationRule("UniqueEnumValueNamesRule") { visitor, context in
        var known: [String: [String: Name]] = [:]
        visitor.enterDefinition.append { definition in
            guard let type = definition.typeDefinition, type.kind == .enum else { return }
            var existing: NamedList<SchemaEnumValue> = []
            if case .enum(let type)? = context.schema.type(named: type.name.value) { existing = type.values }
            for value in type.values {
                let coordinate = "\(type.name.value).\(value.name.value)"
                if existing[value.name.value] != nil {
                    context.report(
                        "Enum value \"\(coordinate)\" already exists in the schema. "
                            + "It cannot also be defined in this type extension.", at: value.name.range)
                } else if let first = known[type.name.value]?[value.name.value] {
                    context.report(
                        "Enum value \"\(coordinate)\" can only be defined once.", at: first.range, value.name.range)
                } else {
                    known[type.name.value, default: [:]][value.name.value] = value.name
                }
            }
        }
    }
}
