extension ValidationRule {
    /// Requires that fields with the same response name can be merged (specification, section 5.3.2). The values of
    /// these fields must have the same shape. If the fields can apply to the same object, they must be the same field
    /// with the same arguments. A field with `@stream` cannot be merged with any other field (incremental delivery
    /// draft).
    ///
    /// First, `MergeCheck` determines if the document has a conflict. It compares sets of fields, and not all pairs. If
    /// there is a conflict, `ConflictSearch` locates it by comparing pairs of fields, according to the algorithm of the
    /// specification.
    public static let overlappingFieldsCanBeMerged = ValidationRule("OverlappingFieldsCanBeMergedRule") {
        visitor, context in
        var table = SelectionTable(usages: DocumentUsages.shared(in: &visitor, context: context))
        visitor.enterOperation.append { _ in table.enterDefinition(fragment: nil) }
        visitor.enterFragment.append { table.enterDefinition(fragment: $0.name.value) }
        visitor.enterSelectionSet.append { _ in
            table.enterSelectionSet(
                parentType: context.position.parentType, isObject: context.parentType?.isObject ?? false,
                place: context.reservePlace())
        }
        visitor.leaveSelectionSet.append { _ in table.leaveSelectionSet() }
        visitor.enterField.append { table.enterField($0, definition: context.fieldDefinition) }
        visitor.enterInlineFragment.append { _ in table.enterInlineFragment() }
        visitor.enterFragmentSpread.append { table.addSpread($0.name.value) }
        visitor.leaveDocument.append {
            guard !context.isAborted else { return }
            var check = MergeCheck(table: table, context: context)
            guard let conflict = check.firstConflict() else { return }
            var search = ConflictSearch(table: table, context: context)
            if search.reportConflicts() == 0 { search.report(conflict) }
        }
    }
}

extension NamedType {
    fileprivate var isObject: Bool {
        if case .object = self { return true }
        return false
    }
}
