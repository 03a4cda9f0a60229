internal import NIOCore

/// Records of `@defer` or `@stream` that are executed together, so that batch resolvers are called once for all of them.
struct DeferredJob: Sendable {
    var records: [DeferredRecord]
    /// The deliveries each record belongs to.
    var deliveries: [[Int]]

    /// How many items of a list are sent at a time.
    private static let chunk = 64

    /// What became of a job.
    struct Outcome: Sendable {
        struct Part: Sendable {
            let record: DeferredRecord
            let deliveries: [Int]
            /// The data or the items as JSON; nil if they are null where null is not allowed.
            let json: ByteBuffer?
            let errors: [FieldError]
            /// The rest of a list.
            let rest: DeferredRecord?
        }

        let parts: [Part]
        /// What was put off while the job was done.
        let records: [DeferredRecord]
    }

    /// Executes the records.
    func perform(_ operation: OperationContext) async throws(CancellationError) -> Outcome {
        var writer = SegmentWriter(operation, buffer: ByteBuffer())
        var rests: [DeferredRecord?] = []
        for record in records {
            writer.beginPiece(at: record.path)
            switch record.work {
            case .fields(let fields, let source):
                writer.endPiece(stands: writer.write(fields.selection, of: source))
                rests.append(nil)
            case .items(let items, let index, let field, let item):
                let (stands, next) = writer.write(items, from: index, upTo: Self.chunk, item, field)
                writer.endPiece(stands: stands)
                rests.append(
                    next.map {
                        DeferredRecord(
                            work: .items(items, index: $0, field: field, item: item), path: record.path, region: -1,
                            piece: 0)
                    })
            }
        }
        let scheduler = HoleScheduler(operation)
        scheduler.add(writer.finish())
        try await scheduler.run()
        let deferred = scheduler.takeDeferred()
        let errors = scheduler.errors
        var parts: [Outcome.Part] = []
        for (index, record) in records.enumerated() {
            let isNull = scheduler.isNull(segment: 0, piece: index)
            var json: ByteBuffer?
            if !isNull {
                var splicer = Splicer(scheduler.segments, into: ByteBuffer())
                splicer.append(segment: 0, piece: index)
                json = splicer.output
            }
            let own = errors.filter { records.count == 1 || $0.path?.isAt(record.path) == true }
            parts.append(
                Outcome.Part(
                    record: record, deliveries: deliveries[index], json: json, errors: own,
                    rest: isNull ? nil : rests[index]))
        }
        return Outcome(parts: parts, records: deferred)
    }
}

extension ResponsePath {
    /// Whether it is that path, or below it.
    func isAt(_ other: ResponsePath?) -> Bool {
        guard let other else { return true }
        var path: ResponsePath? = self
        while let current = path, current.depth >= other.depth {
            if current === other { return true }
            path = current.parent
        }
        return false
    }

    /// The path of the object that a planned field gave, with its place in lists; nil for the root.
    func object(of place: PlanPosition?) -> ResponsePath? {
        guard let place else { return nil }
        var path: ResponsePath? = self
        while let current = path {
            if current.field?.planPosition === place { return current }
            path = current.parent
        }
        return nil
    }
}

extension SegmentWriter {
    /// Some items of a list, as a list.
    /// - Returns: whether they may stand; the index to go on from, if there are more.
    mutating func write(
        _ items: RemainingItems, from start: Int, upTo count: Int, _ item: PlannedOutput, _ field: PlannedField
    ) -> (stands: Bool, next: Int?) {
        var index = start
        let stands = writeItems(item, field, from: start) {
            guard index < start + count else { return nil }
            index += 1
            return try items.next()
        }
        return (stands, index == start + count ? index : nil)
    }
}
