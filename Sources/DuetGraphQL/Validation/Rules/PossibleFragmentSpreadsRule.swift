extension ValidationRule {
    /// Requires that a fragment is spread only where an object can have both the type of the fragment and the parent
    /// type (specification, section 5.5.2.3).
    public static let possibleFragmentSpreads = ValidationRule("PossibleFragmentSpreadsRule") { visitor, context in
        let usages = DocumentUsages.shared(in: &visitor, context: context)
        let fragmentTypes = usages.fragments.map { fragment in
            context.schema.type(named: fragment.typeCondition.value).flatMap { $0.isComposite ? $0 : nil }
        }
        visitor.enterInlineFragment.append { fragment in
            guard fragment.typeCondition != nil, let parent = context.parentType, let named = context.namedType,
                named.isComposite, !context.schema.overlap(named, parent)
            else { return }
            context.report(
                "Fragment cannot be spread here as objects of type \"\(parent.name)\" can never be of type "
                    + "\"\(named.name)\".", at: fragment.range)
        }
        visitor.enterFragmentSpread.append { spread in
            guard let number = usages.fragmentNumbers[spread.name.value], let parent = context.parentType,
                let type = fragmentTypes[Int(number)], !context.schema.overlap(type, parent)
            else { return }
            context.report(
                "Fragment \"\(spread.name.value)\" cannot be spread here as objects of type \"\(parent.name)\" can "
                    + "never be of type \"\(type.name)\".", at: spread.range)
        }
    }
}
