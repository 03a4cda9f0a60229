extension ValidationRule {
    /// Requires that no argument is provided more than once (specification, section 5.4.2).
    public static let uniqueArgumentNames = ValidationRule("UniqueArgumentNamesRule") { visitor, context in
        func check(_ arguments: NodeList<Argument>) {
            for names in arguments.repeatedNames(\.name) {
                context.report(
                    "There can be only one argument named \"\(names[0].value)\".", at: names.map(\.range))
            }
        }
        visitor.enterField.append { check($0.arguments) }
        visitor.enterDirective.append { directive, _ in check(directive.arguments) }
    }
}
