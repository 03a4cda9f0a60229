extension Resource {
    /// Returns the names of the parameters that a write of the resource needs: those of its condition and of its rules.
    func parameters(of kind: Change.Kind) -> Set<String> {
        var conditions = [condition]
        var set: [String: Operand] = [:]
        switch kind {
        case .insert:
            conditions.append(writes.create?.check ?? .everything)
            set = writes.create?.set ?? [:]
        case .update:
            conditions += [writes.update?.condition ?? .everything, writes.update?.check ?? .everything]
            set = writes.update?.set ?? [:]
        case .delete: conditions.append(writes.delete?.condition ?? .everything)
        // It is not known before the change which of the rules apply.
        case .replace, .upsert: break
        }
        let operands = set.values.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
        return Set(conditions.flatMap(\.parameters) + operands)
    }
}
