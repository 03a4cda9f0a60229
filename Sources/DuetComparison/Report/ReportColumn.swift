/// A column that shows one measure in the tables of a report.
struct ReportColumn<Subject>: Sendable {
    /// The name in JSON and CSV.
    let name: String
    /// The title in the header of a table.
    let title: String
    /// The chart of the measure; nil if a chart is not useful.
    var chart: ReportChart?
    let value: @Sendable (Subject) -> Measure?
}

/// A cost that includes the numbers of bytes of requests and responses.
protocol Transfer: Sendable {
    var up: WireBytes { get }
    var down: WireBytes { get }
    var gzippedDown: WireBytes { get }
}

extension TaskCost: Transfer {}
extension RequestCost: Transfer {}

extension ReportColumn where Subject: Transfer {
    static var bytes: [ReportColumn] {
        [
            ReportColumn(name: "headBytesUp", title: "head up") { .count($0.up.head) },
            ReportColumn(name: "bodyBytesUp", title: "body up") { .count($0.up.body) },
            ReportColumn(name: "headBytesDown", title: "head down") { .count($0.down.head) },
            ReportColumn(name: "bodyBytesDown", title: "body down") { .count($0.down.body) },
            ReportColumn(name: "gzippedBodyBytesDown", title: "body down, gzip") { .count($0.gzippedDown.body) },
        ]
    }
}

/// The properties of a measure's chart.
struct ReportChart: Sendable {
    enum Unit: Sendable {
        case microseconds, kibibytes
    }

    /// The caption, without the unit.
    let caption: String
    let unit: Unit
}

/// A group of related columns.
struct ReportSection<Subject>: Sendable {
    /// The heading of the table.
    let title: String
    let columns: [ReportColumn<Subject>]
}

extension ReportSection<TaskCost> {
    /// The measures that do not depend on time.
    static let costs: [ReportSection] = [
        ReportSection(
            title: "Requests and bytes",
            columns: [
                ReportColumn(name: "requests", title: "requests") { .count($0.requests) },
                ReportColumn(name: "roundTrips", title: "round trips") { .count($0.rounds) },
            ] + ReportColumn.bytes),
        ReportSection(
            title: "Fields and statements",
            columns: [
                ReportColumn(name: "fieldsReturned", title: "fields returned") { .count($0.fieldsReturned) },
                ReportColumn(name: "fieldsUsed", title: "fields used") { .count($0.fieldsUsed) },
                ReportColumn(name: "cacheHits", title: "cache hits") { $0.cacheHits.map(Measure.count) },
                ReportColumn(name: "statements", title: "statements") { $0.statements.map(Measure.count) },
                ReportColumn(name: "rows", title: "rows read") { $0.rows.map(Measure.count) },
            ]),
    ]
}

extension ReportSection<RequestCost> {
    /// The measures of a single request.
    static let requests = ReportSection(
        title: "Each request",
        columns: [
            ReportColumn(name: "round", title: "round trip") { .count($0.round) }
        ] + ReportColumn.bytes + [
            ReportColumn(name: "fieldsReturned", title: "fields returned") { .count($0.fieldsReturned) },
            ReportColumn(name: "cacheHits", title: "cache hits") { .count($0.isCacheHit ? 1 : 0) },
            ReportColumn(name: "statements", title: "statements") { $0.statements.map(Measure.count) },
        ])
}

extension ReportSection<Timing> {
    /// Returns the measures that depend on time: times in microseconds, rates in tasks per second, and memory in KiB.
    /// - Parameter distances: The simulated round-trip times.
    static func timings(distances: [Duration]) -> [ReportSection] {
        [
            ReportSection(
                title: "One client, µs",
                columns: latency("latency", caption: "Median latency of one client", \.alone)
                    + [ReportColumn(name: "latencyTasks", title: "tasks") { .count($0.alone.count) }]
                    + latency("requestLatency", title: "request ", \.requests)),
            ReportSection(
                title: "Maximum throughput",
                columns: [
                    ReportColumn(name: "throughput", title: "tasks/s") { .number($0.busy.throughput) },
                    ReportColumn(
                        name: "serverCPU", title: "server CPU µs",
                        chart: ReportChart(caption: "Server processor time for each task", unit: .microseconds)
                    ) { $0.busy.serverCPU.map { .number($0) } },
                    ReportColumn(name: "cacheCPU", title: "cache CPU µs") { $0.busy.cacheCPU.map { .number($0) } },
                    ReportColumn(name: "clientCPU", title: "client CPU µs") { .number($0.busy.clientCPU) },
                    ReportColumn(
                        name: "peakMemory", title: "peak memory, KiB",
                        chart: ReportChart(caption: "Maximum memory of a new server for the task", unit: .kibibytes)
                    ) { $0.peakMemory.map { .number($0) } },
                ]),
            ReportSection(
                title: "Maximum throughput with gzip",
                columns: [
                    ReportColumn(name: "gzippedThroughput", title: "tasks/s") {
                        ($0.compressed?.throughput).map { .number($0) }
                    },
                    ReportColumn(
                        name: "gzippedServerCPU", title: "server CPU µs",
                        chart: ReportChart(
                            caption: "Server processor time for each task with gzip", unit: .microseconds
                        )
                    ) { ($0.compressed?.serverCPU).map { .number($0) } },
                    ReportColumn(name: "gzippedClientCPU", title: "client CPU µs") {
                        ($0.compressed?.clientCPU).map { .number($0) }
                    },
                ]),
            ReportSection(
                title: "At a constant rate, µs",
                columns: [
                    ReportColumn(name: "loadRate", title: "load, tasks/s") { ($0.underLoad?.rate).map { .number($0) } }
                ]
                    + latency("loadedLatency") { $0.underLoad?.latency }
                    + [
                        ReportColumn(name: "loadedLatencyTasks", title: "tasks") {
                            ($0.underLoad?.latency.count).map(Measure.count)
                        }
                    ]),
            ReportSection(
                title: "With a round-trip time (RTT), µs", columns: distances.map { column(at: $0, of: distances) }),
        ]
    }

    /// Returns the columns for the quantiles of a latency.
    private static func latency(
        _ name: String, title: String = "", caption: String? = nil,
        _ latency: @escaping @Sendable (Timing) -> Timing.Latency?
    ) -> [ReportColumn<Timing>] {
        [
            ReportColumn(
                name: name + "P50", title: title + "p50",
                chart: caption.map { ReportChart(caption: $0, unit: .microseconds) }
            ) { (latency($0)?.p50).map { .number($0) } },
            ReportColumn(name: name + "P90", title: title + "p90") { (latency($0)?.p90).map { .number($0) } },
            ReportColumn(name: name + "P99", title: title + "p99") { (latency($0)?.p99).map { .number($0) } },
            ReportColumn(name: name + "P999", title: title + "p99.9") { (latency($0)?.p999).map { .number($0) } },
        ]
    }

    private static func column(at distance: Duration, of distances: [Duration]) -> ReportColumn<Timing> {
        let milliseconds = distance.inMilliseconds
        return ReportColumn(
            name: "latencyFrom\(milliseconds)ms", title: "\(milliseconds) ms RTT",
            // Only the longest round-trip time has a chart, because it shows the difference most clearly.
            chart: distance == distances.max()
                ? ReportChart(caption: "Latency at \(milliseconds) ms RTT", unit: .microseconds) : nil
        ) { timing in
            (timing.distances.first { $0.roundTrip == distance }?.latency).map { .number($0) }
        }
    }
}
