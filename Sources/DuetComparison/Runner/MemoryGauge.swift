/// Measures the memory that a server needs for a task. Each measurement uses a new process. A reused process would
/// still have the memory of the previous task, so its memory would not grow during the next task.
struct MemoryGauge: Sendable {
    let plan: TimingPlan
    /// The task that a new server performs before its memory is measured.
    let warmUp: Scenario
    let anew: ComparisonRunner.StartServer

    /// - Returns: The memory in KiB for each contender; nil if the contender uses a cache, or if the operating system
    ///   does not report memory.
    func measure(_ contenders: [Stopwatch.Contender]) async throws -> [Estimate?] {
        var found: [Estimate?] = []
        for contender in contenders {
            guard contender.style.cacheState == nil else {
                found.append(nil)
                continue
            }
            // Starting the servers takes most of the time, so they run concurrently.
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

    /// Returns the difference between the peak memory during the task and the memory before it. Several clients perform
    /// the task concurrently. Before the measurement, the server has executed the warm-up task by REST and by GraphQL,
    /// so that the memory for its first requests is not counted.
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
