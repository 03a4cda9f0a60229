/// Walks selection sets without recursion. An array contains the open selection sets, so a walk needs little stack at
/// any nesting depth.
extension DocumentWalker {
    /// An open selection set, with the position of the context that is restored after the selection set.
    private struct OpenSelectionSet {
        let selectionSet: SelectionSet
        var next = 0
        let outside: ValidationContext.Position
    }

    func walk(_ root: SelectionSet) {
        var open: [OpenSelectionSet] = []
        enter(root, outside: context.position, &open)
        while let last = open.indices.last {
            let next = open[last].next
            guard next < open[last].selectionSet.selections.count, !context.isAborted else {
                leave(&open)
                continue
            }
            open[last].next = next + 1
            let outside = context.position
            switch open[last].selectionSet.selections[next] {
            case .field(let field):
                enter(field)
                if let selectionSet = field.selectionSet {
                    enter(selectionSet, outside: outside, &open)
                } else {
                    for visit in visitor.leaveField { visit(field) }
                    context.position = outside
                }
            case .inlineFragment(let fragment):
                enter(fragment)
                enter(fragment.selectionSet, outside: outside, &open)
            case .fragmentSpread(let spread):
                for visit in visitor.enterFragmentSpread { visit(spread) }
                walk(spread.directives, .fragmentSpread)
            }
        }
    }

    private func enter(
        _ selectionSet: SelectionSet, outside: ValidationContext.Position, _ open: inout [OpenSelectionSet]
    ) {
        open.append(OpenSelectionSet(selectionSet: selectionSet, outside: outside))
        context.enterSelectionSet()
        for visit in visitor.enterSelectionSet { visit(selectionSet) }
    }

    /// Leaves the innermost selection set and the field that it belongs to.
    private func leave(_ open: inout [OpenSelectionSet]) {
        let closed = open.removeLast()
        for visit in visitor.leaveSelectionSet { visit(closed.selectionSet) }
        context.position.parentType = closed.outside.parentType
        if let outer = open.last, !visitor.leaveField.isEmpty,
            case .field(let field) = outer.selectionSet.selections[outer.next - 1]
        {
            for visit in visitor.leaveField { visit(field) }
        }
        context.position = closed.outside
    }

    /// Visits the parts of a field that precede its selection set.
    private func enter(_ field: Field) {
        let definition = context.parentType.flatMap { context.schema.field(named: field.name.value, on: $0) }
        context.enter(field: definition)
        for visit in visitor.enterField { visit(field) }
        if !field.arguments.isEmpty { walk(field.arguments, of: definition?.arguments) }
        if !field.directives.isEmpty { walk(field.directives, .field) }
    }

    /// Visits the parts of an inline fragment that precede its selection set.
    private func enter(_ fragment: InlineFragment) {
        if let condition = fragment.typeCondition {
            context.enter(type: conditionType(condition))
        } else {
            context.position.type = context.position.parentType
            context.position.isTypeOfField = false
        }
        for visit in visitor.enterInlineFragment { visit(fragment) }
        if let condition = fragment.typeCondition { walk(typeName: condition, isTypeSystem: false) }
        walk(fragment.directives, .inlineFragment)
    }
}
