import Foundation

/// Measures the styles of one scenario alternately.
struct Stopwatch: Sendable {
    /// A style in one mode, with its requests for the task. The measurements compare contenders.
    struct Contender: Sendable {
        /// The base address of the server, or of the cache before the server, such as `http://127.0.0.1:8080`.
        let base: String
        let style: Style
        let mode: Timing.Mode
        let rounds: [[Request]]
        /// True if the style uses no cache, and gzip reduces the size of the responses.
        let isCompressed: Bool
        /// See ``Scenario/written``.
        let written: Scenario.Written?
    }

    let plan: TimingPlan
    let observing: WireClient
    /// See ``ComparisonRunner/Cache/processorTime``.
    let cacheProcessorTime: (@Sendable () -> Duration?)?

    /// The measurements of one contender in all measurement rounds (``TimingPlan/rounds``).
    private struct Samples {
        var alone = LatencySamples()
        var requests = LatencySamples()
        var underLoad = LatencySamples()
        var busy = BusySamples()
        var compressed = BusySamples()
    }

    struct LatencySamples {
        private var all = Latencies()
        private var medians: [Double] = []

        mutating func add(_ round: Latencies) {
            all.add(round)
            medians.append(round.median)
        }

        var latency: Timing.Latency? {
            Estimate(medians).map {
                Timing.Latency(p50: $0, p90: all.tail(90), p99: all.tail(99), p999: all.tail(99.9), count: all.count)
            }
        }
    }

    struct BusySamples {
        var throughput: [Double] = []
        var serverCPU: [Double] = []
        var clientCPU: [Double] = []
        var cacheCPU: [Double] = []

        var estimate: Timing.Busy? {
            guard let throughput = Estimate(throughput), let clientCPU = Estimate(clientCPU) else { return nil }
            return Timing.Busy(
                throughput: throughput, serverCPU: Estimate(serverCPU), clientCPU: clientCPU,
                cacheCPU: Estimate(cacheCPU))
        }
    }

    /// The clients, by the base address of the server or cache.
    private struct Clients {
        let one: [String: WireClient]
        let many: [String: WireClient]
        /// The clients that request gzip and decompress it. They have as many connections as the clients in ``many``.
        let unpacking: [String: WireClient]
    }

    /// The kind of measurement that a turn performs.
    private enum Kind {
        case alone, busy, compressed
    }

    /// - Returns: The timings, in the order of the contenders.
    func measure(_ contenders: [Contender]) async throws -> [Timing] {
        var samples = Array(repeating: Samples(), count: contenders.count)
        var rate = Double.infinity
        let turns = contenders.enumerated().flatMap { index, contender in
            let kinds: [Kind] = contender.isCompressed ? [.alone, .busy, .compressed] : [.alone, .busy]
            return kinds.map { (index: index, kind: $0) }
        }
        try await withClients(of: contenders) { clients in
            for turn in turns { _ = try await load(contenders[turn.index], turn.kind, clients, for: plan.warmUp) }
            for _ in 0..<plan.rounds {
                for turn in turns.shuffled() {
                    try await measure(contenders[turn.index], turn.kind, clients, &samples[turn.index])
                }
            }
            rate = Self.rate(zip(contenders, samples).map { ($0.style, $1.busy.throughput) })
            for _ in 0..<plan.rounds {
                // Styles with a cache are omitted, because their clients send the requests to the cache.
                for index in contenders.indices.filter({ contenders[$0].style.cacheState == nil }).shuffled() {
                    let load = try load(contenders[index], clients.many)
                    samples[index].underLoad.add(try await load.open(rate: rate, for: plan.turn).latencies)
                }
            }
        }
        let distances = try await DistanceGauge(plan: plan, token: observing.token).measure(contenders)
        return try zip(contenders, zip(samples, distances)).map { contender, found in
            let (samples, distances) = found
            guard let busy = samples.busy.estimate, let alone = samples.alone.latency,
                let requests = samples.requests.latency
            else { throw UnexpectedAnswer("nothing was measured, because there are no rounds") }
            let underLoad = samples.underLoad.latency.map { Timing.UnderLoad(rate: rate, latency: $0) }
            return Timing(
                mode: contender.mode, alone: alone, requests: requests, underLoad: underLoad, busy: busy,
                compressed: samples.compressed.estimate, distances: distances)
        }
    }

