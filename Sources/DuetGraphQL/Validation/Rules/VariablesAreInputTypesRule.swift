extension ValidationRule {
    /// Requires that variables have input types (specification, section 5.8.2).
    public static let variablesAreInputTypes = ValidationRule("VariablesAreInputTypesRule") { visitor, context in
        visitor.enterVariableDefinition.append { definition in
            guard context.inputType == nil, context.schema.type(definition.type) != nil else { return }
            context.report(
                "Variable \"$\(definition.variable.name.value)\" cannot be non-input type \"\(definition.type)\".",
                at: definition.type.range)
        }
    }
}
