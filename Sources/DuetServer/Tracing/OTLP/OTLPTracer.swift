package import Tracing

/// A tracer whose spans are sent to an OpenTelemetry collector by an ``OTLPExporter``.
package final class OTLPTracer: Tracer {
    private let sampler: TraceSampler
    private let identifiers = TraceIdentifiers()
    let buffer: SpanBuffer

    /// - Parameter sampleRatio: The share of new traces that are recorded, from 0 to 1.
    package convenience init(sampleRatio: Double) { self.init(sampleRatio: sampleRatio, buffer: SpanBuffer()) }

    init(sampleRatio: Double, buffer: SpanBuffer) {
        sampler = TraceSampler(ratio: sampleRatio)
        self.buffer = buffer
    }

    package func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> OTLPSpan {
        let context = context()
        let parent = context.trace
        let isSampled: Bool
        var trace: TraceContext
        if let parent {
            // The identifier of an unrecorded span would refer to nothing, so the caller's remains in the context.
            guard parent.isSampled else { return OTLPSpan(parent: context, trace: parent, record: nil) }
            (trace, isSampled) = (parent, true)
            trace.spanID = identifiers.spanID()
        } else {
            let identifier = identifiers.traceID()
            isSampled = sampler.isSampled(identifier)
            trace = TraceContext(traceID: identifier, spanID: identifiers.spanID(), isSampled: isSampled)
        }
        guard isSampled else { return OTLPSpan(parent: context, trace: trace, record: nil) }
        let record = SpanRecord(
            trace: trace, parentID: parent?.spanID, kind: kind, start: instant().nanosecondsSinceEpoch,
            name: operationName, buffer: buffer)
        return OTLPSpan(parent: context, trace: trace, record: record)
    }

    /// Does nothing, because the exporter sends the spans soon.
    package func forceFlush() {}

    package func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
        guard let parent = extractor.extract(key: "traceparent", from: carrier) else { return }
        guard let trace = TraceContext(parent: parent, state: extractor.extract(key: "tracestate", from: carrier))
        else { return }
        context.trace = trace
    }

    package func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let trace = context.trace else { return }
        injector.inject(trace.parent, forKey: "traceparent", into: &carrier)
        if let state = trace.state { injector.inject(state, forKey: "tracestate", into: &carrier) }
    }
}

/// A span of an ``OTLPTracer``.
package struct OTLPSpan: Span {
    private let parent: ServiceContext
    private let trace: TraceContext
    /// nil if the span is not recorded.
    private let record: SpanRecord?

    init(parent: ServiceContext, trace: TraceContext, record: SpanRecord?) {
        self.parent = parent
        self.trace = trace
        self.record = record
    }

    package var context: ServiceContext {
        var context = parent
        context.trace = trace
        return context
    }

    package var isRecording: Bool { record?.isRecording ?? false }

    package var operationName: String {
        get { record?.update { $0.name } ?? "" }
        nonmutating set { record?.update { $0.name = newValue } }
    }

    package var attributes: SpanAttributes {
        get { record?.update { $0.attributes } ?? [:] }
        nonmutating set { record?.update { $0.attributes = newValue } }
    }

    package func setStatus(_ status: SpanStatus) {
        // A status of success is final (OpenTelemetry specification, "Set Status").
        record?.update { if $0.status?.code != .ok { $0.status = status } }
    }

    package func addEvent(_ event: SpanEvent) {
        record?.update { if $0.events.count < SpanRecord.maximumEvents { $0.events.append(event) } }
    }

    package func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {
        guard record != nil else { return }
        var attributes = attributes
        // The message is not recorded, because it can contain values.
        attributes["exception.type"] = String(reflecting: type(of: error))
        addEvent(SpanEvent(name: "exception", at: instant(), attributes: attributes))
    }

    package func addLink(_ link: SpanLink) {
        record?.update { if $0.links.count < SpanRecord.maximumLinks { $0.links.append(link) } }
    }

    package func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        record?.end(at: instant().nanosecondsSinceEpoch)
    }
}
