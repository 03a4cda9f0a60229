@testable import DuetComparison

extension ComparisonReport {
    /// Creates a report of one or more scenarios.
    static func constructed(_ scenarios: ScenarioReport...) -> ComparisonReport {
        var report = ComparisonReport()
        report.machine = [("cores", "2")]
        report.database = [("database", "a sample")]
        report.scenarios = scenarios
        return report
    }
}

extension ComparisonReport.ScenarioReport {
    /// Creates a scenario. By default, all its styles have equal results.
    static func constructed(
        named name: String = "orders", isEqual: Bool = true, _ styles: ComparisonReport.StyleReport...
    ) -> Self {
        Self(name: name, task: "Show <all> orders.", isEqual: isEqual, styles: styles)
    }
}

extension ComparisonReport.StyleReport {
    /// Creates a style with the given costs and times. Each array of times has one value for each round.
    ///
    /// - Parameters:
    ///   - up: The bytes of the header sections of all requests.
    ///   - document: The bytes of the bodies of all requests.
    ///   - head: The bytes of the header sections of all responses.
    ///   - body: The bytes of the bodies of all responses.
    ///   - gzipped: The bytes of the bodies of all responses with gzip. `nil` for responses without gzip.
    ///   - far: The latencies in microseconds with a round-trip time of 50 ms. Empty for a report without timing.
    ///   - near: The latencies in microseconds without an added round-trip time.
    ///   - processor: The server's processor times in microseconds. `nil` for a server that does not report them.
    static func constructed(
        _ style: Style, requests: Int = 1, rounds: Int? = nil, up: Int = 100, document: Int = 0, head: Int = 200,
        body: Int = 50, gzipped: Int? = nil, values: Int = 3, used: Int = 3, statements: Int? = 1, far: [Double] = [],
        near: [Double] = [400, 401, 402, 403, 404], processor: [Double]? = [200, 201, 202, 203, 204]
    ) -> Self {
        var cost = TaskCost()
        cost.requests = requests
        cost.rounds = rounds ?? requests
        cost.up = WireBytes(head: up, body: document)
        cost.down = WireBytes(head: head, body: body)
        cost.gzippedDown = WireBytes(head: head, body: gzipped ?? body)
        cost.fieldsReturned = values
        cost.fieldsUsed = used
        cost.statements = statements
        return Self(
            style: style, cost: cost, requests: [],
            timings: timings(far: far, near: near, processor: processor.flatMap { Estimate($0) }))
    }

    private static func timings(far: [Double], near: [Double], processor: Estimate?) -> [Timing] {
        guard let far = Estimate(far), let near = Estimate(near) else { return [] }
        let latency = Timing.Latency(p50: near, p90: nil, p99: nil, p999: nil, count: 100)
        return [
            Timing(
                mode: .sequential, alone: latency, requests: latency, underLoad: nil,
                busy: Timing.Busy(throughput: near, serverCPU: processor, clientCPU: near, cacheCPU: nil),
                compressed: nil,
                distances: [
                    Timing.Distance(roundTrip: .zero, latency: near),
                    Timing.Distance(roundTrip: .milliseconds(10), latency: near),
                    Timing.Distance(roundTrip: .milliseconds(50), latency: far),
                ])
        ]
    }
}
