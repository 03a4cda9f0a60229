extension ValidationRule {
    /// Requires that the arguments of fields and directives are defined (specification, section 5.4.1).
    public static let knownArgumentNames = ValidationRule("KnownArgumentNamesRule") { visitor, context in
        knownArgumentNamesOnDirectives.register(&visitor, context)
        visitor.enterArgument.append { argument in
            guard context.argument == nil, !context.isInDirective,
                let field = context.fieldDefinition, let type = context.parentType
            else { return }
            context.report(
                "Unknown argument \"\(argument.name.value)\" on field \"\(type.name).\(field.name)\"."
                    + context.didYouMean(argument.name.value, among: field.arguments.map(\.name)),
                at: argument.range)
        }
    }
}
