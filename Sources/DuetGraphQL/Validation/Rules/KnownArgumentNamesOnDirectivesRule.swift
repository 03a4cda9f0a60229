extension ValidationRule {
    /// Requires that the arguments of directives are defined (specification, section 5.4.1).
    public static let knownArgumentNamesOnDirectives = ValidationRule("KnownArgumentNamesOnDirectivesRule") {
        visitor, context in
        let defined = context.document.definitions.definedDirectives { Set($0.arguments.map(\.name.value)) }
        visitor.enterDirective.append { directive, _ in
            guard !directive.arguments.isEmpty else { return }
            let inDocument = defined?[directive.name.value]
            guard inDocument != nil || context.directive != nil else { return }
            for argument in directive.arguments {
                let name = argument.name.value
                if inDocument?.contains(name) ?? (context.directive?.arguments[name] != nil) { continue }
                let known = inDocument?.sorted() ?? context.directive?.arguments.map(\.name) ?? []
                context.report(
                    "Unknown argument \"\(name)\" on directive \"@\(directive.name.value)\"."
                        + context.didYouMean(name, among: known), at: argument.range)
            }
        }
    }
}
