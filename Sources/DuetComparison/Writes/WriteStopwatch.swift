import Foundation

/// Measures the times of one task that writes. One client performs the task, because concurrent changes of the same
/// rows would wait for each other. All styles perform the same number of executions.
struct WriteStopwatch {
    let plan: TimingPlan
    /// The stations, each with a copy of the database of its own, and their modes.
    let places: [(station: WriteStation, mode: Timing.Mode)]
    let task: WriteTask
    /// The position of the task. Tasks with different positions write different rows.
    let turn: Int

    /// A style in one mode.
    private struct Contender {
        let station: WriteStation
        let mode: Timing.Mode
        var alone = Stopwatch.LatencySamples()
        var requests = Stopwatch.LatencySamples()
        var busy = Stopwatch.BusySamples()
        var distances: [[Double]]
        /// The number of executions so far.
        var count = 0
    }

    /// The largest number of executions of a task.
    private static let maximumExecutions = 20_000

    /// Returns the timing of each place.
    func measure() async throws -> [(style: Style, timing: Timing)] {
        var contenders: [Contender] = []
        for (station, mode) in places {
            contenders.append(Contender(station: station, mode: mode, distances: plan.distances.map { _ in [] }))
            try await station.register(task)
        }
        var slowest = Duration.zero
        for index in contenders.indices {
            slowest = max(slowest, try await execute(&contenders[index], times: 1).total)
        }
        let times = max(1, min(plan.turn.tasks, Int(plan.turn.limit / max(slowest, .microseconds(1)))))
        for _ in 0..<plan.rounds {
            for index in contenders.indices.shuffled() { try await measure(&contenders[index], times: times) }
        }
        for (position, distance) in plan.distances.enumerated() {
            for index in contenders.indices.shuffled() {
                try await measure(&contenders[index], at: distance, position)
            }
        }
        return try contenders.map { (style: $0.station.style, timing: try timing(of: $0)) }
    }

    private func timing(of contender: Contender) throws -> Timing {
        guard let alone = contender.alone.latency, let requests = contender.requests.latency,
            let busy = contender.busy.estimate
        else { throw UnexpectedAnswer("nothing was measured, because there are no rounds") }
        let distances = zip(plan.distances, contender.distances).compactMap { distance, samples in
            Estimate(samples).map { Timing.Distance(roundTrip: distance, latency: $0) }
        }
        return Timing(
            mode: contender.mode, alone: alone, requests: requests, underLoad: nil, busy: busy, compressed: nil,
            distances: distances)
    }

    private func measure(_ contender: inout Contender, times: Int) async throws {
        let result = try await execute(&contender, times: times, isMeasured: true)
        contender.alone.add(result.tasks)
        contender.requests.add(result.requests)
        contender.busy.throughput.append(Double(times) / (result.total / .seconds(1)))
        contender.busy.clientCPU.append(result.clientCPU / Double(times))
        if let serverCPU = result.serverCPU { contender.busy.serverCPU.append(serverCPU / Double(times)) }
    }

    /// The times of several executions.
    private struct Result {
        var tasks = Latencies()
        var requests = Latencies()
        var total = Duration.zero
        /// The processor times in microseconds.
        var clientCPU = 0.0
        var serverCPU: Double?
    }

    /// Performs the task several times. The requests that prepare all executions are sent first, and are not measured.
    private func execute(
        _ contender: inout Contender, times: Int, isMeasured: Bool = false, through client: WireClient? = nil
    ) async throws -> Result {
        let station = contender.station
        var executions: [WriteTask.Execution] = []
        for _ in 0..<times {
            guard contender.count < Self.maximumExecutions else {
                throw UnexpectedAnswer("the task was executed \(Self.maximumExecutions) times")
            }
            let number = 1 + Self.maximumExecutions * turn + contender.count
            executions.append(try await station.prepare(task, number: number, changes: contender.count))
            contender.count += 1
        }
        var result = Result()
        let before = isMeasured ? try await station.client.metrics() : nil
        let start = Stopwatch.ownProcessorTime
        for execution in executions {
            let begun = ContinuousClock.now
            let rounds = try await station.perform(task, execution, contender.mode, through: client)
            let time = ContinuousClock.now - begun
            result.tasks.record(time)
            result.total += time
            for answer in rounds.joined() { result.requests.record(answer.time) }
        }
        result.clientCPU = Stopwatch.ownProcessorTime - start
        if isMeasured, let before = before?[.processorTime],
            let after = try await station.client.metrics()?[.processorTime]
        {
            result.serverCPU = (after - before) * 1_000_000
        }
        return result
    }

    /// Performs the task once in each measurement round, with a simulated round-trip time.
    private func measure(_ contender: inout Contender, at distance: Duration, _ position: Int) async throws {
        guard let url = URL(string: contender.station.client.base), let host = url.host else {
            throw UnexpectedAnswer("\(contender.station.client.base) is not an address")
        }
        var measured = contender
        try await DelayingProxy.with(roundTrip: distance, to: host, port: url.port ?? 80) { base in
            try await WireClient.with(base: base, connections: plan.connections) { client in
                // The connection is open before the measurement.
                _ = try await client.metrics()
                for _ in 0..<plan.rounds {
                    let result = try await execute(&measured, times: 1, through: client)
                    measured.distances[position].append(result.tasks.median)
                }
            }
        }
        contender = measured
    }
}
