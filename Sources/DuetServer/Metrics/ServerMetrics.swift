import CoreMetrics
import DuetHTTPServer
import DuetSQLDatabase
import HTTPTypes

/// The metrics of the server; `docs/metrics.md` lists them. The server and its database report observations, and the
/// functions `count` update the metrics. An update acquires no lock, except for the first request with a combination of
/// style, method and status.
final class ServerMetrics: Sendable {
    let factory: PrometheusMetricsFactory
    private let requests: RequestCounters
    private let inFlight: Meter
    private let abandoned: Counter
    private let styles: [Style]
    private let failures: Counter
    private let cutOff: Counter
    private let refused: [ConnectionProblem: Counter]
    private let idle: Counter
    private let stalled: Counter
    private let protocolErrors: Counter
    private let handshakesFailed: [HandshakeFailure: Counter]
    private let statementCacheHits: Counter
    private let statementCacheMisses: Counter
    private let zeroDates: Counter
    private let nullifiedValues: Counter
    private let acquired: Timer
    private let replicasBehind, replicasFailed, primaryChanges: Counter
    private let connectionsOpened: Counter
    private let connectionsClosed: Counter
    private let readsRetried: Counter
    private let persistedQueries: PersistedQueryMetrics
    private let liveDelay: Timer
    private let spansExported: Counter
    private let spansDropped: [OTLPExporter.Loss: Counter]
    private let exportFailures: Counter

    /// The metrics of one style. ``styles`` contains one instance for each style, in the order of the raw values of
    /// ``RequestStyle``. This type is a class, so that a lookup retains one reference instead of six.
    private final class Style: Sendable {
        let requestDuration: Timer
        let bodyBytes: Counter
        let statements: Counter
        let statementsFailed: Counter
        let rowsRead: Counter
        let statementDuration: Timer

        init(_ style: RequestStyle, _ factory: PrometheusMetricsFactory) {
            let labels = [("style", style.label)]
            requestDuration = factory.timer(
                "duet_http_request_duration_seconds",
                help: "Time from a request's head to its response, or to the end of a streamed body.",
                labels: labels)
            bodyBytes = factory.counter(
                "duet_http_response_body_bytes_total", help: "Bytes of response bodies as sent.", labels: labels)
            statements = factory.counter(
                "duet_statements_total", help: "Executed statements, without BEGIN and COMMIT.",
                labels: labels)
            statementsFailed = factory.counter(
                "duet_statements_failed_total", help: "Statements that failed.", labels: labels)
            rowsRead = factory.counter(
                "duet_rows_read_total", help: "Rows that statements have returned.", labels: labels)
            statementDuration = factory.timer(
                "duet_statement_duration_seconds",
                help: "Time from a statement's start to its last row, including the encoding of rows.", labels: labels,
                buckets: HistogramBuckets.statementSeconds)
        }
    }

