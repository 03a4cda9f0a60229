extension ValidationRule {
    /// Requires that each fragment is used by an operation, directly or through other fragments (specification, section
    /// 5.5.1.4).
    public static let noUnusedFragments = ValidationRule("NoUnusedFragmentsRule") { visitor, context in
        let usages = DocumentUsages.shared(in: &visitor, context: context)
        visitor.leaveDocument.append {
            let names = usages.fragmentsOfOperations()
            let place = context.reservePlace()
            for case .fragment(let fragment) in context.document.definitions {
                guard let number = usages.fragmentNumbers[fragment.name.value], !names[Int(number)] else { continue }
                context.report(
                    "Fragment \"\(fragment.name.value)\" is never used.", at: [fragment.range], place: place)
            }
        }
    }
}

extension DocumentUsages {
    /// Returns, for each fragment, true if an operation reaches it.
    fileprivate func fragmentsOfOperations() -> [Bool] {
        var isReached = Array(repeating: false, count: fragments.count)
        guard !fragments.isEmpty else { return isReached }
        var pending = operations.map(\.unit)
        while let unit = pending.popLast() {
            for position in units[unit].spreads {
                let fragment = Int(spreads[position].fragment)
                guard fragment >= 0, !isReached[fragment] else { continue }
                isReached[fragment] = true
                if fragmentUnits[fragment] >= 0 { pending.append(fragmentUnits[fragment]) }
            }
        }
        return isReached
    }
}