    /// Returns the constant rate in tasks per second: half of the throughput of the slowest style without a cache.
    /// Every style can sustain this rate.
    private static func rate(_ throughputs: [(style: Style, samples: [Double])]) -> Double {
        let direct = throughputs.filter { $0.style.cacheState == nil }
        return direct.compactMap { Estimate($0.samples)?.median }.min().map { $0 / 2 } ?? 1
    }

    private func load(_ contender: Contender, _ clients: [String: WireClient]) throws -> Load {
        guard let client = clients[contender.base] else {
            throw UnexpectedAnswer("there is no client for \(contender.base)")
        }
        return Load(client: client, contender, connections: plan.connections)
    }

    private func load(
        _ contender: Contender, _ kind: Kind, _ clients: Clients, for turn: TimingPlan.Turn
    ) async throws -> Load.Outcome {
        switch kind {
        case .alone: try await load(contender, clients.one).closed(workers: 1, for: turn)
        case .busy: try await load(contender, clients.many).closed(workers: plan.workers, for: turn)
        case .compressed: try await load(contender, clients.unpacking).closed(workers: plan.workers, for: turn)
        }
    }

    private func withClients(of contenders: [Contender], _ body: (Clients) async throws -> Void) async throws {
        let bases = Set(contenders.map(\.base))
        let connections = plan.workers * plan.connections
        let token = observing.token
        try await WireClient.with(bases: bases, connections: plan.connections, token: token) { one in
            try await WireClient.with(bases: bases, connections: connections, token: token) { many in
                try await WireClient.with(
                    bases: bases, connections: connections, acceptsGzip: true, token: token
                ) { unpacking in
                    try await body(Clients(one: one, many: many, unpacking: unpacking))
                }
            }
        }
    }

    private func measure(
        _ contender: Contender, _ kind: Kind, _ clients: Clients, _ samples: inout Samples
    ) async throws {
        switch kind {
        case .alone:
            let outcome = try await load(contender, kind, clients, for: plan.turn)
            samples.alone.add(outcome.latencies)
            samples.requests.add(outcome.requests)
        case .busy:
            try await measureBusy(contender, &samples.busy) {
                try await load(contender, kind, clients, for: plan.busyTurn)
            }
        case .compressed:
            try await measureBusy(contender, &samples.compressed) {
                try await load(contender, kind, clients, for: plan.shortTurn)
            }
        }
    }

    /// Measures the maximum throughput of concurrent clients, and the processor time of server, clients and cache.
    private func measureBusy(
        _ contender: Contender, _ samples: inout BusySamples, _ load: () async throws -> Load.Outcome
    ) async throws {
        let cacheTime = contender.style.cacheState == nil ? nil : cacheProcessorTime
        let before = try await observing.metrics()
        let cacheBefore = cacheTime?()
        let start = Self.ownProcessorTime
        let outcome = try await load()
        let end = Self.ownProcessorTime
        let cacheAfter = cacheTime?()
        let after = try await observing.metrics()
        let tasks = Double(outcome.latencies.count)
        samples.throughput.append(outcome.tasksPerSecond)
        samples.clientCPU.append((end - start) / tasks)
        if let cacheBefore, let cacheAfter {
            samples.cacheCPU.append((cacheAfter - cacheBefore) / .microseconds(1) / tasks)
        }
        if let before = before?[.processorTime], let after = after?[.processorTime] {
            samples.serverCPU.append((after - before) * 1_000_000 / tasks)
        }
    }

    /// The processor time of this process in microseconds.
    static var ownProcessorTime: Double {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        func microseconds(_ time: timeval) -> Double { Double(time.tv_sec) * 1_000_000 + Double(time.tv_usec) }
        return microseconds(usage.ru_utime) + microseconds(usage.ru_stime)
    }
}
