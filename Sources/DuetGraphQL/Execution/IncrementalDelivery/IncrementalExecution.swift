internal import NIOCore

extension PlannedOperation {
    /// Executes the operation with incremental delivery of the fields with `@defer` and the lists with `@stream`.
    /// - Throws: `CancellationError` if the task is canceled. The response contains all other errors.
    package func executeIncrementally(
        variables: ObjectValue, rootValue: any Sendable, userContext: any Sendable, extensions: ObjectValue = [:]
    ) async throws(CancellationError) -> IncrementalResponse {
        let operation: OperationContext
        do {
            operation = try executionContext(variables, userContext, deliversIncrementally: true)
        } catch {
            return .single(GraphQLResponse(requestErrors: error))
        }
        var (initial, records) = try await operation.execute(rootValue, extensions)
        if records.isEmpty { return .single(initial) }
        // The cache policy covers only the initial result. Subsequent results can have errors, and a response with
        // errors must not be cached.
        initial.cachePolicy = nil
        var delivery = IncrementalDelivery()
        delivery.add(records)
        var writer = ResponseWriter(initial.body)
        writer.json.buffer.moveWriterIndex(to: writer.json.buffer.writerIndex - 1)
        writer.json.write(raw: ",")
        delivery.writePending(&writer)
        writer.json.write(raw: "\"hasNext\":true}")
        initial.body = writer.json.buffer
        return .incremental(initial: initial, subsequent: IncrementalResults(delivery, operation))
    }
}

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

/// A part of the response that is executed after the initial result: deferred fields of an object, or the remaining
/// items of a list with `@stream`.
struct IncrementalDataRecord: Sendable {
    enum Content: Sendable {
        /// The fields of one object that are deferred by the same `@defer` directives.
        case executionGroup(DeferredFieldSet, source: any Sendable)
        /// The items of a list with `@stream`, beginning at an index.
        case streamedItems(RemainingItems, index: Int, field: PlannedField, item: PlannedOutput)
    }

    let content: Content
    /// The response position of the object or the list; nil for the root.
    let path: ResponsePath?
    /// The index of the innermost enclosing nullable position, in the response part that contains the record; -1 if
    /// none exists.
    let nullablePosition: Int
    /// The index of the enclosing value, in the response part that contains the record.
    let value: Int
}

/// The remaining items of a list. Only one task at a time reads them.
final class RemainingItems: @unchecked Sendable {
    private let nextItem: () throws -> ResolvedValue?
    /// The next item, if it was already read.
    private var first: ResolvedValue?

    init(first: ResolvedValue, _ next: @escaping () throws -> ResolvedValue?) {
        self.first = first
        nextItem = next
    }

    func next() throws -> ResolvedValue? {
        if let item = first {
            first = nil
            return item
        }
        return try nextItem()
    }
}
