extension ValidationRule {
    /// Requires that all required arguments of fields and directives are provided (specification, section 5.4.3).
    public static let providedRequiredArguments = ValidationRule("ProvidedRequiredArgumentsRule") { visitor, context in
        providedRequiredArgumentsOnDirectives.register(&visitor, context)
        // The check runs when the walk leaves the field, so that errors inside the field are reported first.
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
