extension ValidationRule {
    /// Requires that directives are defined and occur at valid locations (specification, sections 5.7.1 and 5.7.2).
    public static let knownDirectives = ValidationRule("KnownDirectivesRule") { visitor, context in
        let defined = context.document.definitions.definedDirectives(\.locations)
        visitor.enterDirective.append { directive, location in
            guard let known = defined?[directive.name.value] ?? context.directive?.locations else {
                context.report("Unknown directive \"@\(directive.name.value)\".", at: directive.range)
                return
            }
            if !known.contains(location) {
                context.report(
                    "Directive \"@\(directive.name.value)\" may not be used on \(location.rawValue).",
                    at: directive.range)
            }
        }
    }
}
