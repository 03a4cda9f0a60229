extension ValidationRule {
    /// Requires that type names are unique (specification, section 3.3).
    public static let uniqueTypeNames = ValidationRule("UniqueTypeNamesRule") { visitor, context in
        var known: [String: Name] = [:]
        visitor.enterDefinition.append { definition in
            guard case .type(let type) = definition else { return }
            let name = type.name
            if context.hasSchema, context.schema.type(named: name.value) != nil {
                context.report(
                    "Type \"\(name.value)\" already exists in the schema. "
                        + "It cannot also be defined in this type definition.", at: name.range)
            } else if let first = known[name.value] {
                context.report("There can be only one type named \"\(name.value)\".", at: first.range, name.range)
            } else {
                known[name.value] = name
            }
        }
    }
}
