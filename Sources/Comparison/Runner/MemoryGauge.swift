/// Measures how much memory a server takes for a task. Each time it is a new process: one that has had memory keeps it, and would need no
/// more for the next.
struct MemoryGauge: Sendable {
    let plan: TimingPlan
    /// The task that a new server answers before its memory is measured.
    let warmUp: Scenario
    let anew: ComparisonRunner.StartServer

    /// - Returns: KiB, for each of the contenders; `nil` where there is a cache in between, or the system does not tell.
    func measure(_ contenders: [Stopwatch.Contender]) async throws -> [Estimate?] {
        var found: [Estimate?] = []
        for contender in contenders {
            guard contender.style.cacheState == nil else {
                found.append(nil)
                continue
            }
            // At once, for most of the time is that of starting them.
            let samples = try await withThrowingTaskGroup(of: Int?.self) { group in
                for _ in 0..<plan.memoryServers { group.addTask { try await growth(contender) } }
                return try await group.reduce(into: []) { samples, growth in
                    samples += growth.map { [Double($0)] } ?? []
                }
            }
            found.append(Estimate(samples))
        }
        return found
    }

    /// What the server has at most while clients ask for the task at once, beyond what it had before. It had been asked for something by
    /// then, in both styles, so what the first request of all takes is not counted.
    private func growth(_ contender: Stopwatch.Contender) async throws -> Int? {
        try await anew { server in
            try await WireClient.with(base: server.base, connections: plan.workers * plan.connections) { client in
                for style in [Style.restResources, .graphQL] { _ = try await Asker(client: client).ask(warmUp, style) }
                guard server.resetPeak(), let before = server.memory() else { return nil }
                _ = try await Load(client: client, contender, connections: plan.connections)
                    .closed(workers: plan.workers, for: plan.shortTurn)
                return server.memory().map { $0.peak - before.resident }
            }
        }
    }
}
