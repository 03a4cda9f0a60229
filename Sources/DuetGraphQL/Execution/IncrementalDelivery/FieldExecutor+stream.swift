// Lists with `@stream` (incremental delivery).

extension FieldExecutor {
    static func iterator(over value: ResolvedValue) -> (() throws -> ResolvedValue?)? {
        switch value {
        case .list(let values): ResolvedSequence(values) { $0 }.makeIterator()
        case .sequence(let sequence): sequence.makeIterator()
        case .value(.list(let values)): ResolvedSequence(values) { ResolvedValue($0) }.makeIterator()
        default: nil
        }
    }

    /// Writes the first `initialCount` items of a list, and adds a record of the remaining items.
    @inline(never)
    mutating func completeInitialItems(
        _ next: @escaping () throws -> ResolvedValue?, _ item: PlannedOutput, _ field: PlannedField,
        _ stream: StreamUsage
    ) -> Bool {
        var index = 0
        let isCompleted = completeItems(item, field) {
            guard index < stream.initialCount else { return nil }
            index += 1
            return try next()
        }
        guard isCompleted, index == stream.initialCount else { return isCompleted }
        do {
            guard let first = try next() else { return true }
            let items = RemainingItems(first: first, next)
            incrementalData.append(
                IncrementalDataRecord(
                    content: .streamedItems(items, index: index, field: field, item: item), path: path.current(),
                    nullablePosition: currentNullablePosition(), value: values.count - 1))
        } catch {
            addError(error)
            return false
        }
        return true
    }

    /// Writes at most `count` of the remaining items, as a list.
    /// - Parameter start: The index of the first item.
    /// - Returns: `isCompleted` is false if null propagates. `next` is the index of the next item; nil if the list has
    ///   no more items.
    mutating func completeRemainingItems(
        _ items: RemainingItems, from start: Int, upTo count: Int, _ item: PlannedOutput, _ field: PlannedField
    ) -> (isCompleted: Bool, next: Int?) {
        var index = start
        let isCompleted = completeItems(item, field, from: start) {
            guard index < start + count else { return nil }
            index += 1
            return try items.next()
        }
        return (isCompleted, index == start + count ? index : nil)
    }
}
