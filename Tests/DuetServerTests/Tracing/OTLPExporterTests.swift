import Foundation
import Logging
import SeededTesting
import ServiceLifecycle
import Synchronization
import Testing
import Tracing

@testable import DuetServer

@Suite("The export of traces") struct OTLPExporterTests {
    /// A collector whose answers are scripted, and a record of what happens.
    private final class Collector: Sendable {
        struct State {
            var answers: [Result<OTLPRequest.Answer, any Error>] = []
            var batches: [Int] = []
            var delays: [Duration] = []
            var observations: [OTLPExporter.Observation] = []
            var isClosed = false
        }

        let state = Mutex(State())
        /// Receives each observation.
        let events: AsyncStream<OTLPExporter.Observation>
        private let continuation: AsyncStream<OTLPExporter.Observation>.Continuation

        /// - Parameter answers: The first answers. All further requests are accepted.
        init(_ answers: [Result<OTLPRequest.Answer, any Error>] = []) {
            (events, continuation) = AsyncStream.makeStream()
            state.withLock { $0.answers = answers }
        }

        func send(_ body: [UInt8]) async throws -> OTLPRequest.Answer {
            let spans = String(decoding: body, as: UTF8.self).ranges(of: "\"spanId\":").count
            let answer = state.withLock { state in
                state.batches.append(spans)
                return state.answers.isEmpty
                    ? .success(.accepted(rejected: 0, message: "")) : state.answers.removeFirst()
            }
            return try answer.get()
        }

        /// Sleeps for no time before a repetition. The interval and the time limit of the shutdown never end. With the
        /// jitter of this world, no delay of a repetition is equal to one of them.
        func sleep(_ duration: Duration) async throws {
            guard duration != OTLPExporter.interval, duration != OTLPExporter.shutdownTimeLimit else {
                await untilCanceled()
                throw CancellationError()
            }
            state.withLock { $0.delays.append(duration) }
        }

        func observe(_ observation: OTLPExporter.Observation) {
            state.withLock { $0.observations.append(observation) }
            continuation.yield(observation)
        }

        var world: OTLPExporter.World {
            OTLPExporter.World(
                send: { try await self.send($0) }, sleep: { try await self.sleep($0) }, jitter: { 0.125 },
                close: { self.state.withLock { $0.isClosed = true } })
        }
    }

    private struct Unavailable: Error {}

    private static let url = "http://collector.test/v1/traces"

    /// Runs an exporter while a closure runs, and shuts it down afterwards.
    /// - Parameter count: The number of spans that have ended before the exporter runs, so that its batches are whole.
    private func run(
        _ collector: Collector, spans count: Int, world: OTLPExporter.World? = nil,
        buffer: SpanBuffer = SpanBuffer(batchSize: 4), _ body: (OTLPTracer) async throws -> Void
    ) async throws {
        let tracer = OTLPTracer(sampleRatio: 1, buffer: buffer)
        add(count, to: tracer)
        let exporter = OTLPExporter(
            tracer, settings: try OTLPSettings(endpoint: "http://collector.test"), world: world ?? collector.world
        ) { collector.observe($0) }
        let group = ServiceGroup(
            services: [exporter], logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        async let running: Void = group.run()
        try await body(tracer)
        await group.triggerGracefulShutdown()
        try await running
    }

    private func add(_ count: Int, to tracer: OTLPTracer) {
        for _ in 0..<count { tracer.startSpan("span", context: .topLevel).end() }
    }

    @Test("A whole batch is sent at once, and the rest at shutdown")
    func batches() async throws {
        let collector = Collector()
        try await run(collector, spans: 4) { tracer in
            for await _ in collector.events { break }
            #expect(collector.state.withLock(\.batches) == [4])
            add(3, to: tracer)
        }
        let state = collector.state.withLock { ($0.batches, $0.observations, $0.isClosed) }
        #expect(state.0.first == 4 && state.0.reduce(0, +) == 7)
        #expect(state.1 == state.0.map { .exported(spans: $0) })
        #expect(state.2)
    }

    @Test("A busy collector receives the batch again, after the delay that it requests or an increasing one")
    func repetition() async throws {
        let collector = Collector([
            .success(.busy(status: 429, retryAfter: .seconds(7))), .success(.busy(status: 503, retryAfter: nil)),
            .failure(Unavailable()), .success(.busy(status: 429, retryAfter: .seconds(10_000))),
        ])
        try await run(collector, spans: 4) { _ in
            for await observation in collector.events where observation == .exported(spans: 4) { break }
        }
        let state = collector.state.withLock { ($0.batches, $0.delays, $0.observations) }
        #expect(state.0 == [4, 4, 4, 4, 4])
        #expect(state.1 == [.seconds(7), .seconds(1.25), .seconds(2.5), .seconds(30)])
        #expect(state.2.count == 5)
        #expect(state.2.first == .failed(url: Self.url, reason: "the status of the response is 429"))
    }

    @Test("A collector that stays busy receives a batch five times, and then the next one")
    func exhaustion() async throws {
        let collector = Collector(Array(repeating: .success(.busy(status: 503, retryAfter: nil)), count: 5))
        try await run(collector, spans: 8) { _ in
            for await observation in collector.events where observation == .exported(spans: 4) { break }
        }
        let state = collector.state.withLock { ($0.batches, $0.observations) }
        #expect(state.0 == [4, 4, 4, 4, 4, 4])
        #expect(state.1.suffix(2) == [.dropped(spans: 4, .notAccepted), .exported(spans: 4)])
    }

    @Test("A batch that the collector refuses is not sent again, and rejected spans are counted")
    func refusal() async throws {
        let collector = Collector([
            .success(.refused(status: 400)), .success(.accepted(rejected: 3, message: "too old")),
        ])
        try await run(collector, spans: 8) { _ in
            for await observation in collector.events where observation == .dropped(spans: 3, .notAccepted) { break }
        }
        let state = collector.state.withLock { ($0.batches, $0.observations) }
        #expect(state.0 == [4, 4])
        #expect(
            state.1 == [
                .failed(url: Self.url, reason: "the status of the response is 400"), .dropped(spans: 4, .notAccepted),
                .exported(spans: 1), .failed(url: Self.url, reason: "the collector reports: too old"),
                .dropped(spans: 3, .notAccepted),
            ])
    }

