import Foundation
import Histogram
import Synchronization

/// Asks for a task again and again, without reading the answers: what is measured is the server and the way to it.
struct Load: Sendable {
    let client: WireClient
    /// The requests as they were when the task was asked for once.
    let rounds: [[Request]]
    /// Whether the requests of a round are sent at once.
    let isParallel: Bool
    /// Whether each task is a run of its own, for which a cache in between has nothing.
    let isCold: Bool

    init(client: WireClient, _ contender: Stopwatch.Contender) {
        self.client = client
        rounds = contender.rounds
        isParallel = contender.mode == .parallel
        isCold = contender.style.cacheState == .cold
    }

    /// How long tasks took, in nanoseconds.
    typealias Latencies = Histogram<UInt32>

    /// What came out.
    struct Outcome: Sendable {
        var latencies = Latencies(highestTrackableValue: 600_000_000_000, numberOfSignificantValueDigits: .three)
        var elapsed = Duration.zero

        var tasks: Int { Int(latencies.totalCount) }
        var tasksPerSecond: Double { Double(tasks) / (elapsed / .seconds(1)) }

        fileprivate mutating func record(_ latency: Duration) {
            latencies.record(UInt64(max(1, latency / .nanoseconds(1))))
        }
    }

    /// Asks for the task once.
    func once() async throws {
        let run = isCold ? UUID().uuidString : nil
        for round in rounds {
            if isParallel, round.count > 1 {
                try await withThrowingTaskGroup { group in
                    for request in round { group.addTask { try await send(request, run) } }
                    try await group.waitForAll()
                }
            } else {
                for request in round { try await send(request, run) }
            }
        }
    }

    private func send(_ request: Request, _ run: String?) async throws {
        var request = request
        request.run = run
        let response = try await client.send(request)
        guard response.status == request.expectedStatus else {
            throw UnexpectedAnswer(
                "\(request.target) has status \(response.status) instead of \(request.expectedStatus)")
        }
    }

    /// Clients that each ask again as soon as they have their answer, at least once.
    func closed(workers: Int, for duration: Duration) async throws -> Outcome {
        let start = ContinuousClock.now
        let end = start + duration
        var outcome = Outcome()
        try await withThrowingTaskGroup { group in
            for _ in 0..<workers {
                group.addTask {
                    var outcome = Outcome()
                    repeat {
                        let start = ContinuousClock.now
                        try await once()
                        outcome.record(.now - start)
                    } while ContinuousClock.now < end
                    return outcome
                }
            }
            for try await part in group { outcome.latencies.add(part.latencies) }
        }
        outcome.elapsed = .now - start
        return outcome
    }

    /// Tasks that begin at a constant rate, whether or not those before have ended: what waits in line counts from when it should have
    /// begun, so a server that stalls cannot hide it by being asked less (coordinated omission).
    /// - Parameter rate: tasks a second.
    func open(rate: Double, for duration: Duration) async throws -> Outcome {
        let start = ContinuousClock.now
        let count = max(1, Int(rate * (duration / .seconds(1))))
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
            for try await latency in group { outcome.record(latency) }
        }
        outcome.elapsed = .now - start
        return outcome
    }
}
