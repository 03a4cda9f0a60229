extension ValidationRule {
    /// Requires that fragment names are unique (specification, section 5.5.1.1).
    public static let uniqueFragmentNames = ValidationRule("UniqueFragmentNamesRule") { visitor, context in
        var known: [String: Name] = [:]
        visitor.enterFragment.append { fragment in
            let name = fragment.name
            if let first = known[name.value] {
                context.report(
                    "There can be only one fragment named \"\(name.value)\".", at: first.range, name.range)
            } else {
                known[name.value] = name
            }
        }
    }
}
