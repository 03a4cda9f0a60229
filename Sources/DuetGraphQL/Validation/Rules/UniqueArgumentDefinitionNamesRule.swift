extension ValidationRule {
    /// Requires that each argument of a field or directive is defined once (specification, sections 3.6.1 and 3.13).
    public static let uniqueArgumentDefinitionNames = ValidationRule("UniqueArgumentDefinitionNamesRule") {
        visitor, context in
        func check(_ arguments: [InputValueDefinition], of owner: String) {
            for names in arguments.map(\.name).repeated() {
                context.report(
                    "Argument \"\(owner)(\(names[0].value):)\" can only be defined once.", at: names.map(\.range))
            }
        }
        visitor.enterDefinition.append { definition in
            if case .directive(let directive) = definition {
                check(directive.arguments, of: "@\(directive.name.value)")
            } else if let type = definition.typeDefinition {
                for field in type.fields { check(field.arguments, of: "\(type.name.value).\(field.name.value)") }
            }
        }
    }
}
