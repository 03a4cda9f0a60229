import Foundation
import JSON
import NIOCore

/// Puts tasks to a server in every style.
package struct ComparisonRunner: Sendable {
    /// `http://127.0.0.1:8080`, without a slash at the end.
    private let base: String
    private let cache: String?
    private let scenarios: [Scenario]
    private let timing: TimingPlan?

    /// - Parameters:
    ///   - server: `http://127.0.0.1:8080`, without a slash at the end. Nobody else should ask it anything meanwhile.
    ///   - cache: a cache before it that tells runs apart by `X-Run`; `nil` for none.
    ///   - timing: `nil` for what does not depend on time alone.
    package init(
        server base: String, cache: String? = nil, scenarios: [Scenario] = Scenario.all, timing: TimingPlan? = nil
    ) {
        self.base = base
        self.cache = cache
        self.timing = timing
        self.scenarios = scenarios
    }

    /// Asks for each task in each style.
    /// - Parameter progress: told before each scenario.
    /// - Throws: ``ComparisonFailure`` if the server cannot be reached, or does not answer as a scenario expects.
    package func run(progress: (_ scenario: Scenario, _ index: Int, _ count: Int) -> Void = { _, _, _ in }) async throws
        -> ComparisonReport
    {
        try await WireClient.with(base: base, connections: 1) { observing in
            var report = ComparisonReport()
            for (index, scenario) in scenarios.enumerated() {
                progress(scenario, index, scenarios.count)
                report.scenarios.append(try await self.report(scenario, observing: observing))
            }
            return report
        }
    }

    private func report(
        _ scenario: Scenario, observing: WireClient
    ) async throws -> ComparisonReport.ScenarioReport {
        try await failing(scenario) { try await Asker(client: observing).register(scenario) }
        var costs: [(style: Style, cost: Cost)] = []
        var contenders: [Stopwatch.Contender] = []
        var results: Set<JSONValue> = []
        for style in styles(of: scenario) {
            let recorded = try await failing(scenario, style) {
                try await record(scenario, style, observing: observing)
            }
            results.formUnion([recorded.plain.result, recorded.gzipped.result])
            costs.append(
                (
                    style,
                    Cost(
                        recorded.plain, gzipped: recorded.gzipped, isCached: style.cacheState != nil,
                        work: recorded.work)
                ))
            let rounds = recorded.plain.rounds.map { $0.map(\.request) }
            let base = base(of: style)
            contenders.append(Stopwatch.Contender(base: base, style: style, mode: .sequential, rounds: rounds))
            if rounds.contains(where: { $0.count > 1 }) {
                contenders.append(Stopwatch.Contender(base: base, style: style, mode: .parallel, rounds: rounds))
            }
        }
        var timings: [Timing] = []
        if let timing {
            let stopwatch = Stopwatch(plan: timing, observing: observing)
            timings = try await failing(scenario) { try await stopwatch.measure(contenders) }
        }
        let styles = costs.map { style, cost in
            let own = zip(contenders, timings).filter { $0.0.style == style }.map(\.1)
            return ComparisonReport.StyleReport(style: style, cost: cost, timings: own)
        }
        return ComparisonReport.ScenarioReport(
            name: scenario.name, task: scenario.task, isEqual: results.count == 1, styles: styles)
    }

    /// What has been written is kept by no cache.
    private func styles(of scenario: Scenario) -> [Style] {
        Style.allCases.filter { $0.cacheState == nil || cache != nil && !scenario.writes }
    }

    private func base(of style: Style) -> String { style.cacheState == nil ? base : cache ?? base }

    /// Asks once without a coding and once in gzip.
    private func record(
        _ scenario: Scenario, _ style: Style, observing: WireClient
    ) async throws -> (plain: Recording, gzipped: Recording, work: ServerWork?) {
        func ask(acceptsGzip: Bool) async throws -> (Recording, ServerWork?) {
            try await WireClient.with(base: base(of: style), connections: 1, acceptsGzip: acceptsGzip) { client in
                let run = style.cacheState == .cold ? UUID().uuidString : nil
                if style.cacheState == .warm { _ = try await Asker(client: client).ask(scenario, style) }
                let start = try await observing.metrics()
                let recording = try await Asker(client: client, run: run).ask(scenario, style)
                let end = try await observing.metrics()
                return (recording, start.flatMap { start in end.map { ServerWork(from: start, to: $0) } })
            }
        }
        let (plain, work) = try await ask(acceptsGzip: false)
        return (plain, try await ask(acceptsGzip: true).0, work)
    }

    /// Says what was being asked for when something fails.
    private func failing<Value>(
        _ scenario: Scenario, _ style: Style? = nil, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch  where Task.isCancelled {
            throw CancellationError()
        } catch {
            throw ComparisonFailure(scenario: scenario.name, style: style, underlying: error)
        }
    }
}

extension WireClient {
    /// What the server tells of itself; `nil` if it does not, as behind a proxy.
    func metrics() async throws -> ServerMetrics? {
        let response = try await send(.get("/metrics", accept: "text/plain"))
        return response.status == 200 ? ServerMetrics(String(buffer: response.body)) : nil
    }

    /// A client for the time of a closure.
    static func with<Value>(
        base: String, connections: Int, acceptsGzip: Bool = false, _ body: (WireClient) async throws -> Value
    ) async throws -> Value {
        let client = WireClient(base: base, connections: connections, acceptsGzip: acceptsGzip)
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(client))
        } catch {
            result = .failure(error)
        }
        try await client.shutdown()
        return try result.get()
    }

    /// A client for each of several servers.
    static func with<Value>(
        bases: Set<String>, connections: Int, _ body: ([String: WireClient]) async throws -> Value
    ) async throws -> Value {
        var left = bases
        guard let base = left.popFirst() else { return try await body([:]) }
        return try await with(base: base, connections: connections) { client in
            try await with(bases: left, connections: connections) { others in
                try await body(others.merging([base: client]) { $1 })
            }
        }
    }
}