    init(_ factory: PrometheusMetricsFactory) {
        self.factory = factory
        persistedQueries = PersistedQueryMetrics(factory)
        requests = RequestCounters(factory)
        inFlight = factory.meter(
            "duet_http_requests_in_flight", help: "Requests in progress, including the request for these metrics.")
        abandoned = factory.counter(
            "duet_http_requests_abandoned_total",
            help:
                "Requests without a response, because the client closed the connection or did not send the whole body.")
        styles = RequestStyle.allCases.map { Style($0, factory) }
        failures = factory.counter(
            "duet_failures_total", help: "Internal errors of the server.")
        cutOff = factory.counter(
            "duet_http_responses_cut_off_total",
            help: "Responses that are incomplete because the client closed the connection or read too slowly.")
        refused = Dictionary(
            uniqueKeysWithValues: ConnectionProblem.allCases.map { problem in
                let counter = factory.counter(
                    "duet_http_requests_refused_total",
                    help: "Requests that were rejected before they reached a route.",
                    labels: [("reason", problem.label)])
                return (problem, counter)
            })
        func closed(_ reason: String) -> Counter {
            factory.counter(
                "duet_http_connections_closed_total", help: "Client connections that the server has closed.",
                labels: [("reason", reason)])
        }
        idle = closed("idle")
        stalled = closed("stalled_reader")
        protocolErrors = closed("protocol_error")
        handshakesFailed = Dictionary(
            uniqueKeysWithValues: HandshakeFailure.allCases.map { ($0, closed($0.label)) })
        statementCacheHits = factory.counter(
            "duet_statement_cache_hits_total", help: "Statements that were already prepared.")
        statementCacheMisses = factory.counter(
            "duet_statement_cache_misses_total", help: "Statements that had to be prepared.")
        zeroDates = factory.counter(
            "duet_zero_dates_total", help: "Invalid dates, which are null in responses.")
        nullifiedValues = factory.counter(
            "duet_value_mismatches_total", help: "Values without the type of their field, which are null in responses.")
        acquired = factory.timer(
            "duet_pool_acquire_duration_seconds", help: "Time of waiting for a database connection.",
            buckets: HistogramBuckets.statementSeconds)
        connectionsOpened = factory.counter(
            "duet_database_connections_opened_total", help: "Database connections that were opened.")
        connectionsClosed = factory.counter(
            "duet_database_connections_closed_total", help: "Database connections that were closed.")
        readsRetried = factory.counter(
            "duet_database_reads_retried_total", help: "Reads that were retried because their connection was lost.")
        func movedToPrimary(_ reason: String) -> Counter {
            factory.counter(
                "duet_replica_reads_moved_total",
                help: "Reads that used the primary, because their replica was behind or failed.",
                labels: [("reason", reason)])
        }
        replicasBehind = movedToPrimary("behind")
        replicasFailed = movedToPrimary("failed")
        primaryChanges = factory.counter(
            "duet_primary_changes_total", help: "Changes of the database server that receives the writes.")
        liveDelay = factory.timer(
            "duet_live_delay_seconds",
            help: "Time from the detection of a commit to the delivery of a changed answer to a watcher.",
            buckets: HistogramBuckets.statementSeconds)
        spansExported = factory.counter(
            "duet_trace_spans_exported_total", help: "Spans that the collector of traces has accepted.")
        spansDropped = Dictionary(
            uniqueKeysWithValues: OTLPExporter.Loss.allCases.map { loss in
                let counter = factory.counter(
                    "duet_trace_spans_dropped_total", help: "Spans that did not reach the collector of traces.",
                    labels: [("reason", loss.rawValue)])
                return (loss, counter)
            })
        exportFailures = factory.counter(
            "duet_trace_export_failures_total",
            help: "Failed requests to the collector of traces, including those that were repeated.")
    }

