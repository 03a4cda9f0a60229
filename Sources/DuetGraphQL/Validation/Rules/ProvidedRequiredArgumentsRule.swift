extension ValidationRule {
    /// The arguments that a field or directive requires are given (specification, section 5.4.3).
    public static let providedRequiredArguments = ValidationRule("ProvidedRequiredArgumentsRule") { visitor, context in
        providedRequiredArgumentsOnDirectives.register(&visitor, context)
        // On leaving, so that what is wrong inside the field is reported first.
        visitor.leaveField.append { field in
            guard let definition = context.fieldDefinition else { return }
            for argument in definition.arguments where argument.isRequired {
                if field.arguments.contains(where: { $0.name.value == argument.name }) { continue }
                context.report(
                    "Field \"\(definition.name)\" argument \"\(argument.name)\" of type \"\(argument.type)\" is "
                        + "required, but it was not provided.", at: field.range)
            }
        }
    }
}
