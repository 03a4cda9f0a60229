extension ValidationRule {
    /// Requires that each field of a type and its extensions is defined once (specification, sections 3.6, 3.7 and
    /// 3.10).
    public static let uniqueFieldDefinitionNames = ValidationRule("UniqueFieldDefinitionNamesRule") {
        visitor, context in
        var known: [String: [String: Name]] = [:]
        visitor.enterDefinition.append { definition in
            guard let type = definition.typeDefinition else { return }
            let existing = context.schema.type(named: type.name.value)
            for name in type.fields.map(\.name) + type.inputFields.map(\.name) {
                let coordinate = "\(type.name.value).\(name.value)"
                if existing?.hasField(name.value) == true {
                    context.report(
                        "Field \"\(coordinate)\" already exists in the schema. "
                            + "It cannot also be defined in this type extension.", at: name.range)
                } else if let first = known[type.name.value]?[name.value] {
                    context.report("Field \"\(coordinate)\" can only be defined once.", at: first.range, name.range)
                } else {
                    known[type.name.value, default: [:]][name.value] = name
                }
            }
        }
    }
}

extension NamedType {
    /// Returns true if the type has a field with the name.
    fileprivate func hasField(_ name: String) -> Bool {
        if case .inputObject(let input) = self { return input.fields[name] != nil }
        return fields?[name] != nil
    }
}
