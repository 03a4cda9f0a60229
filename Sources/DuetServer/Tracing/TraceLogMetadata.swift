package import Logging
import Tracing

extension Logger.MetadataProvider {
    /// Adds the identifiers of the current trace and span of an ``OTLPTracer`` to log lines.
    package static let trace = Logger.MetadataProvider {
        guard let trace = ServiceContext.current?.trace else { return [:] }
        return ["trace_id": "\(trace.traceID)", "span_id": "\(Hexadecimal.text(trace.spanID))"]
    }
}
