import Synchronization
import Tracing

/// The content of a recorded span.
final class SpanRecord: Sendable {
    /// The part of a span that can change until its end.
    struct Content: Sendable {
        var name: String
        var attributes: SpanAttributes = [:]
        var status: SpanStatus?
        var events: [SpanEvent] = []
        var links: [SpanLink] = []
        /// The end in nanoseconds since 1970; nil while the span is active.
        var end: UInt64?
    }

    /// The limits of OpenTelemetry's SDK specification ("Span Limits").
    static let maximumEvents = 128
    static let maximumLinks = 128

    let trace: TraceContext
    let parentID: UInt64?
    let kind: SpanKind
    /// The start in nanoseconds since 1970.
    let start: UInt64
    private let buffer: SpanBuffer
    private let state: Mutex<Content>

    init(
        trace: TraceContext, parentID: UInt64?, kind: SpanKind, start: UInt64, name: String, buffer: SpanBuffer
    ) {
        self.trace = trace
        self.parentID = parentID
        self.kind = kind
        self.start = start
        self.buffer = buffer
        state = Mutex(Content(name: name))
    }

    var content: Content { state.withLock { $0 } }

    var isRecording: Bool { state.withLock { $0.end == nil } }

    /// Changes the content of an active span.
    /// - Returns: The result of the closure; nil if the span has ended.
    func update<Value: Sendable>(_ body: (inout sending Content) -> Value) -> Value? {
        state.withLock { $0.end == nil ? body(&$0) : nil }
    }

    /// Ends the span, and adds it to the buffer.
    func end(at moment: UInt64) {
        let isFirst = state.withLock { content in
            guard content.end == nil else { return false }
            // The clock can be set back.
            content.end = max(moment, start)
            return true
        }
        if isFirst { buffer.add(self) }
    }
}

/// The ended spans that wait for their export. If the buffer is full, further spans are dropped.
final class SpanBuffer: Sendable {
    private struct State {
        var spans: [SpanRecord] = []
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

    func add(_ span: SpanRecord) {
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
    func takeBatch() -> [SpanRecord] {
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
