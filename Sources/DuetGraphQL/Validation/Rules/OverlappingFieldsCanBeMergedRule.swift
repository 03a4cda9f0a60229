extension ValidationRule {
    /// Fields of one response name can be merged: they are the same field with the same arguments, or never apply to one object, and
    /// their values have one shape (specification, section 5.3.2).
    ///
    /// First ``MergeCheck`` finds out whether there is a conflict at all, in a time that hardly depends on how often fields and fragments
    /// are repeated. Only if there is one, ``ConflictSearch`` compares fields in pairs, as the specification's algorithm does, in order to
    /// say where.
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
