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
    }

    let plan: TimingPlan
    let observing: WireClient

    /// What the rounds have given for one contender.
    private struct Samples {
        var alone = Load.Outcome().latencies
        var aloneMedians: [Double] = []
        var underLoad = Load.Outcome().latencies
        var underLoadMedians: [Double] = []
        var throughput: [Double] = []
        var serverCPU: [Double] = []
        var clientCPU: [Double] = []
        var memory: [Int] = []
    }

    /// - Returns: in the order of the contenders.
    func measure(_ contenders: [Contender]) async throws -> [Timing] {
        var samples = Array(repeating: Samples(), count: contenders.count)
        var rate = Double.infinity
        let bases = Set(contenders.map(\.base))
        try await WireClient.with(bases: bases, connections: plan.connections) { one in
            try await WireClient.with(bases: bases, connections: plan.workers * plan.connections) { many in
                for contender in contenders {
                    _ = try await load(contender, many).closed(workers: plan.workers, for: plan.turn)
                }
                for _ in 0..<plan.rounds {
                    for index in contenders.indices.shuffled() {
                        let alone = try await load(contenders[index], one).closed(workers: 1, for: plan.turn)
                        samples[index].alone.add(alone.latencies)
                        samples[index].aloneMedians.append(alone.latencies.microseconds(50))
                        try await measureThroughput(contenders[index], many, &samples[index])
                    }
                }
                // Half of what the slowest can do: all of them can, and none is idle.
                rate = samples.compactMap { Estimate($0.throughput)?.median }.min().map { $0 / 2 } ?? 1
                for _ in 0..<plan.rounds {
                    for index in contenders.indices.shuffled() {
                        let loaded = try await load(contenders[index], many).open(rate: rate, for: plan.turn)
                        samples[index].underLoad.add(loaded.latencies)
                        samples[index].underLoadMedians.append(loaded.latencies.microseconds(50))
                    }
                }
            }
        }
        var distances = Array(repeating: [Timing.Distance](), count: contenders.count)
        for roundTrip in plan.distances {
            try await measure(contenders, at: roundTrip) { distances[$0].append($1) }
        }
        return try zip(contenders, zip(samples, distances)).map { contender, found in
            let (samples, distances) = found
            guard let throughput = Estimate(samples.throughput), let clientCPU = Estimate(samples.clientCPU),
                let alone = Timing.Latency(samples.alone, medians: samples.aloneMedians),
                let underLoad = Timing.Latency(samples.underLoad, medians: samples.underLoadMedians)
            else { throw UnexpectedAnswer("nothing was measured; there is no round") }
            return Timing(
                mode: contender.mode, alone: alone, underLoad: underLoad, rate: rate, throughput: throughput,
                serverCPU: Estimate(samples.serverCPU), clientCPU: clientCPU, serverMemory: samples.memory.max(),
                distances: distances)
        }
    }

    private func load(_ contender: Contender, _ clients: [String: WireClient]) throws -> Load {
        guard let client = clients[contender.base] else { throw UnexpectedAnswer("nobody asks \(contender.base)") }
        return Load(
            client: client, rounds: contender.rounds, isParallel: contender.mode == .parallel,
            isCold: contender.style.cacheState == .cold)
    }

    /// Clients at their fastest, and what that takes of the processors.
    private func measureThroughput(_ contender: Contender, _ clients: [String: WireClient], _ samples: inout Samples)
        async throws
    {
        let before = try await observing.metrics()
        let start = Self.ownProcessorTime
        let outcome = try await load(contender, clients).closed(workers: plan.workers, for: plan.turn)
        let end = Self.ownProcessorTime
        let after = try await observing.metrics()
        samples.throughput.append(outcome.tasksPerSecond)
        samples.clientCPU.append((end - start) / Double(outcome.tasks))
        let name = "process_cpu_seconds_total"
        if let before = before?[name], let after = after?[name] {
            samples.serverCPU.append((after - before) * 1_000_000 / Double(outcome.tasks))
        }
        if let memory = after?["process_resident_memory_bytes"] { samples.memory.append(Int(memory)) }
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
