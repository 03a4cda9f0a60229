import DuetJSON
import Foundation
import NIOCore

/// Performs each task in all of its styles, and measures the cost.
package struct ComparisonRunner: Sendable {
    /// The base address of the server without a trailing slash, such as `http://127.0.0.1:8080`.
    private let base: String
    private let token: String?
    private let cache: Cache?
    private let scenarios: [Scenario]
    private let timing: TimingPlan?
    private let warmUp: Scenario?
    private let anew: StartServer?

    /// A cache between the clients and the server. It adds `X-Cache: HIT` to a cached response.
    package struct Cache: Sendable {
        let base: String
        let tellsRunsApart: Bool
        let processorTime: (@Sendable () -> Duration?)?

        /// - Parameters:
        ///   - base: The base address of the cache without a trailing slash, such as `http://127.0.0.1:8080`.
        ///   - tellsRunsApart: True if the cache includes `X-Run` in its keys. Otherwise, the cache is cold only for
        ///     the first run, and styles with a cold cache are omitted.
        ///   - processorTime: Returns the processor time of the cache since it started; nil if it is unknown.
        package init(base: String, tellsRunsApart: Bool, processorTime: (@Sendable () -> Duration?)? = nil) {
            self.base = base
            self.tellsRunsApart = tellsRunsApart
            self.processorTime = processorTime
        }
    }

    /// Starts a new server for the database of the compared server, runs a closure, and stops the new server. Returns
    /// the closure's result.
    package typealias StartServer =
        @Sendable (_ body: @Sendable (_ server: ServerProcess) async throws -> Int?) async throws -> Int?

    /// - Parameters:
    ///   - server: The base address of the server without a trailing slash, such as `http://127.0.0.1:8080`. No other
    ///     client should use the server at the same time.
    ///   - token: The token of the caller, which each request sends (`Authorization: Bearer`); nil for an anonymous
    ///     caller. The report does not contain it.
    ///   - cache: A cache between the clients and the server; nil to omit the styles with a cache.
    ///   - timing: The settings for measuring time; nil to determine only counted values.
    ///   - warmUp: The task that a new server performs before its memory is measured; nil for the first scenario.
    ///   - anew: Starts a server for measuring memory; nil to omit this measurement.
    package init(
        server base: String, token: String? = nil, cache: Cache? = nil, scenarios: [Scenario],
        timing: TimingPlan? = nil,
        warmUp: Scenario? = nil, anew: StartServer? = nil
    ) {
        self.base = base
        self.token = token
        self.cache = cache
        self.timing = timing
        self.warmUp = warmUp ?? scenarios.first
        self.anew = anew
        self.scenarios = scenarios
    }

    /// Performs each task in each style.
    /// - Parameter progress: Called before each scenario.
    ///
    /// If a response does not match the scenario, for example because of a value that does not fit its type, the runner
    /// omits the style. If no REST style or no GraphQL style is left, it omits the scenario. The report names both.
    /// - Throws: ``ComparisonFailure`` if the server does not respond.
    package func run(progress: (_ scenario: Scenario, _ index: Int, _ count: Int) -> Void = { _, _, _ in }) async throws
        -> ComparisonReport
    {
        try await WireClient.with(base: base, connections: 1, token: token) { observing in
            var report = ComparisonReport()
            report.timing = timing
            for (index, scenario) in scenarios.enumerated() {
                progress(scenario, index, scenarios.count)
                do {
                    try await puttingBack(scenario, observing: observing) {
                        let (found, failures) = try await self.report(scenario, observing: observing)
                        report.scenarios.append(found)
                        report.failures += failures
                    }
                } catch let failure as ComparisonFailure where failure.isOfAnswer {
                    report.failures.append(failure)
                }
            }
            return report
        }
    }

    /// Restores the value that a scenario has written, even if the scenario throws an error or is canceled.
    private func puttingBack(
        _ scenario: Scenario, observing: WireClient, _ body: () async throws -> Void
    ) async throws {
        guard let target = scenario.written?.target else { return try await body() }
        let before = try await failing(scenario) { try await observing.expecting(.get(target)).body }
        func restore() async throws {
            let request = Request(method: .patch, target: target, body: String(buffer: before), isOfWritingTask: true)
            try await failing(scenario) { _ = try await observing.expecting(request) }
        }
        do {
            try await body()
        } catch {
            do {
                try await restore()
            } catch let unrestored where !(error is CancellationError) {
                let both = "\(error); and \(target) could not be restored to \(String(buffer: before)): \(unrestored)"
                throw ComparisonFailure(scenario: scenario.name, style: nil, underlying: UnexpectedAnswer(both))
            }
            throw error
        }
        try await restore()
    }

    /// - Returns: The results of a scenario, and the failures of the styles that the results do not contain.
    private func report(
        _ scenario: Scenario, observing: WireClient
    ) async throws -> (ComparisonReport.ScenarioReport, [ComparisonFailure]) {
        var failures: [ComparisonFailure] = []
        var styles = styles(of: scenario)
        do {
            try await failing(scenario, .graphQLPersisted) { try await Asker(client: observing).register(scenario) }
        } catch let failure as ComparisonFailure where failure.isOfAnswer {
            failures.append(failure)
            styles.removeAll { [.graphQLPersisted, .graphQLCold, .graphQLWarm].contains($0) }
        }
        var costs: [(style: Style, cost: TaskCost, requests: [RequestCost])] = []
        var contenders: [Stopwatch.Contender] = []
        var results: Set<JSONValue> = []
        for style in styles {
            let recorded: (plain: Recording, gzipped: Recording, work: ServerWork?)
            do {
                recorded = try await failing(scenario, style) {
                    try await record(scenario, style, observing: observing)
                }
            } catch let failure as ComparisonFailure where failure.isOfAnswer {
                failures.append(failure)
                continue
            }
            results.formUnion([recorded.plain.result, recorded.gzipped.result])
            let cost = TaskCost(
                recorded.plain, gzipped: recorded.gzipped, isCached: style.cacheState != nil, work: recorded.work)
            costs.append((style, cost, RequestCost.all(recorded.plain, gzipped: recorded.gzipped)))
            let rounds = recorded.plain.rounds.map { $0.map(\.request) }
            let modes: [Timing.Mode] = rounds.contains { $0.count > 1 } ? [.sequential, .parallel] : [.sequential]
            contenders += modes.map { mode in
                Stopwatch.Contender(
                    base: base(of: style), style: style, mode: mode, rounds: rounds,
                    isCompressed: style.cacheState == nil && cost.gzippedDown.body < cost.down.body,
                    written: scenario.written)
            }
        }
        let compared = costs.map(\.style).filter { $0.cacheState == nil }
        if let failure = failures.first, Set(compared.map(\.isGraphQL)).count < 2 { throw failure }
        let timings = try await failing(scenario) { try await time(contenders, observing: observing) }
        let reports = costs.map { style, cost, requests in
            let own = zip(contenders, timings).filter { $0.0.style == style }.map(\.1)
            return ComparisonReport.StyleReport(style: style, cost: cost, requests: requests, timings: own)
        }
        let report = ComparisonReport.ScenarioReport(
            name: scenario.name, task: scenario.task, isEqual: results.count == 1, styles: reports,
            isWrite: scenario.writes)
        return (report, failures)
    }

    /// - Returns: The timings of the contenders; an empty array if time is not measured.
    private func time(_ contenders: [Stopwatch.Contender], observing: WireClient) async throws -> [Timing] {
        guard let timing else { return [] }
        let stopwatch = Stopwatch(plan: timing, observing: observing, cacheProcessorTime: cache?.processorTime)
        var timings = try await stopwatch.measure(contenders)
        if let anew, let warmUp {
            let memory = try await MemoryGauge(plan: timing, warmUp: warmUp, anew: anew).measure(contenders)
            for (index, memory) in memory.enumerated() { timings[index].peakMemory = memory }
        }
        return timings
    }

    /// Returns the styles for a scenario. A task that writes is not measured with a cache.
    private func styles(of scenario: Scenario) -> [Style] {
        Style.allCases.filter(scenario.has).filter { style in
            switch (style.cacheState, cache) {
            case (nil, _): true
            case (_, nil): false
            case (.cold, let cache?): cache.tellsRunsApart && !scenario.writes
            case (.warm, _): !scenario.writes
            }
        }
    }

    private func base(of style: Style) -> String { style.cacheState == nil ? base : cache?.base ?? base }

    /// Performs the task twice and records it: without content coding and with gzip.
    private func record(
        _ scenario: Scenario, _ style: Style, observing: WireClient
    ) async throws -> (plain: Recording, gzipped: Recording, work: ServerWork?) {
        func ask(acceptsGzip: Bool) async throws -> (Recording, ServerWork?) {
            try await WireClient.with(
                base: base(of: style), connections: 1, acceptsGzip: acceptsGzip, token: token
            ) { client in
                // Use a new run for a warm cache. Otherwise, a response that an earlier task has left in the cache
                // could expire during the measurement.
                let run = style.cacheState == .warm && cache?.tellsRunsApart == true ? UUID().uuidString : nil
                if style.cacheState == .warm { _ = try await Asker(client: client).ask(scenario, style, run: run) }
                let start = try await observing.metrics()
                let recording = try await Asker(client: client).ask(scenario, style, run: run)
                let end = try await observing.metrics()
                try await Asker(client: client).verify(scenario, recording)
                return (recording, start.flatMap { start in end.map { ServerWork(from: start, to: $0) } })
            }
        }
        let (plain, work) = try await ask(acceptsGzip: false)
        return (plain, try await ask(acceptsGzip: true).0, work)
    }

    /// Runs a closure. Adds the scenario and the style to an error of the closure.
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

extension WireClient.Response {
    /// The reason for an unexpected status: the detail of a problem document (RFC 9457) or the GraphQL error messages.
    /// If the body contains neither, the reason is the beginning of the body.
    var reason: String {
        let text = String(buffer: body)
        guard let json = try? JSONValue(parsing: text.utf8) else { return String(text.prefix(300)) }
        if case .string(let detail)? = json["detail"] { return detail }
        return json["errors"]?.errorMessages ?? String(text.prefix(300))
    }
}

extension WireClient {
    /// - Throws: ``UnexpectedAnswer`` if the response does not have the expected status.
    func expecting(_ request: Request) async throws -> Response {
        let response =
            if request.isOfWritingTask {
                // An unstructured task is not canceled with the current task.
                try await Task { try await send(request) }.value
            } else {
                try await send(request)
            }
        guard response.status == request.expectedStatus else {
            // A server can repeat the token in its response.
            let reason = token.map { response.reason.replacing($0, with: "(token)") } ?? response.reason
            throw UnexpectedAnswer(
                "\(request.method.rawValue) \(request.target) has status \(response.status) instead of \(request.expectedStatus): \(reason)"
            )
        }
        return response
    }

    /// Returns the server's metrics; nil if the server does not provide them, for example behind a proxy.
    func metrics() async throws -> MetricsSnapshot? {
        let response = try await send(.get("/metrics", accept: "text/plain"))
        return response.status == 200 ? MetricsSnapshot(String(buffer: response.body)) : nil
    }

    /// Runs a closure with a client. Afterwards, shuts down the client.
    static func with<Value>(
        base: String, connections: Int, acceptsGzip: Bool = false, token: String? = nil,
        _ body: (WireClient) async throws -> Value
    ) async throws -> Value {
        let client = WireClient(base: base, connections: connections, acceptsGzip: acceptsGzip, token: token)
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(client))
        } catch {
            result = .failure(error)
        }
        try await client.shutdown()
        return try result.get()
    }

    /// Runs a closure with one client for each base address.
    static func with<Value>(
        bases: Set<String>, connections: Int, acceptsGzip: Bool = false, token: String?,
        _ body: ([String: WireClient]) async throws -> Value
    ) async throws -> Value {
        var left = bases
        guard let base = left.popFirst() else { return try await body([:]) }
        return try await with(
            base: base, connections: connections, acceptsGzip: acceptsGzip, token: token
        ) { client in
            try await with(
                bases: left, connections: connections, acceptsGzip: acceptsGzip, token: token
            ) { others in
                try await body(others.merging([base: client]) { $1 })
            }
        }
    }
}
