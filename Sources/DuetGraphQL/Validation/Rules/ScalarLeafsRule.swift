extension ValidationRule {
    /// Requires that fields of scalar and enum types have no selection set, and that all other fields have one
    /// (specification, section 5.3.3).
    public static let scalarLeafs = ValidationRule("ScalarLeafsRule") { visitor, context in
        visitor.enterField.append { field in
            guard let type = context.type, let named = context.namedType else { return }
            let name = field.name.value
            switch (named.isLeaf, field.selectionSet) {
            case (true, let selectionSet?):
                context.report(
                    "Field \"\(name)\" must not have a selection since type \"\(type)\" has no subfields.",
                    at: selectionSet.range)
            case (false, nil):
                context.report(
                    "Field \"\(name)\" of type \"\(type)\" must have a selection of subfields. "
                        + "Did you mean \"\(name) { ... }\"?", at: field.range)
            case (false, let selectionSet?) where selectionSet.selections.isEmpty:
                context.report(
                    "Field \"\(name)\" of type \"\(type)\" must have at least one field selected.", at: field.range)
            default: return
            }
        }
    }
}
