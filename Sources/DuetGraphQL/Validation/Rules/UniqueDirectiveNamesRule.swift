extension ValidationRule {
    /// Requires that directive names are unique (specification, section 3.3).
    public static let uniqueDirectiveNames = ValidationRule("UniqueDirectiveNamesRule") { visitor, context in
        var known: [String: Name] = [:]
        visitor.enterDefinition.append { definition in
            guard case .directive(let directive) = definition else { return }
            let name = directive.name
            if context.hasSchema, context.schema.directive(named: name.value) != nil {
                context.report(
                    "Directive \"@\(name.value)\" already exists in the schema. It cannot be redefined.",
                    at: name.range)
            } else if let first = known[name.value] {
                context.report(
                    "There can be only one directive named \"@\(name.value)\".", at: first.range, name.range)
            } else {
                known[name.value] = name
            }
        }
    }
}
