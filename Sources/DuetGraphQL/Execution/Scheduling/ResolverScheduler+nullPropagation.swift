// "Handling Execution Errors" (specification, section 6.4.4), for fields that complete after their enclosing part.

extension ResolverScheduler {
    /// Returns true if an enclosing response position became null. In this case, the field's value is not needed.
    func isNullified(_ reference: IncompleteFieldReference) -> Bool {
        let field = parts[reference.part].incompleteFields[reference.field]
        return isNullified(part: reference.part, nullablePosition: field.nullablePosition, value: field.value)
    }

    /// Returns true if the response position or an enclosing position became null.
    func isNullified(part: Int, nullablePosition: Int, value: Int) -> Bool {
        var (part, nullablePosition, value) = (part, nullablePosition, value)
        while true {
            while nullablePosition >= 0 {
                if parts[part].nullablePositions[nullablePosition].isNull { return true }
                nullablePosition = parts[part].nullablePositions[nullablePosition].parent
            }
            let current = parts[part].values[value]
            if current.isNull { return true }
            guard let completed = current.completedField else { return false }
            let field = parts[completed.part].incompleteFields[completed.field]
            (part, nullablePosition, value) = (completed.part, field.nullablePosition, field.value)
        }
    }

    /// Sets the innermost nullable position that contains the field to null, because null propagates from the field.
    func propagateNull(from reference: IncompleteFieldReference) {
        hasPropagatedNull = true
        var reference = reference
        while true {
            let field = parts[reference.part].incompleteFields[reference.field]
            if field.nullablePosition >= 0 {
                parts[reference.part].nullablePositions[field.nullablePosition].isNull = true
                return
            }
            parts[reference.part].values[field.value].isNull = true
            guard let completed = parts[reference.part].values[field.value].completedField else { return }
            reference = completed
        }
    }
}
