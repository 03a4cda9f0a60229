import Foundation
import NIOCore
import Synchronization

/// Performs a task repeatedly. Each response is checked only by its length, so that the client's work does not dominate
/// the measurement.
struct Load: Sendable {
    let client: WireClient
    /// The requests of each round, recorded in an earlier execution of the task.
    let rounds: [[Request]]
    /// The maximum number of concurrent requests of a round.
    let width: Int
    /// True if each execution has a different ``Request/run``, so that an intermediate cache has no responses for it.
    let isCold: Bool
    /// See ``Scenario/written``.
    let written: Scenario.Written?
    /// Returns the current time, from which latencies are computed. Tests use a different clock.
    var now: @Sendable () -> ContinuousClock.Instant = { .now }

    /// - Parameter connections: The number of connections of one client. If requests are sent in parallel, it is the
    ///   maximum number of concurrent requests.
    init(client: WireClient, _ contender: Stopwatch.Contender, connections: Int) {
        self.init(
            client: client, rounds: contender.rounds, width: contender.mode == .parallel ? connections : 1,
            isCold: contender.style.cacheState == .cold, written: contender.written)
    }

    init(
        client: WireClient, rounds: [[Request]], width: Int = 1, isCold: Bool = false, written: Scenario.Written? = nil
    ) {
        self.client = client
        self.rounds = rounds
        self.width = width
        self.isCold = isCold
        self.written = written
    }

    /// The result of a measurement.
    struct Outcome: Sendable {
        /// The durations of the tasks.
        var latencies = Latencies()
        /// The durations of the individual requests.
        var requests = Latencies()
        var elapsed = Duration.zero
        /// The sum of the clients' throughputs, in tasks per second. The throughput of a client is computed for the
        /// time in which the client is active. A client that ends early therefore does not reduce the sum.
        var tasksPerSecond = 0.0
    }

    /// Performs the task once.
    /// - Returns: The duration of each request.
    @discardableResult
    func once() async throws -> [Duration] {
        let change = RequestChange(run: isCold ? UUID().uuidString : nil, written: written)
        var latencies: [Duration] = []
        for round in rounds {
            guard width > 1, round.count > 1 else {
                for request in round { latencies.append(try await send(change.applied(to: request))) }
                continue
            }
            var left = round[...]
            try await withThrowingTaskGroup(of: Duration.self) { group in
                for request in left.prefix(width) { group.addTask { try await send(change.applied(to: request)) } }
                left = left.dropFirst(width)
                // Each response triggers the next request. The number of active requests therefore does not exceed the
                // number of connections.
                while let latency = try await group.next() {
                    latencies.append(latency)
                    if let request = left.popFirst() { group.addTask { try await send(change.applied(to: request)) } }
                }
            }
        }
        return latencies
    }

    private func send(_ request: Request) async throws -> Duration {
        try Task.checkCancellation()
        let start = now()
        let response = try await client.expecting(request)
        guard request.expectedLength == nil || request.expectedLength == response.body.readableBytes else {
            let text = String(buffer: response.body)
            throw UnexpectedAnswer("\(request.target) now has a response with a different length: \(text.prefix(300))")
        }
        return now() - start
    }

    /// Runs several clients concurrently for one turn. Each client performs the task at least once. Until the turn
    /// ends, each client starts the task again as soon as it has completed the task.
    func closed(workers: Int, for turn: TimingPlan.Turn) async throws -> Outcome {
        let start = now()
        let done = TaskCount()
        var outcome = Outcome()
        try await withThrowingTaskGroup { group in
            for _ in 0..<workers {
                group.addTask {
                    var outcome = Outcome()
                    while true {
                        let begun = now()
                        for latency in try await once() { outcome.requests.record(latency) }
                        let ended = now()
                        outcome.latencies.record(ended - begun)
                        let tasks = done.increment()
                        let isEnough = ended - start >= turn.duration && tasks >= turn.tasks
                        guard !isEnough, ended - start < turn.limit else {
                            outcome.tasksPerSecond = Double(outcome.latencies.count) / ((ended - start) / .seconds(1))
                            return outcome
                        }
                    }
                }
            }
            for try await part in group {
                outcome.latencies.add(part.latencies)
                outcome.requests.add(part.requests)
                outcome.tasksPerSecond += part.tasksPerSecond
            }
        }
        outcome.elapsed = now() - start
        return outcome
    }

    /// The number of tasks that all clients together have completed.
    private final class TaskCount: Sendable {
        private let count = Atomic(0)

        func increment() -> Int { count.add(1, ordering: .relaxed).newValue }
    }

    /// Starts tasks at a constant rate, without waiting for the end of the previous tasks. The latency of a task is
    /// measured from its scheduled start. Otherwise, a server that stalls would receive fewer requests in this time,
    /// and the measurement would hide the delay (coordinated omission).
    /// - Parameter rate: The rate, in tasks per second.
    func open(rate: Double, for turn: TimingPlan.Turn) async throws -> Outcome {
        func tasks(in duration: Duration) -> Int { Int((rate * (duration / .seconds(1))).rounded(.up)) }
        let count = max(tasks(in: turn.duration), min(turn.tasks, tasks(in: turn.limit)))
        let start = ContinuousClock.now
        var outcome = Outcome()
        try await withThrowingTaskGroup { group in
            for number in 0..<count {
                let due = start + .seconds(Double(number) / rate)
                try await Task.sleep(until: due, tolerance: .zero, clock: .continuous)
                group.addTask {
                    try await once()
                    return ContinuousClock.now - due
                }
            }
            for try await latency in group { outcome.latencies.record(latency) }
        }
        outcome.elapsed = .now - start
        return outcome
    }
}