    @Test("Spans beyond the capacity of the buffer are dropped and counted")
    func fullBuffer() async throws {
        let collector = Collector()
        try await run(collector, spans: 10, buffer: SpanBuffer(capacity: 6, batchSize: 100)) { _ in }
        let state = collector.state.withLock { ($0.batches, Set($0.observations)) }
        #expect(state.0 == [6])
        #expect(state.1 == [.exported(spans: 6), .dropped(spans: 4, .bufferFull)])
    }

    @Test("A shutdown ends the wait of a repetition, and sends the batch once more")
    func shutdownDuringWait() async throws {
        let collector = Collector([.success(.busy(status: 503, retryAfter: nil))])
        var world = collector.world
        let (waits, wait) = AsyncStream<Void>.makeStream()
        world.sleep = { duration in
            if duration != OTLPExporter.interval { wait.yield() }
            await untilCanceled()
            throw CancellationError()
        }
        try await run(collector, spans: 5, world: world) { _ in
            for await _ in waits { break }
        }
        let state = collector.state.withLock { ($0.batches, $0.observations) }
        #expect(state.0 == [4, 4, 1])
        #expect(state.1.suffix(2) == [.exported(spans: 4), .exported(spans: 1)])
    }

    @Test("A shutdown does not wait for a collector that does not answer, and counts the lost spans")
    func hangingCollector() async throws {
        let collector = Collector()
        var world = collector.world
        let (requests, request) = AsyncStream<Void>.makeStream()
        world.send = { _ in
            request.yield()
            await untilCanceled()
            throw Unavailable()
        }
        // The time limit of the shutdown ends at once.
        world.sleep = { duration in
            guard duration == OTLPExporter.interval else { return }
            await untilCanceled()
            throw CancellationError()
        }
        try await run(collector, spans: 9, world: world) { _ in
            for await _ in requests { break }
        }
        let lost = collector.state.withLock { state in
            state.observations.reduce(0) { if case .dropped(let spans, .notAccepted) = $1 { $0 + spans } else { $0 } }
        }
        #expect(lost == 9)
    }

    @Test("The response of a collector says what happens with the batch")
    func answers() {
        func answer(_ status: Int, _ retryAfter: String? = nil, _ body: String = "") -> OTLPRequest.Answer {
            OTLPRequest.answer(status: status, retryAfter: retryAfter, Array(body.utf8))
        }
        let complete = OTLPRequest.Answer.accepted(rejected: 0, message: "")
        for body in ["", "{}", "[]", "<html>", #"{"partialSuccess":{}}"#, #"{"partialSuccess":null}"#] {
            #expect(answer(200, nil, body) == complete)
        }
        #expect(
            answer(200, nil, #"{"partialSuccess":{"rejectedSpans":"2","errorMessage":"why"}}"#)
                == .accepted(rejected: 2, message: "why"))
        #expect(answer(200, nil, #"{"partialSuccess":{"rejectedSpans":-5}}"#) == complete)
        for status in [429, 502, 503, 504] {
            #expect(answer(status) == .busy(status: status, retryAfter: nil))
            #expect(answer(status, "12") == .busy(status: status, retryAfter: .seconds(12)))
            #expect(answer(status, "soon") == .busy(status: status, retryAfter: nil))
            #expect(
                answer(status, "Sun, 06 Nov 1994 08:49:37 GMT") == .busy(status: status, retryAfter: .zero))
        }
        for status in [301, 307, 400, 401, 404, 413, 500, 501] {
            #expect(answer(status, "12") == .refused(status: status))
        }
    }
}
