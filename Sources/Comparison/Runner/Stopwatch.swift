import Foundation
import Histogram

/// Measures the styles of one scenario against each other.
struct Stopwatch: Sendable {
    /// A style, and the requests it has made of the task.
    struct Contender: Sendable {
        /// The server, or the cache before it: `http://127.0.0.1:8080`.
        let base: String
        let style: Style
        let mode: Timing.Mode
        let rounds: [[Request]]
        /// Whether gzip makes a difference, and it is the server that compresses.
        let isCompressed: Bool
    }

    let plan: TimingPlan
    let observing: WireClient

    /// What the rounds have given for one contender.
    private struct Samples {
        var alone = Load.Outcome().latencies
        var aloneMedians: [Double] = []
        var underLoad = Load.Outcome().latencies
        var underLoadMedians: [Double] = []
        var busy = BusySamples()
        var compressed = BusySamples()
    }

    private struct BusySamples {
        var throughput: [Double] = []
        var serverCPU: [Double] = []
        var clientCPU: [Double] = []

        var estimate: Timing.Busy? {
            guard let throughput = Estimate(throughput), let clientCPU = Estimate(clientCPU) else { return nil }
            return Timing.Busy(throughput: throughput, serverCPU: Estimate(serverCPU), clientCPU: clientCPU)
        }
    }

    /// Clients by the server that they ask.
    private struct Clients {
        let one: [String: WireClient]
        let many: [String: WireClient]
        /// As many, who ask for gzip and unpack it.
        let unpacking: [String: WireClient]
    }

    /// - Returns: in the order of the contenders.
    func measure(_ contenders: [Contender]) async throws -> [Timing] {
        var samples = Array(repeating: Samples(), count: contenders.count)
        var rate = Double.infinity
        try await withClients(of: contenders) { clients in
            for contender in contenders {
                _ = try await load(contender, clients.many).closed(workers: plan.workers, for: plan.shortTurn)
            }
            for _ in 0..<plan.rounds {
                for index in contenders.indices.shuffled() {
                    let contender = contenders[index]
                    let alone = try await load(contender, clients.one).closed(workers: 1, for: plan.turn)
                    samples[index].alone.add(alone.latencies)
                    samples[index].aloneMedians.append(alone.latencies.microseconds(50))
                    try await measureBusy(contender, clients.many, for: plan.turn, &samples[index].busy)
                    if contender.isCompressed {
                        try await measureBusy(
                            contender, clients.unpacking, for: plan.shortTurn, &samples[index].compressed)
                    }
                }
            }
            // Half of what the slowest can do: all of them can, and none is idle.
            rate = samples.compactMap { Estimate($0.busy.throughput)?.median }.min().map { $0 / 2 } ?? 1
            for _ in 0..<plan.rounds {
                for index in contenders.indices.shuffled() {
                    let loaded = try await load(contenders[index], clients.many).open(rate: rate, for: plan.turn)
                    samples[index].underLoad.add(loaded.latencies)
                    samples[index].underLoadMedians.append(loaded.latencies.microseconds(50))
                }
            }
        }
        var distances = Array(repeating: [Timing.Distance](), count: contenders.count)
        for roundTrip in plan.distances {
            try await measure(contenders, at: roundTrip) { distances[$0].append($1) }
        }
        return try zip(contenders, zip(samples, distances)).map { contender, found in
            let (samples, distances) = found
            guard let busy = samples.busy.estimate,
                let alone = Timing.Latency(samples.alone, medians: samples.aloneMedians),
                let underLoad = Timing.Latency(samples.underLoad, medians: samples.underLoadMedians)
            else { throw UnexpectedAnswer("nothing was measured; there is no round") }
            return Timing(
                mode: contender.mode, alone: alone, underLoad: underLoad, rate: rate, busy: busy,
                compressed: samples.compressed.estimate, distances: distances)
        }
    }

    private func load(_ contender: Contender, _ clients: [String: WireClient]) throws -> Load {
        guard let client = clients[contender.base] else { throw UnexpectedAnswer("nobody asks \(contender.base)") }
        return Load(client: client, contender)
    }

    private func withClients(of contenders: [Contender], _ body: (Clients) async throws -> Void) async throws {
        let bases = Set(contenders.map(\.base))
        let connections = plan.workers * plan.connections
        try await WireClient.with(bases: bases, connections: plan.connections) { one in
            try await WireClient.with(bases: bases, connections: connections) { many in
                try await WireClient.with(bases: bases, connections: connections, acceptsGzip: true) { unpacking in
                    try await body(Clients(one: one, many: many, unpacking: unpacking))
                }
            }
        }
    }

    /// Clients at their fastest, and what that takes of the processors.
    private func measureBusy(
        _ contender: Contender, _ clients: [String: WireClient], for turn: Duration, _ samples: inout BusySamples
    ) async throws {
        let before = try await observing.metrics()
        let start = Self.ownProcessorTime
        let outcome = try await load(contender, clients).closed(workers: plan.workers, for: turn)
        let end = Self.ownProcessorTime
        let after = try await observing.metrics()
        samples.throughput.append(outcome.tasksPerSecond)
        samples.clientCPU.append((end - start) / Double(outcome.tasks))
        let name = "process_cpu_seconds_total"
        if let before = before?[name], let after = after?[name] {
            samples.serverCPU.append((after - before) * 1_000_000 / Double(outcome.tasks))
        }
    }

    /// Microseconds of processors that this process has taken.
    private static var ownProcessorTime: Double {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        func microseconds(_ time: timeval) -> Double { Double(time.tv_sec) * 1_000_000 + Double(time.tv_usec) }
        return microseconds(usage.ru_utime) + microseconds(usage.ru_stime)
    }

    /// All at once: they wait for most of the time. The cache, if there is one, stands beside the server.
    private func measure(
        _ contenders: [Contender], at roundTrip: Duration, _ found: (Int, Timing.Distance) -> Void
    ) async throws {
        let latencies = try await withThrowingTaskGroup { group in
            for (index, contender) in contenders.enumerated() {
                group.addTask { (index, try await latency(of: contender, at: roundTrip)) }
            }
            return try await group.reduce(into: [Int: Double]()) { $0[$1.0] = $1.1 }
        }
        for (index, latency) in latencies { found(index, Timing.Distance(roundTrip: roundTrip, latency: latency)) }
    }

    /// The median, in microseconds.
    private func latency(of contender: Contender, at roundTrip: Duration) async throws -> Double {
        guard let url = URL(string: contender.base), let host = url.host else {
            throw UnexpectedAnswer("\(contender.base) is no address")
        }
        return try await DelayingProxy.with(roundTrip: roundTrip, to: host, port: url.port ?? 80) { far in
            try await WireClient.with(base: far, connections: plan.connections) { client in
                try await load(contender, [contender.base: client]).closed(workers: 1, for: roundTrip * 3)
                    .latencies.microseconds(50)
            }
        }
    }
}

extension Load.Latencies {
    /// A percentile, 0 to 100, in microseconds.
    fileprivate func microseconds(_ percentile: Double) -> Double { Double(valueAtPercentile(percentile)) / 1000 }
}

extension Timing.Latency {
    fileprivate init?(_ all: Load.Latencies, medians: [Double]) {
        guard let p50 = Estimate(medians) else { return nil }
        self.init(
            p50: p50, p90: all.microseconds(90), p99: all.microseconds(99), p999: all.microseconds(99.9))
    }
}
