extension ValidationRule {
    /// Requires that all required arguments of directives are provided (specification, section 5.4.3).
    public static let providedRequiredArgumentsOnDirectives = ValidationRule(
        "ProvidedRequiredArgumentsOnDirectivesRule"
    ) { visitor, context in
        let defined = context.document.definitions.definedDirectives { directive in
            directive.arguments.filter { $0.type.isNonNull && $0.defaultValue == nil }
                .map { ($0.name.value, "\($0.type)") }
        }
        // The check runs when the walk leaves the directive, so that errors inside the directive are reported first.
        visitor.leaveDirective.append { directive, _ in
            func check(_ name: String, _ type: @autoclosure () -> String) {
                if directive.arguments.contains(where: { $0.name.value == name }) { return }
                context.report(
                    "Directive \"@\(directive.name.value)\" argument \"\(name)\" of type \"\(type())\" is required, "
                        + "but it was not provided.", at: directive.range)
            }
            if let required = defined?[directive.name.value] {
                for (name, type) in required { check(name, type) }
            } else if let definition = context.directive {
                for argument in definition.arguments where argument.isRequired {
                    check(argument.name, "\(argument.type)")
                }
            }
        }
    }
}
