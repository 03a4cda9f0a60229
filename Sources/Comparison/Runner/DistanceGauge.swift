import Foundation

/// Measures how long a task takes from afar: a ``DelayingProxy`` is between client and server. A cache, if there is one, stands beside the
/// server.
struct DistanceGauge: Sendable {
    let plan: TimingPlan

    /// - Returns: for each of the contenders, what was found at each of the plan's distances.
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

    /// In microseconds, one of each round.
    private func medians(
        of contenders: [Stopwatch.Contender], at roundTrip: Duration
    ) async throws -> [[Double]] {
        var medians = Array(repeating: [Double](), count: contenders.count)
        try await withClients(of: contenders, at: roundTrip) { clients in
            for (contender, client) in zip(contenders, clients) {
                // So that there is a connection.
                guard let first = contender.rounds.first?.first else { continue }
                try await Load(client: client, rounds: [[first]], written: contender.written).once()
            }
            let loads = zip(contenders, clients).map { Load(client: $1, $0, connections: plan.connections) }
            var waited = Array(repeating: Duration.zero, count: contenders.count)
            for _ in 0..<plan.rounds {
                let waiting = contenders.indices.filter { waited[$0] < plan.patience }.shuffled()
                // From afar they wait for most of the time, and can do so together.
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
        // From afar one task takes so long that the next would tell little more.
        let turn = roundTrip == .zero ? plan.warmUp : TimingPlan.Turn(duration: .zero)
        return try await withThrowingTaskGroup { group in
            for (place, (index, load)) in loads.enumerated() {
                group.addTask {
                    // Not in the same instant, or each would wait for the others' requests.
                    try await Task.sleep(for: roundTrip * place / loads.count)
                    return (index, try await load.closed(workers: 1, for: turn))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// - Parameter body: is given a client for each of the contenders, in their order.
    private func withClients(
        of contenders: [Stopwatch.Contender], at roundTrip: Duration, _ body: ([WireClient]) async throws -> Void
    ) async throws {
        func with(
            _ left: ArraySlice<Stopwatch.Contender>, _ clients: [WireClient], _ proxies: [String: String]
        ) async throws {
            guard let contender = left.first else { return try await body(clients) }
            guard let proxy = proxies[contender.base] else {
                guard let url = URL(string: contender.base), let host = url.host else {
                    throw UnexpectedAnswer("\(contender.base) is no address")
                }
                return try await DelayingProxy.with(roundTrip: roundTrip, to: host, port: url.port ?? 80) { far in
                    try await with(left, clients, proxies.merging([contender.base: far]) { $1 })
                }
            }
            try await WireClient.with(base: proxy, connections: plan.connections) { client in
                try await with(left.dropFirst(), clients + [client], proxies)
            }
        }
        try await with(contenders[...], [], [:])
    }
}
