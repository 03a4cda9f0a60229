import Foundation
import NIOCore
import Synchronization
import Testing

@testable import DuetComparison

@Suite("Load") struct LoadTests {
    private func withLoad(
        requests: Int = 1, width: Int = 1, connections: Int = 48, pace: @escaping PacedServer.Pacing,
        _ body: (Load, PacedServer) async throws -> Void
    ) async throws {
        try await PacedServer.with(pace: pace) { base, server in
            try await WireClient.with(base: base, connections: connections) { client in
                let round = (0..<requests).map { Request.get("/\($0)") }
                try await body(Load(client: client, rounds: [round], width: width), server)
            }
        }
    }

    @Test(
        "Latencies under load at a constant rate include the waits while the server stalls. Sequential load hides them",
        .timeLimit(.minutes(15)))
    func stall() async throws {
        // The server responds to the requests 20 to 59 only when it has received request 59. At 100 requests a second,
        // request 20 therefore waits for 390 ms, request 21 for 380 ms, and so on. On a slow machine, the requests
        // wait longer.
        let stalling: PacedServer.Pacing = { (20..<60).contains($0) ? .together(40, then: .zero) : .atOnce }
        try await withLoad(connections: 100, pace: stalling) { load, _ in
            let outcome = try await load.open(
                rate: 100, for: TimingPlan.Turn(duration: .seconds(1), tasks: 100, limit: .seconds(1)))
            #expect(outcome.latencies.count == 100)
            let p90 = try #require(outcome.latencies.tail(90))
            #expect(p90 >= 200_000, "\(p90) µs")
        }
        // Here the test controls the clock: only the 20th response takes time.
        let clock = TestClock()
        let slowOnce: PacedServer.Pacing = { $0 == 20 ? .atOnce { clock.advance(by: .milliseconds(400)) } : .atOnce }
        try await withLoad(pace: slowOnce) { load, _ in
            var load = load
            load.now = { clock.now }
            let outcome = try await load.closed(
                workers: 1, for: TimingPlan.Turn(duration: .zero, tasks: 100, limit: .seconds(60)))
            #expect(outcome.latencies.count == 100 && outcome.elapsed == .milliseconds(400))
            #expect(try #require(outcome.latencies.tail(90)) < 1)
        }
    }

    @Test("A request of a writing task is completed even if the Swift task that sends the request is canceled")
    func cancellation() async throws {
        let pace: PacedServer.Pacing = { _ in .atOnce }
        try await PacedServer.with(pace: pace) { base, _ in
            try await WireClient.with(base: base, connections: 1) { client in
                let write = Request(method: .post, target: "/", body: "{}", isOfWritingTask: true)
                // A client that ends canceled requests can still receive a response that arrives early enough. One
                // request would therefore prove little.
                for _ in 0..<100 {
                    let sender = Task {
                        withUnsafeCurrentTask { $0?.cancel() }
                        return try await client.expecting(write).status
                    }
                    let status = try await sender.value
                    #expect(status == 200)
                }
            }
        }
    }

    @Test("Tasks start when they are due, even if earlier tasks have not ended", .timeLimit(.minutes(15)))
    func due() async throws {
        // The first response is sent after all requests have started.
        let together: PacedServer.Pacing = { _ in .together(20, then: .milliseconds(300)) }
        try await withLoad(pace: together) { load, server in
            let outcome = try await load.open(rate: 100, for: TimingPlan.Turn(duration: .milliseconds(200)))
            #expect(outcome.latencies.count == 20)
            #expect(server.greatestInFlight == 20 && outcome.latencies.median >= 300_000)
        }
    }

    @Test(
        "The number of concurrent requests of a task is at most the width of the load, even if several clients run",
        .timeLimit(.minutes(15)), arguments: [1, 2])
    func window(workers: Int) async throws {
        let together: PacedServer.Pacing = { _ in .together(6, then: .milliseconds(20)) }
        try await withLoad(requests: 30, width: 6, pace: together) { load, server in
            let outcome = try await load.closed(workers: workers, for: TimingPlan.Turn(duration: .zero))
            #expect(server.greatestInFlight <= 6 * workers && server.greatestInFlight >= 6)
            #expect(outcome.latencies.count == workers && outcome.requests.count == 30 * workers)
            // Five consecutive batches of 20 ms each.
            #expect(outcome.latencies.median >= 100_000)
        }
    }

    @Test("A response with an unexpected length is a failure, even with status 200, which GraphQL errors have")
    func length() async throws {
        try await PacedServer.with(pace: PacedServer.delaying(.zero)) { base, _ in
            try await WireClient.with(base: base, connections: 1) { client in
                var request = Request.get("/")
                for (length, isFailure) in [(2, false), (3, true)] {
                    request.expectedLength = length
                    let load = Load(client: client, rounds: [[request]])
                    do {
                        try await load.once()
                        #expect(!isFailure)
                    } catch let error as UnexpectedAnswer {
                        #expect(isFailure && error.description.contains("{}"))
                    }
                }
            }
        }
    }

    @Test("After its duration, a turn continues until it has completed enough tasks or reaches its time limit")
    func turns() async throws {
        try await withLoad(pace: PacedServer.delaying(.milliseconds(20))) { load, _ in
            let enough = TimingPlan.Turn(duration: .milliseconds(20), tasks: 5, limit: .seconds(60))
            let five = try await load.closed(workers: 1, for: enough).latencies.count
            #expect(five == 5)
            let limited = TimingPlan.Turn(duration: .milliseconds(20), tasks: 1000, limit: .milliseconds(100))
            let few = try await load.closed(workers: 1, for: limited).latencies.count
            #expect((1...5).contains(few))
        }
    }
}

/// A clock that the test controls.
private final class TestClock: Sendable {
    private let start = ContinuousClock.now
    private let passed = Mutex(Duration.zero)

    var now: ContinuousClock.Instant { start + passed.withLock(\.self) }

    func advance(by duration: Duration) { passed.withLock { $0 += duration } }
}

@Suite("Latency quantiles") struct LatenciesTests {
    private static let cases: [(count: Int, p90: Double?, p99: Double?)] = [
        (99, nil, nil), (100, 90, nil), (1000, 900, 990),
    ]

    @Test("A quantile is reported only if at least ten tasks took longer", arguments: cases)
    func tails(count: Int, p90: Double?, p99: Double?) throws {
        var latencies = Latencies()
        for microseconds in 1...count { latencies.record(.microseconds(microseconds)) }
        #expect(latencies.count == count && latencies.tail(99.9) == nil)
        for (found, expected) in [(latencies.tail(90), p90), (latencies.tail(99), p99)] {
            #expect((found == nil) == (expected == nil))
            // Quantiles are exact to three digits.
            if let found, let expected { #expect(abs(found - expected) <= expected / 500, "\(found)") }
        }
    }
}
