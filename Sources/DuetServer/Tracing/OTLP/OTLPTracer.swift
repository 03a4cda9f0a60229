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
            (trace, isSampled) = (parent, parent.isSampled)
            if isSampled { trace.spanID = identifiers.spanID() }
        } else {
            let identifier = identifiers.traceID()
            isSampled = sampler.isSampled(identifier)
            trace = TraceContext(traceID: identifier, spanID: identifiers.spanID(), isSampled: isSampled)
        }
        return OTLPSpan(
            trace: trace, parent: context, kind: kind, start: isSampled ? instant().nanosecondsSinceEpoch : 0,
            name: operationName, buffer: buffer)
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
