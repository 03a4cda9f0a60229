import Foundation
import NIOCore
import Synchronization

/// Asks for a task again and again, without reading the answers but for their length: what is measured is the server and the way to it.
struct Load: Sendable {
    let client: WireClient
    /// The requests as they were when the task was asked for once.
    let rounds: [[Request]]
    /// How many requests of a round are under way at once, at most.
    let width: Int
    /// Whether each task is a run of its own, for which a cache in between has nothing.
    let isCold: Bool
    /// See ``Scenario/written``.
    let written: Scenario.Written?
    /// The time that latencies are read from. Tests have a clock of their own.
    var now: @Sendable () -> ContinuousClock.Instant = { .now }

    /// - Parameter connections: of one client, which it uses at once where requests are sent in parallel.
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

    /// What came out.
    struct Outcome: Sendable {
        /// How long tasks took.
        var latencies = Latencies()
        /// How long the requests took, each of them.
        var requests = Latencies()
        var elapsed = Duration.zero
        /// What all clients did in a second, each as long as it was at it: who ends earlier than others does not make them slower.
        var tasksPerSecond = 0.0
    }

    /// Asks for the task once.
    /// - Returns: how long each request took.
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
                // Whoever has an answer sends the next request: as many connections as a client has, and no more.
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
            throw UnexpectedAnswer("\(request.target) has another answer than before: \(text.prefix(300))")
        }
        return now() - start
    }

    /// Clients that each ask again as soon as they have their answer, at least once.
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

    /// How many tasks all clients of a turn have done.
    private final class TaskCount: Sendable {
        private let count = Atomic(0)

        func increment() -> Int { count.add(1, ordering: .relaxed).newValue }
    }

    /// Tasks that begin at a constant rate, whether or not those before have ended: what waits in line counts from when it should have
    /// begun, so a server that stalls cannot hide it by being asked less (coordinated omission).
    /// - Parameter rate: tasks a second.
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
