/// Measures how much memory a server needs for a task. Each measurement uses a new process, because a process does not
/// return memory to the system and would reuse it for the next task.
struct MemoryGauge: Sendable {
    let plan: TimingPlan
    /// The task that a new server answers before its memory is measured.
    let warmUp: Scenario
    let anew: ComparisonRunner.StartServer

    /// - Returns: KiB for each contender; nil if the contender uses a cache, or if the system does not report memory.
    func measure(_ contenders: [Stopwatch.Contender]) async throws -> [Estimate?] {
        var found: [Estimate?] = []
        for contender in contenders {
            guard contender.style.cacheState == nil else {
                found.append(nil)
                continue
            }
            // The servers run concurrently because starting them takes most of the time.
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

    /// Returns the difference between the peak memory while clients perform the task concurrently and the memory
    /// before. The server has already answered a request in both styles, so that the memory of the very first request
    /// is not counted.
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
