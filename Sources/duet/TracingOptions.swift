import ArgumentParser
import DuetServer
import Logging
import ServiceLifecycle
import Tracing

/// The options of `duet serve` for traces.
struct TracingOptions: ParsableArguments {
    static let endpoint = Setting<String, String?>(
        "otlp-endpoint",
        "Base URL of an OpenTelemetry collector that receives traces over HTTP, such as http://localhost:4318. The variable \(headersVariable) contains further header fields (name=value,name=value); it has no option, because other users can read the command line",
        valueName: "url", default: nil, defaultText: "none; no traces", requirement: "a URL"
    ) { $0 }
    static let serviceName = Setting<String, String>(
        "otlp-service-name", "Name of the service in traces", valueName: "name", default: "duet", defaultText: "duet",
        requirement: "a name"
    ) { $0.isEmpty ? nil : $0 }
    static let sampleRatio = Setting<Double, Double>(
        "trace-sample-ratio",
        "Share of the requests without a traceparent whose spans are recorded; a request with a traceparent follows the decision of its client",
        default: 1, defaultText: "1", in: 0...1
    ) { $0 }

    /// The variable with the header fields for the collector. They can be secrets, which are never an option.
    private static let headersVariable = "DUET_OTLP_HEADERS"

    @Option(Self.endpoint) var otlpEndpoint: String?
    @Option(Self.serviceName) var otlpServiceName: String?
    @Option(Self.sampleRatio) var traceSampleRatio: Double?

    /// Reads the options; nil without a collector.
    /// - Throws: `ValidationError`.
    func traces() throws -> Traces? {
        let name = try Self.serviceName.value(otlpServiceName)
        let ratio = try Self.sampleRatio.value(traceSampleRatio)
        guard let endpoint = try Self.endpoint.value(otlpEndpoint) else {
            for (option, argument) in [
                (Self.serviceName.name, otlpServiceName), (Self.sampleRatio.name, traceSampleRatio.map { "\($0)" }),
            ] where argument != nil {
                throw ValidationError("--\(option) requires --\(Self.endpoint.name)")
            }
            return nil
        }
        var settings: OTLPSettings
        do {
            settings = try OTLPSettings(endpoint: endpoint)
        } catch {
            throw ValidationError("\(Self.endpoint.source(otlpEndpoint)) must be \(error)")
        }
        if let headers = SecretVariable.value(of: Self.headersVariable) {
            do {
                try settings.setHeaders(headers)
            } catch {
                throw ValidationError("\(Self.headersVariable) must be \(error)")
            }
        }
        settings.serviceName = name
        return Traces(settings: settings, sampleRatio: ratio)
    }

    /// The configured traces.
    struct Traces {
        let settings: OTLPSettings
        let sampleRatio: Double

        /// Installs a tracer for the process. The database and the server use the tracer that exists when they are
        /// created.
        /// - Returns: The service that sends the spans. It must shut down after the server.
        func install(_ observer: Observer) -> any Service {
            let tracer = OTLPTracer(sampleRatio: sampleRatio)
            InstrumentationSystem.bootstrap(tracer)
            return OTLPExporter(tracer, settings: settings) { observer.traces($0) }
        }
    }
}
