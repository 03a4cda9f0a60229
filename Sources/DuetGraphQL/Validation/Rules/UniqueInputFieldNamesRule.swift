extension ValidationRule {
    /// Requires that an input object literal has each field at most once (specification, section 5.6.3).
    public static let uniqueInputFieldNames = ValidationRule("UniqueInputFieldNamesRule") { visitor, context in
        visitor.enterLiteral.append { literal in
            guard case .object(let fields) = literal.kind else { return }
            for names in fields.repeatedNames(\.name) {
                for name in names.dropFirst() {
                    context.report(
                        "There can be only one input field named \"\(name.value)\".", at: names[0].range, name.range)
                }
            }
        }
    }
}