    /// Records the time from the detection of a commit to the delivery of a changed answer to a watcher.
    func record(liveDelay duration: Duration) {
        let (seconds, attoseconds) = duration.components
        liveDelay.recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    func count(_ observation: ServerObservation) {
        switch observation {
        case .requestBegan: inFlight.increment()
        case .request(_, let style, let method, _, let status, let bytes, let nanoseconds):
            inFlight.decrement()
            requests.increment(style, method, status: status)
            let series = styles[Int(style.rawValue)]
            series.requestDuration.recordNanoseconds(Int64(clamping: nanoseconds))
            series.bodyBytes.increment(by: bytes)
        case .requestAbandoned:
            inFlight.decrement()
            abandoned.increment()
        case .failure: failures.increment()
        case .cutOff: cutOff.increment()
        case .connection(.refused(let problem, _)): refused[problem]?.increment()
        case .connection(.idle): idle.increment()
        case .connection(.stalledReader): stalled.increment()
        case .connection(.protocolError): protocolErrors.increment()
        case .connection(.handshakeFailed(let failure)): handshakesFailed[failure]?.increment()
        case .persistedQuery(let observation): persistedQueries.count(observation)
        case .persistedQueryMismatch: persistedQueries.countMismatch()
        case .rejection, .listedQueryUnusable: break
        }
    }

    func count(_ observation: OTLPExporter.Observation) {
        switch observation {
        case .exported(let spans): spansExported.increment(by: spans)
        case .dropped(let spans, let loss): spansDropped[loss]?.increment(by: spans)
        case .failed: exportFailures.increment()
        }
    }

    func count(_ observation: DatabaseObservation) {
        switch observation {
        case .statement(_, let rows, let nanoseconds, let failed, let origin):
            let series = styles[Int(RequestStyle(origin).rawValue)]
            series.statements.increment()
            if rows > 0 { series.rowsRead.increment(by: rows) }
            if failed { series.statementsFailed.increment() }
            series.statementDuration.recordNanoseconds(Int64(clamping: nanoseconds))
        case .statementCacheHit: statementCacheHits.increment()
        case .statementCacheMiss: statementCacheMisses.increment()
        case .acquired(let nanoseconds): acquired.recordNanoseconds(Int64(clamping: nanoseconds))
        case .connectionOpened: connectionsOpened.increment()
        case .connectionClosed: connectionsClosed.increment()
        case .movedToPrimary(.positionNotReached): replicasBehind.increment()
        case .movedToPrimary(.connection): replicasFailed.increment()
        case .primaryChanged: primaryChanges.increment()
        case .readRetried: readsRetried.increment()
        case .zeroDates(let count, _): zeroDates.increment(by: count)
        case .nullifiedValues(let count, _): nullifiedValues.increment(by: count)
        }
    }
}

extension ConnectionProblem {
    /// The value of the label.
    fileprivate var label: String {
        switch self {
        case .malformedRequest: "malformed_request"
        case .chunkOverheadTooLarge: "chunk_overhead_too_large"
        case .invalidHost: "invalid_host"
        case .notEncrypted: "not_encrypted"
        case .requestTimeout: "request_timeout"
        case .targetTooLong: "target_too_long"
        case .fieldsTooLarge: "fields_too_large"
        case .unknownMethod: "unknown_method"
        case .unsupportedTransferCoding: "unsupported_transfer_coding"
        }
    }
}

extension HandshakeFailure {
    /// The value of the label.
    fileprivate var label: String {
        switch self {
        case .error: "handshake_failed"
        case .timeout: "handshake_timeout"
        case .tooMany: "too_many_handshakes"
        }
    }
}

/// The counters of requests by style, method and status.
struct RequestCounters: Sendable {
    /// The methods with a separate label. All other methods share the label `other`, because clients can send any name.
    private static let methods: [HTTPRequest.Method] = [.get, .post, .head, .put, .patch, .delete, .options]
    private static let statuses = 100..<600

    private let counters: CounterTable

    init(_ factory: PrometheusMetricsFactory) {
        counters = factory.counters(
            "duet_http_requests_total", help: "Requests answered.",
            count: RequestStyle.allCases.count * (Self.methods.count + 1) * Self.statuses.count
        ) { index in
            let (line, status) = index.quotientAndRemainder(dividingBy: Self.statuses.count)
            let (style, method) = line.quotientAndRemainder(dividingBy: Self.methods.count + 1)
            return [
                ("style", RequestStyle.allCases[style].label),
                ("method", method < Self.methods.count ? Self.methods[method].rawValue : "other"),
                ("status", "\(status + Self.statuses.lowerBound)"),
            ]
        }
    }

    func increment(_ style: RequestStyle, _ method: HTTPRequest.Method, status: Int) {
        let method = Self.methods.firstIndex(of: method) ?? Self.methods.count
        let line = Int(style.rawValue) * (Self.methods.count + 1) + method
        let status = min(max(status, Self.statuses.lowerBound), Self.statuses.upperBound - 1)
        counters.increment(line * Self.statuses.count + status - Self.statuses.lowerBound)
    }
}
