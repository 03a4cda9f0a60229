internal import NIOCore

/// The execution of incremental data records. Records of different objects with the same deferred fields are executed
/// together, so that a batch resolver is called once for all these objects.
struct IncrementalExecution: Sendable {
    var records: [IncrementalDataRecord]
    /// For each record, the indices of its delivery groups in ``IncrementalDelivery/groups``.
    var deliveryGroups: [[Int]]

    /// The maximum number of streamed items in one result.
    private static let maximumItems = 64

    struct Outcome: Sendable {
        let completedRecords: [CompletedRecord]
        /// The new records, for data that is deferred or streamed inside the executed records.
        let newRecords: [IncrementalDataRecord]
    }

    struct CompletedRecord: Sendable {
        let record: IncrementalDataRecord
        let deliveryGroups: [Int]
        /// The JSON of `data` or `items`; nil if null propagates out of the record.
        let json: ByteBuffer?
        let errors: [ExecutionError]
        /// The record of a streamed list's remaining items; nil if no items remain.
        let remainder: IncrementalDataRecord?
    }

    /// Executes the records.
    func execute(_ operation: OperationContext) async throws(CancellationError) -> Outcome {
        var executor = FieldExecutor(operation, buffer: ByteBuffer())
        var remainders: [IncrementalDataRecord?] = []
        for record in records {
            executor.beginValue(at: record.path)
            switch record.content {
            case .executionGroup(let fieldSet, let source):
                executor.endValue(isCompleted: executor.executeCollectedFields(of: fieldSet.selection, source))
                remainders.append(nil)
            case .streamedItems(let items, let index, let field, let item):
                let (isCompleted, next) = executor.completeRemainingItems(
                    items, from: index, upTo: Self.maximumItems, item, field)
                executor.endValue(isCompleted: isCompleted)
                remainders.append(
                    next.map {
                        IncrementalDataRecord(
                            content: .streamedItems(items, index: $0, field: field, item: item), path: record.path,
                            nullablePosition: -1, value: 0)
                    })
            }
        }
        let scheduler = ResolverScheduler(operation)
        scheduler.addFirstPart(executor.finish())
        try await scheduler.run()
        let newRecords = scheduler.takeIncrementalData()
        let errors = scheduler.errors
        var completed: [CompletedRecord] = []
        for (index, record) in records.enumerated() {
            let isNull = scheduler.isNull(firstPartValue: index)
            var json: ByteBuffer?
            if !isNull {
                var assembler = ResponseAssembler(scheduler.parts, into: ByteBuffer())
                assembler.append(SerializedValueReference(part: 0, value: index))
                json = assembler.output
            }
            let own = errors.filter { records.count == 1 || $0.path?.isAtOrBelow(record.path) == true }
            completed.append(
                CompletedRecord(
                    record: record, deliveryGroups: deliveryGroups[index], json: json, errors: own,
                    remainder: isNull ? nil : remainders[index]))
        }
        return Outcome(completedRecords: completed, newRecords: newRecords)
    }
}
