import Synchronization

/// The ended spans that wait for their export. If the buffer is full, further spans are dropped.
final class SpanBuffer: Sendable {
    private struct State {
        var spans: [OTLPSpan] = []
        var dropped = 0
    }

    /// The maximum number of spans of one export.
    let batchSize: Int
    private let capacity: Int
    private let state = Mutex(State())
    /// Receives an element when the buffer has a whole batch.
    let batches: AsyncStream<Void>
    private let batchSignal: AsyncStream<Void>.Continuation

    init(capacity: Int = 8192, batchSize: Int = 512) {
        self.capacity = capacity
        self.batchSize = batchSize
        (batches, batchSignal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func add(_ span: OTLPSpan) {
        let isBatch = state.withLock { state in
            guard state.spans.count < capacity else {
                state.dropped += 1
                return false
            }
            state.spans.append(span)
            return state.spans.count == batchSize
        }
        if isBatch { signal() }
    }

    /// Lets ``batches`` receive an element.
    func signal() { batchSignal.yield() }

    /// Removes and returns at most one batch, in the order of the ends.
    func takeBatch() -> [OTLPSpan] {
        state.withLock { state in
            guard state.spans.count > batchSize else {
                defer { state.spans = [] }
                return state.spans
            }
            defer { state.spans.removeFirst(batchSize) }
            return Array(state.spans.prefix(batchSize))
        }
    }

    /// Returns the number of spans that were dropped since the last call.
    func takeDropped() -> Int {
        state.withLock { state in
            defer { state.dropped = 0 }
            return state.dropped
        }
    }
}
