/// A column of a report's tables: one measure.
struct ReportColumn<Subject>: Sendable {
    /// In JSON and CSV.
    let name: String
    /// At the head of a table.
    let title: String
    /// Over a chart of it; `nil` where a chart would say little.
    var caption: String?
    let value: @Sendable (Subject) -> Measure?
}

extension ReportColumn<Cost> {
    /// What does not depend on time.
    static let costs: [ReportColumn] = [
        ReportColumn(name: "requests", title: "requests") { .count($0.requests) },
        ReportColumn(name: "roundTrips", title: "round trips") { .count($0.rounds) },
        ReportColumn(name: "headBytesUp", title: "head up") { .count($0.up.head) },
        ReportColumn(name: "bodyBytesUp", title: "body up") { .count($0.up.body) },
        ReportColumn(name: "headBytesDown", title: "head down") { .count($0.down.head) },
        ReportColumn(name: "bodyBytesDown", title: "body down") { .count($0.down.body) },
        ReportColumn(name: "gzippedBodyBytesDown", title: "body down, gzip") { .count($0.gzippedDown.body) },
        ReportColumn(name: "fieldsReturned", title: "fields returned") { .count($0.fieldsReturned) },
        ReportColumn(name: "fieldsUsed", title: "fields used") { .count($0.fieldsUsed) },
        ReportColumn(name: "cacheHits", title: "cache hits") { $0.cacheHits.map(Measure.count) },
        ReportColumn(name: "statements", title: "statements") { $0.statements.map(Measure.count) },
        ReportColumn(name: "rows", title: "rows read") { $0.rows.map(Measure.count) },
    ]
}

extension ReportColumn<Timing> {
    /// What does. Microseconds, but for the rate, which is in tasks a second, and memory, which is in KiB.
    static func timings(distances: [Duration]) -> [ReportColumn] {
        [
            ReportColumn(name: "latencyP50", title: "p50 µs", caption: "Median latency of one client, µs") {
                .number($0.alone.p50)
            },
            ReportColumn(name: "latencyP90", title: "p90") { .number($0.alone.p90) },
            ReportColumn(name: "latencyP99", title: "p99") { .number($0.alone.p99) },
            ReportColumn(name: "latencyP999", title: "p99.9") { .number($0.alone.p999) },
            ReportColumn(name: "throughput", title: "tasks/s") { .number($0.busy.throughput) },
            ReportColumn(
                name: "serverCPU", title: "server CPU µs", caption: "Server processor time for each task, µs"
            ) { $0.busy.serverCPU.map { .number($0) } },
            ReportColumn(name: "clientCPU", title: "client CPU µs") { .number($0.busy.clientCPU) },
            ReportColumn(name: "gzippedThroughput", title: "gzip: tasks/s") {
                ($0.compressed?.throughput).map { .number($0) }
            },
            ReportColumn(
                name: "gzippedServerCPU", title: "gzip: server CPU µs",
                caption: "Server processor time for each task with its answers in gzip, µs"
            ) { ($0.compressed?.serverCPU).map { .number($0) } },
            ReportColumn(name: "gzippedClientCPU", title: "gzip: client CPU µs") {
                ($0.compressed?.clientCPU).map { .number($0) }
            },
            ReportColumn(
                name: "peakMemory", title: "peak memory, KiB",
                caption: "Memory that a new server takes for it at most, KiB"
            ) { $0.peakMemory.map { .number($0) } },
            ReportColumn(name: "loadRate", title: "load, tasks/s") { .number($0.rate) },
            ReportColumn(name: "loadedLatencyP50", title: "loaded p50 µs") { .number($0.underLoad.p50) },
            ReportColumn(name: "loadedLatencyP90", title: "p90") { .number($0.underLoad.p90) },
            ReportColumn(name: "loadedLatencyP99", title: "p99") { .number($0.underLoad.p99) },
            ReportColumn(name: "loadedLatencyP999", title: "p99.9") { .number($0.underLoad.p999) },
        ]
            + distances.map { distance in
                let milliseconds = Int(distance / .milliseconds(1))
                return ReportColumn(
                    name: "latencyFrom\(milliseconds)ms", title: "from \(milliseconds) ms, µs",
                    // The farthest shows it best.
                    caption: distance == distances.max() ? "Latency from \(milliseconds) ms, µs" : nil
                ) {
                    $0.distances.first { $0.roundTrip == distance }.map { .number($0.latency) }
                }
            }
    }
}
