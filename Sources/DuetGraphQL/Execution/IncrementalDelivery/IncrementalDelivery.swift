/// The state of an incremental delivery: the deferred fragments and streams of a response, and the records that are not
/// yet executed.
struct IncrementalDelivery {
    /// A deferred fragment or a stream at one response position. It has one entry in `pending` and one in `completed`.
    struct DeliveryGroup {
        let path: ResponsePath?
        let label: String?
        /// The index of the delivery group of the enclosing deferred fragment. The enclosing fragment must complete
        /// first.
        let parent: Int?
        /// The number of incomplete records of the group.
        var incompleteRecords = 0
        /// True after a result contained the group in `pending`.
        var isPublished = false
        var isComplete = false
        /// The errors that made the group fail; nil if it did not fail.
        var errors: [GraphQLError]?
    }

    /// A record with the indices of its delivery groups.
    typealias GroupedRecord = (record: IncrementalDataRecord, groups: [Int])

    /// Identifies a deferred fragment.
    private struct FragmentKey: Hashable {
        let deferUsage: ObjectIdentifier
        let path: [PathElement]
    }

    var groups: [DeliveryGroup] = []
    private var indexOfFragment: [FragmentKey: Int] = [:]
    /// The records without an execution.
    private var waitingRecords: [GroupedRecord] = []
    private var readyExecutions: [IncrementalExecution] = []
    var runningExecutions = 0

    /// True if there are no further results.
    var isFinished: Bool { runningExecutions == 0 && readyExecutions.isEmpty && waitingRecords.isEmpty }

    // MARK: - Records

    /// Adds records, with their delivery groups.
    mutating func add(_ records: [IncrementalDataRecord]) {
        for record in records {
            switch record.content {
            case .executionGroup(let fieldSet, _):
                let indices = fieldSet.deferUsages.map { deferredFragment(of: $0, record) }
                for index in indices { groups[index].incompleteRecords += 1 }
                waitingRecords.append((record, indices))
            case .streamedItems(_, _, let field, _):
                groups.append(
                    DeliveryGroup(
                        path: record.path, label: field.stream?.label, parent: nil, incompleteRecords: 1))
                waitingRecords.append((record, [groups.count - 1]))
            }
        }
    }

    /// Adds the remaining items of a stream. They belong to the delivery group of the previous items.
    mutating func add(remainder: IncrementalDataRecord, groups: [Int]) { waitingRecords.append((remainder, groups)) }

    /// Returns the index of the delivery group of a record's deferred fragment. Adds the group if it does not exist.
    private mutating func deferredFragment(of usage: DeferUsage, _ record: IncrementalDataRecord) -> Int {
        let path = record.path?.object(of: usage.planPosition)
        let key = FragmentKey(deferUsage: ObjectIdentifier(usage), path: path?.elements ?? [])
        if let index = indexOfFragment[key] { return index }
        // A `@defer` that does not defer a field directly has no delivery group, so the parent is the nearest ancestor
        // that has a group.
        let parent = usage.ancestors.lazy.compactMap { [indexOfFragment] ancestor in
            indexOfFragment[
                FragmentKey(
                    deferUsage: ObjectIdentifier(ancestor),
                    path: record.path?.object(of: ancestor.planPosition)?.elements ?? [])]
        }.first
        indexOfFragment[key] = groups.count
        groups.append(DeliveryGroup(path: path, label: usage.label, parent: parent))
        return groups.count - 1
    }

    // MARK: - Executions

    /// Creates executions of the records that are ready. A record is ready if one of its delivery groups has no parent,
    /// or has a parent that completed without errors. Discards a record if all its delivery groups failed.
    /// - Returns: The indices of the newly pending delivery groups.
    mutating func releaseRecords() -> [Int] {
        var published: [Int] = []
        var remaining: [GroupedRecord] = []
        /// The indices of the executions, by their deferred fields.
        var executions: [ObjectIdentifier: Int] = [:]
        for (record, indices) in waitingRecords {
            if indices.allSatisfy({ hasFailed($0) }) { continue }
            let isReleased = indices.contains { index in
                groups[index].parent.map { groups[$0].isComplete && groups[$0].errors == nil } ?? true
            }
            guard isReleased else {
                remaining.append((record, indices))
                continue
            }
            for index in indices where !groups[index].isPublished && !hasFailed(index) {
                groups[index].isPublished = true
                published.append(index)
            }
            if case .executionGroup(let fieldSet, _) = record.content {
                if let index = executions[ObjectIdentifier(fieldSet)] {
                    readyExecutions[index].records.append(record)
                    readyExecutions[index].deliveryGroups.append(indices)
                    continue
                }
                executions[ObjectIdentifier(fieldSet)] = readyExecutions.count
            }
            readyExecutions.append(IncrementalExecution(records: [record], deliveryGroups: [indices]))
        }
        waitingRecords = remaining
        return published.sorted()
    }

    /// Returns true if the delivery group or an enclosing group failed.
    func hasFailed(_ index: Int) -> Bool {
        var index: Int? = index
        while let current = index {
            if groups[current].errors != nil { return true }
            index = groups[current].parent
        }
        return false
    }

    /// Returns the executions that the caller must start.
    mutating func takeExecutions() -> [IncrementalExecution] {
        defer { readyExecutions = [] }
        runningExecutions += readyExecutions.count
        return readyExecutions
    }
}
