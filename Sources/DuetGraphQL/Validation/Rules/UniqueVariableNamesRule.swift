extension ValidationRule {
    /// Requires that each variable of an operation is defined once (specification, section 5.8.1).
    public static let uniqueVariableNames = ValidationRule("UniqueVariableNamesRule") { visitor, context in
        visitor.enterOperation.append { operation in
            for names in operation.variableDefinitions.repeatedNames(\.variable.name) {
                context.report(
                    "There can be only one variable named \"$\(names[0].value)\".", at: names.map(\.range))
            }
        }
    }
}
