import Synchronization
package import Tracing

/// A span of an ``OTLPTracer``. A span of a trace that is not recorded ignores all changes.
package final class OTLPSpan: Span {
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
    private static let maximumEvents = 128
    private static let maximumLinks = 128

    let trace: TraceContext
    let kind: SpanKind
    /// The start in nanoseconds since 1970.
    let start: UInt64
    private let parent: ServiceContext
    private let buffer: SpanBuffer
    private let state: Mutex<Content>

    init(
        trace: TraceContext, parent: ServiceContext, kind: SpanKind, start: UInt64, name: String, buffer: SpanBuffer
    ) {
        self.trace = trace
        self.parent = parent
        self.kind = kind
        self.start = start
        self.buffer = buffer
        state = Mutex(Content(name: name))
    }

    var content: Content { state.withLock { $0 } }

    /// The identifier of the parent span; nil for the first span of a trace.
    var parentID: UInt64? { parent.trace?.spanID }

    /// Changes the content of an active span.
    /// - Returns: The result of the closure; nil if the span is not recorded or has ended.
    @discardableResult
    private func update<Value: Sendable>(_ body: (inout sending Content) -> Value) -> Value? {
        guard trace.isSampled else { return nil }
        return state.withLock { $0.end == nil ? body(&$0) : nil }
    }

    // MARK: Span

    package var context: ServiceContext {
        var context = parent
        context.trace = trace
        return context
    }

    package var isRecording: Bool { update { _ in true } ?? false }

    package var operationName: String {
        get { update { $0.name } ?? "" }
        set { update { $0.name = newValue } }
    }

    package var attributes: SpanAttributes {
        get { update { $0.attributes } ?? [:] }
        set { update { $0.attributes = newValue } }
    }

    package func setStatus(_ status: SpanStatus) {
        // A status of success is final (OpenTelemetry specification, "Set Status").
        update { if $0.status?.code != .ok { $0.status = status } }
    }

    package func addEvent(_ event: SpanEvent) {
        update { if $0.events.count < Self.maximumEvents { $0.events.append(event) } }
    }

    package func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {
        guard trace.isSampled else { return }
        var attributes = attributes
        // The message is not recorded, because it can contain values.
        attributes["exception.type"] = String(reflecting: type(of: error))
        addEvent(SpanEvent(name: "exception", at: instant(), attributes: attributes))
    }

    package func addLink(_ link: SpanLink) {
        update { if $0.links.count < Self.maximumLinks { $0.links.append(link) } }
    }

    /// Ends the span, and adds it to the buffer.
    package func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        guard trace.isSampled else { return }
        let moment = instant().nanosecondsSinceEpoch
        // The clock can be set back.
        guard update({ $0.end = max(moment, start) }) != nil else { return }
        buffer.add(self)
    }
}
