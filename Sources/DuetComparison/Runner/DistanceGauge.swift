import Foundation

/// Measures the duration of a task with a simulated round-trip time. For this purpose, a ``DelayingProxy`` is between
/// the client and the server. For a style with a cache, the cache is between the proxy and the server.
struct DistanceGauge: Sendable {
    let plan: TimingPlan
    /// The token of each request; nil for requests of an anonymous caller.
    let token: String?

    /// - Returns: The durations for each contender and each round-trip time of the plan.
    func measure(_ contenders: [Stopwatch.Contender]) async throws -> [[Timing.Distance]] {
        var found = Array(repeating: [Timing.Distance](), count: contenders.count)
        for roundTrip in plan.distances {
            for (index, medians) in try await medians(of: contenders, at: roundTrip).enumerated() {
                if let latency = Estimate(medians) {
                    found[index].append(Timing.Distance(roundTrip: roundTrip, latency: latency))
                }
            }
        }
        return found
    }

    /// Returns the median of each measurement round (``TimingPlan/rounds``) for each contender, in microseconds.
    private func medians(
        of contenders: [Stopwatch.Contender], at roundTrip: Duration
    ) async throws -> [[Double]] {
        var medians = Array(repeating: [Double](), count: contenders.count)
        try await withClients(of: contenders, at: roundTrip) { clients in
            for (contender, client) in zip(contenders, clients) {
                // Send one request before the measurement, so that the connection is open.
                guard let first = contender.rounds.first?.first else { continue }
                try await Load(client: client, rounds: [[first]], written: contender.written).once()
            }
            let loads = zip(contenders, clients).map { Load(client: $1, $0, connections: plan.connections) }
            var waited = Array(repeating: Duration.zero, count: contenders.count)
            for _ in 0..<plan.rounds {
                let waiting = contenders.indices.filter { waited[$0] < plan.patience }.shuffled()
                // With a round-trip time, the contenders mostly wait for responses. They can therefore be measured
                // concurrently.
                for group in roundTrip == .zero ? waiting.map({ [$0] }) : [waiting] {
                    for (index, outcome) in try await turns(group.map { ($0, loads[$0]) }, at: roundTrip) {
                        medians[index].append(outcome.latencies.median)
                        waited[index] += outcome.elapsed
                    }
                }
            }
        }
        return medians
    }

    private func turns(
        _ loads: [(index: Int, load: Load)], at roundTrip: Duration
    ) async throws -> [(index: Int, outcome: Load.Outcome)] {
        // With a round-trip time, one task takes so long that further tasks add little information.
        let turn = roundTrip == .zero ? plan.warmUp : TimingPlan.Turn(duration: .zero)
        return try await withThrowingTaskGroup { group in
            for (place, (index, load)) in loads.enumerated() {
                group.addTask {
                    // Spread the start times. Otherwise, the requests of all contenders would arrive at the server at
                    // the same time.
                    try await Task.sleep(for: roundTrip * place / loads.count)
                    return (index, try await load.closed(workers: 1, for: turn))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// - Parameter body: Receives one client for each contender, in the order of the contenders.
    private func withClients(
        of contenders: [Stopwatch.Contender], at roundTrip: Duration, _ body: ([WireClient]) async throws -> Void
    ) async throws {
        func with(
            _ left: ArraySlice<Stopwatch.Contender>, _ clients: [WireClient], _ proxies: [String: String]
        ) async throws {
            guard let contender = left.first else { return try await body(clients) }
            guard let proxy = proxies[contender.base] else {
                guard let url = URL(string: contender.base), let host = url.host else {
                    throw UnexpectedAnswer("\(contender.base) is not an address")
                }
                return try await DelayingProxy.with(roundTrip: roundTrip, to: host, port: url.port ?? 80) { far in
                    try await with(left, clients, proxies.merging([contender.base: far]) { $1 })
                }
            }
            try await WireClient.with(base: proxy, connections: plan.connections, token: token) { client in
                try await with(left.dropFirst(), clients + [client], proxies)
            }
        }
        try await with(contenders[...], [], [:])
    }
}
