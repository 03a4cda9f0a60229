/// Walks literals without recursion. An array contains the open list and object literals.
extension DocumentWalker {
    /// An open list or object literal, with the state of the context that is restored after the literal.
    private struct OpenLiteral {
        let literal: Literal
        let inputType: GraphQLType?
        let parentInputType: GraphQLType?
        let defaultValue: Value?
        /// The fields of the input object type of the literal.
        let fields: NamedList<SchemaInputValue>?
        var next = 0
    }

    func walk(_ root: Literal) {
        var open: [OpenLiteral] = []
        enter(root, &open)
        while let last = open.indices.last {
            if !context.isAborted, let child = nextChild(&open[last]) {
                enter(child, &open)
                continue
            }
            let closed = open.removeLast()
            context.inputType = closed.inputType
            context.parentInputType = closed.parentInputType
            context.defaultValue = closed.defaultValue
            for visit in visitor.leaveLiteral { visit(closed.literal) }
        }
    }

    private func enter(_ literal: Literal, _ open: inout [OpenLiteral]) {
        for visit in visitor.enterLiteral { visit(literal) }
        var fields: NamedList<SchemaInputValue>?
        switch literal.kind {
        case .list: break
        case .object:
            if let type = context.inputType, case .inputObject(let input)? = context.schema[type] {
                fields = input.fields
            }
        default:
            for visit in visitor.leaveLiteral { visit(literal) }
            return
        }
        open.append(
            OpenLiteral(
                literal: literal, inputType: context.inputType, parentInputType: context.parentInputType,
                defaultValue: context.defaultValue, fields: fields))
        context.parentInputType = context.inputType
    }

    /// Returns the next literal inside an open literal, and updates the context.
    private func nextChild(_ open: inout OpenLiteral) -> Literal? {
        defer { open.next += 1 }
        switch open.literal.kind {
        case .list(let items):
            guard open.next < items.count else { return nil }
            if case .list(let itemType)? = open.inputType?.nullable {
                context.inputType = itemType
            } else {
                context.inputType = open.inputType?.nullable
            }
            context.parentInputType = open.inputType
            context.defaultValue = nil
            return items[open.next]
        case .object(let fields):
            guard open.next < fields.count else { return nil }
            let field = fields[open.next]
            let definition = open.fields?[field.name.value]
            context.inputType = definition?.type
            context.parentInputType = open.inputType
            context.defaultValue = definition?.defaultValue
            for visit in visitor.enterLiteralField { visit(field) }
            return field.value
        default: return nil
        }
    }
}
