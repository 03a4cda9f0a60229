internal import NIOCore

/// Records of `@defer` or `@stream` that are executed together, so that batch resolvers are called once for all of them.
struct DeferredJob: Sendable {
    var records: [IncrementalDataRecord]
    /// The deliveries each record belongs to.
    var deliveries: [[Int]]

    /// How many items of a list are sent at a time.
    private static let chunk = 64

    /// What became of a job.
    struct Outcome: Sendable {
        struct Part: Sendable {
            let record: IncrementalDataRecord
            let deliveries: [Int]
            /// The data or the items as JSON; nil if they are null where null is not allowed.
            let json: ByteBuffer?
            let errors: [ExecutionError]
            /// The rest of a list.
            let rest: IncrementalDataRecord?
        }

        let parts: [Part]
        /// What was put off while the job was done.
        let records: [IncrementalDataRecord]
    }

    /// Executes the records.
    func perform(_ operation: OperationContext) async throws(CancellationError) -> Outcome {
        var executor = FieldExecutor(operation, buffer: ByteBuffer())
        var rests: [IncrementalDataRecord?] = []
        for record in records {
            executor.beginValue(at: record.path)
            switch record.content {
            case .executionGroup(let fieldSet, let source):
                executor.endValue(isCompleted: executor.executeFields(of: fieldSet.selection, source))
                rests.append(nil)
            case .streamedItems(let items, let index, let field, let item):
                let (isCompleted, next) = executor.completeRemainingItems(
                    items, from: index, upTo: Self.chunk, item, field)
                executor.endValue(isCompleted: isCompleted)
                rests.append(
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
        let deferred = scheduler.takeIncrementalData()
        let errors = scheduler.errors
        var parts: [Outcome.Part] = []
        for (index, record) in records.enumerated() {
            let isNull = scheduler.isNull(firstPartValue: index)
            var json: ByteBuffer?
            if !isNull {
                var assembler = ResponseAssembler(scheduler.parts, into: ByteBuffer())
                assembler.append(SerializedValueReference(part: 0, value: index))
                json = assembler.output
            }
            let own = errors.filter { records.count == 1 || $0.path?.isAtOrBelow(record.path) == true }
            parts.append(
                Outcome.Part(
                    record: record, deliveries: deliveries[index], json: json, errors: own,
                    rest: isNull ? nil : rests[index]))
        }
        return Outcome(parts: parts, records: deferred)
    }
}
