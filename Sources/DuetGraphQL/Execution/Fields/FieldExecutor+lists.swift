internal import NIOCore

extension FieldExecutor {
    /// Writes a list.
    @inline(never)
    mutating func completeList(
        _ value: ResolvedValue, _ item: PlannedOutput, _ field: PlannedField, _ stream: StreamUsage?
    ) -> Bool {
        if let stream, let next = Self.iterator(over: value) { return completeInitialItems(next, item, field, stream) }
        // The function for each kind is not inlined. Inlined functions would reserve stack space for all kinds at each
        // level of nesting.
        switch value {
        case .list(let values): return completeArray(values, item, field)
        case .sequence(let sequence): return completeSequence(sequence, item, field)
        case .value(.list(let values)):
            return completeSequence(ResolvedSequence(values) { ResolvedValue($0) }, item, field)
        default: return failList(field)
        }
    }

    @inline(never)
    private mutating func failList(_ field: PlannedField) -> Bool {
        addError(
            CompletionError("Expected Iterable, but did not find one for field \"\(field.coordinate)\"."))
        return false
    }

    // MARK: - Items

    /// A fast path for arrays: no closure is called for an item, because the closure below is inlined.
    @inline(never)
    private mutating func completeArray(
        _ values: [ResolvedValue], _ item: PlannedOutput, _ field: PlannedField
    ) -> Bool {
        var index = 0
        return completeItems(item, field) {
            guard index < values.count else { return nil }
            index += 1
            return values[index - 1]
        }
    }

    /// A fast path for sequences with a count: one closure is called for each item, and no iterator is allocated.
    @inline(never)
    private mutating func completeSequence(
        _ sequence: ResolvedSequence, _ item: PlannedOutput, _ field: PlannedField
    ) -> Bool {
        guard case .indexed(let count, let get) = sequence.storage else {
            return completeIterator(sequence.makeIterator(), item, field)
        }
        var index = 0
        return completeItems(item, field) {
            guard index < count else { return nil }
            index += 1
            return try get(index - 1)
        }
    }

    @inline(never)
    private mutating func completeIterator(
        _ next: () throws -> ResolvedValue?, _ item: PlannedOutput, _ field: PlannedField
    ) -> Bool {
        completeItems(item, field, next)
    }

    /// Writes the items of a list and the brackets. It is inlined into the function for each kind of list.
    /// - Parameter start: The index of the first item.
    @inline(__always)
    mutating func completeItems(
        _ item: PlannedOutput, _ field: PlannedField, from start: Int = 0, _ next: () throws -> ResolvedValue?
    ) -> Bool {
        buffer.writeInteger(UInt8(ascii: "["))
        var index = start
        do {
            while let value = try next() {
                if index == start {
                    path.push(index: start)
                } else {
                    buffer.writeInteger(UInt8(ascii: ","))
                    path.replaceTop(index: index)
                }
                index += 1
                guard completeValue(value, item, field) else {
                    path.pop()
                    return false
                }
                itemCount &+= 1
                if itemCount & 0x3FF == 0, Task.isCancelled { isCancelled = true }
                if isCancelled { break }
            }
        } catch {
            if index > start { path.pop() }
            addError(error)
            return false
        }
        if index > start { path.pop() }
        buffer.writeInteger(UInt8(ascii: "]"))
        return true
    }
}
