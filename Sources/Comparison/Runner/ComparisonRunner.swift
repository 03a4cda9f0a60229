import DuetJSON
import Foundation
import NIOCore

/// Puts tasks to a server in every style.
package struct ComparisonRunner: Sendable {
    /// `http://127.0.0.1:8080`, without a slash at the end.
    private let base: String
    private let cache: Cache?
    private let scenarios: [Scenario]
    private let timing: TimingPlan?
    private let warmUp: Scenario?
    private let anew: StartServer?

    /// A cache before the server, which says `HIT` in `X-Cache` where it has the answer.
    package struct Cache: Sendable {
        let base: String
        let tellsRunsApart: Bool
        let processorTime: (@Sendable () -> Duration?)?

        /// - Parameters:
        ///   - base: `http://127.0.0.1:8080`, without a slash at the end.
        ///   - tellsRunsApart: whether `X-Run` is a part of its keys. Where it is not, nobody can find it cold a second time.
        ///   - processorTime: what it has taken of the processors since it began; `nil` where nobody can tell.
        package init(base: String, tellsRunsApart: Bool, processorTime: (@Sendable () -> Duration?)? = nil) {
            self.base = base
            self.tellsRunsApart = tellsRunsApart
            self.processorTime = processorTime
        }
    }

    /// Starts another server of the same database for the time of a closure, and gives what the closure does.
    package typealias StartServer =
        @Sendable (_ body: @Sendable (_ server: any FreshServer) async throws -> Int?) async throws -> Int?

    /// - Parameters:
    ///   - server: `http://127.0.0.1:8080`, without a slash at the end. Nobody else should ask it anything meanwhile.
    ///   - cache: a cache before it; `nil` for none.
    ///   - timing: `nil` for what does not depend on time alone.
    ///   - warmUp: the task that a new server answers before its memory is measured; `nil` for the first scenario.
    ///   - anew: to measure memory; `nil` for not measuring it.
    package init(
        server base: String, cache: Cache? = nil, scenarios: [Scenario], timing: TimingPlan? = nil,
        warmUp: Scenario? = nil, anew: StartServer? = nil
    ) {
        self.base = base
        self.cache = cache
        self.timing = timing
        self.warmUp = warmUp ?? scenarios.first
        self.anew = anew
        self.scenarios = scenarios
    }

    /// Asks for each task in each style.
    /// - Parameter progress: told before each scenario.
    /// - Throws: ``ComparisonFailure`` if the server cannot be reached, or does not answer as a scenario expects. A scenario whose answer
    ///   is no JSON that can be read is left out, unless there is no other.
    package func run(progress: (_ scenario: Scenario, _ index: Int, _ count: Int) -> Void = { _, _, _ in }) async throws
        -> ComparisonReport
    {
        try await WireClient.with(base: base, connections: 1) { observing in
            var report = ComparisonReport()
            report.timing = timing
            for (index, scenario) in scenarios.enumerated() {
                progress(scenario, index, scenarios.count)
                do {
                    try await puttingBack(scenario, observing: observing) {
                        report.scenarios.append(try await self.report(scenario, observing: observing))
                    }
                } catch let failure as ComparisonFailure where failure.underlying is JSONError {
                    report.failures.append(failure)
                }
            }
            if report.scenarios.isEmpty, let failure = report.failures.first { throw failure }
            return report
        }
    }

    /// Leaves what a scenario writes as it was before, also if it fails or is told to end.
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
                let both = "\(error); and \(target) is not as it was, \(String(buffer: before)): \(unrestored)"
                throw ComparisonFailure(scenario: scenario.name, style: nil, underlying: UnexpectedAnswer(both))
            }
            throw error
        }
        try await restore()
    }

    private func report(
        _ scenario: Scenario, observing: WireClient
    ) async throws -> ComparisonReport.ScenarioReport {
        try await failing(scenario, .graphQLPersisted) { try await Asker(client: observing).register(scenario) }
        var costs: [(style: Style, cost: Cost, requests: [RequestCost])] = []
        var contenders: [Stopwatch.Contender] = []
        var results: Set<JSONValue> = []
        for style in styles(of: scenario) {
            let recorded = try await failing(scenario, style) {
                try await record(scenario, style, observing: observing)
            }
            results.formUnion([recorded.plain.result, recorded.gzipped.result])
            let cost = Cost(
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
        let timings = try await failing(scenario) { try await time(contenders, observing: observing) }
        let styles = costs.map { style, cost, requests in
            let own = zip(contenders, timings).filter { $0.0.style == style }.map(\.1)
            return ComparisonReport.StyleReport(style: style, cost: cost, requests: requests, timings: own)
        }
        return ComparisonReport.ScenarioReport(
            name: scenario.name, task: scenario.task, isEqual: results.count == 1, styles: styles)
    }

    /// None if time is not measured.
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

    /// What has been written is kept by no cache.
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

    /// Asks once without a coding and once in gzip.
    private func record(
        _ scenario: Scenario, _ style: Style, observing: WireClient
    ) async throws -> (plain: Recording, gzipped: Recording, work: ServerWork?) {
        func ask(acceptsGzip: Bool) async throws -> (Recording, ServerWork?) {
            try await WireClient.with(base: base(of: style), connections: 1, acceptsGzip: acceptsGzip) { client in
                // An answer that an earlier task has left in the cache may be too old a moment later.
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

extension WireClient.Response {
    /// The reason for a status: the detail of a problem (RFC 9457), the messages of GraphQL, or else the start of the body.
    fileprivate var reason: String {
        let text = String(buffer: body)
        guard let json = try? JSONValue(parsing: text.utf8) else { return String(text.prefix(300)) }
        if case .string(let detail)? = json["detail"] { return detail }
        return json["errors"]?.errorMessages ?? String(text.prefix(300))
    }
}

extension WireClient {
    /// - Throws: ``UnexpectedAnswer`` if the status is another than expected.
    func expecting(_ request: Request) async throws -> Response {
        let response =
            if request.isOfWritingTask {
                // A task of its own is not cancelled with this one.
                try await Task { try await send(request) }.value
            } else {
                try await send(request)
            }
        guard response.status == request.expectedStatus else {
            throw UnexpectedAnswer(
                "\(request.method.rawValue) \(request.target) has status \(response.status) instead of \(request.expectedStatus): \(response.reason)"
            )
        }
        return response
    }

    /// What the server tells of itself; `nil` if it does not, as behind a proxy.
    func metrics() async throws -> MetricsSnapshot? {
        let response = try await send(.get("/metrics", accept: "text/plain"))
        return response.status == 200 ? MetricsSnapshot(String(buffer: response.body)) : nil
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
        bases: Set<String>, connections: Int, acceptsGzip: Bool = false,
        _ body: ([String: WireClient]) async throws -> Value
    ) async throws -> Value {
        var left = bases
        guard let base = left.popFirst() else { return try await body([:]) }
        return try await with(base: base, connections: connections, acceptsGzip: acceptsGzip) { client in
            try await with(bases: left, connections: connections, acceptsGzip: acceptsGzip) { others in
                try await body(others.merging([base: client]) { $1 })
            }
        }
    }
}
