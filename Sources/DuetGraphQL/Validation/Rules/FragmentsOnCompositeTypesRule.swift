extension ValidationRule {
    /// Requires that the type condition of a fragment is an object, interface or union type (specification, section
    /// 5.5.1.3).
    public static let fragmentsOnCompositeTypes = ValidationRule("FragmentsOnCompositeTypesRule") { visitor, context in
        func isLeaf(_ condition: Name) -> Bool {
            if context.namedType?.isComposite == true { return false }
            return context.schema.type(named: condition.value)?.isComposite == false
        }
        visitor.enterInlineFragment.append { fragment in
            guard let condition = fragment.typeCondition, isLeaf(condition) else { return }
            context.report(
                "Fragment cannot condition on non composite type \"\(condition.value)\".", at: condition.range)
        }
        visitor.enterFragment.append { fragment in
            guard isLeaf(fragment.typeCondition) else { return }
            context.report(
                "Fragment \"\(fragment.name.value)\" cannot condition on non composite type "
                    + "\"\(fragment.typeCondition.value)\".", at: fragment.typeCondition.range)
        }
    }
}
