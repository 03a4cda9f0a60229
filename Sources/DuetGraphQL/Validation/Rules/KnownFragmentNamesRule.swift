extension ValidationRule {
    /// Requires that the fragment of each spread exists (specification, section 5.5.2.1).
    public static let knownFragmentNames = ValidationRule("KnownFragmentNamesRule") { visitor, context in
        let usages = DocumentUsages.shared(in: &visitor, context: context)
        visitor.enterFragmentSpread.append { spread in
            guard usages.fragmentNumbers[spread.name.value] == nil else { return }
            context.report("Unknown fragment \"\(spread.name.value)\".", at: spread.name.range)
        }
    }
}
