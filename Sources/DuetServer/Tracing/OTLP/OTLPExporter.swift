import AsyncHTTPClient
import Foundation
import ServiceLifecycle
import Synchronization

/// Sends the spans of an ``OTLPTracer`` to a collector, in batches. Requests never wait for it: if the collector is
/// slow or unavailable, spans are dropped.
package final class OTLPExporter: Service {
    /// An event of the export.
    package enum Observation: Sendable, Hashable {
        /// The collector has accepted spans.
        case exported(spans: Int)
        /// Spans were lost.
        case dropped(spans: Int, Loss)
        /// A request has failed. The reason is a phrase for the operator.
        case failed(url: String, reason: String)
    }

    /// The cause for which spans are lost.
    package enum Loss: String, Sendable, CaseIterable {
        /// The buffer was full.
        case bufferFull = "buffer_full"
        /// The collector has not accepted the spans.
        case notAccepted = "not_accepted"
    }

    /// The functions by which the exporter reaches the world. Tests replace them.
    struct World: Sendable {
        var send: @Sendable ([UInt8]) async throws -> OTLPRequest.Answer
        var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
        var jitter: @Sendable () -> Double = { Double.random(in: 0...1) }
        var close: @Sendable () async -> Void = {}
    }

    /// The maximum time for which a span waits for other spans.
    static let interval = Duration.seconds(1)
    /// The maximum time to send the remaining spans at shutdown.
    static let shutdownTimeLimit = Duration.seconds(3)

    private let buffer: SpanBuffer
    private let url: String
    private let writer: OTLPTraceJSON
    private let world: World
    private let observe: @Sendable (Observation) -> Void
    /// The batch whose export has been interrupted.
    private let interrupted = Mutex<[OTLPSpan]>([])

    /// Creates an exporter. ``run()`` sends the spans.
    package convenience init(
        _ tracer: OTLPTracer, settings: OTLPSettings, observe: @escaping @Sendable (Observation) -> Void
    ) {
        let request = OTLPRequest(settings: settings, client: OutgoingRequest.makeClient())
        let world = World(send: { try await request.send($0) }, close: { try? await request.client.shutdown() })
        self.init(tracer, settings: settings, world: world, observe: observe)
    }

    init(
        _ tracer: OTLPTracer, settings: OTLPSettings, world: World,
        observe: @escaping @Sendable (Observation) -> Void
    ) {
        buffer = tracer.buffer
        url = settings.url
        writer = OTLPTraceJSON(
            resource: [
                ("service.name", settings.serviceName), ("service.version", DuetServer.version),
                ("service.instance.id", UUID().uuidString.lowercased()),
                ("telemetry.sdk.language", "swift"), ("telemetry.sdk.name", "duet"),
                ("telemetry.sdk.version", DuetServer.version),
            ], scopeVersion: DuetServer.version)
        self.world = world
        self.observe = observe
    }

    /// Sends spans until the process shuts down, and then the remaining ones.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { tasks in
                tasks.addTask {
                    while (try? await self.world.sleep(Self.interval)) != nil { self.buffer.signal() }
                }
                tasks.addTask {
                    for await _ in self.buffer.batches { await self.exportAll() }
                }
            }
        }
        await exportRest()
        await world.close()
    }

    /// Removes at most one batch from the buffer, and returns the body of its request. Measurements of the cost use
    /// this function in place of ``run()``.
    package func takeBody() -> [UInt8] { writer.body(buffer.takeBatch()) }

    /// Sends the spans in the buffer.
    private func exportAll() async {
        while !Task.isCancelled {
            let batch = buffer.takeBatch()
            reportDropped()
            guard !batch.isEmpty else { return }
            await export(batch)
        }
    }

    private func reportDropped() {
        let dropped = buffer.takeDropped()
        if dropped > 0 { observe(.dropped(spans: dropped, .bufferFull)) }
    }

    private func export(_ batch: [OTLPSpan]) async {
        let body = writer.body(batch)
        var schedule = ExportSchedule()
        while true {
            var retryAfter: Duration?
            do {
                switch try await world.send(body) {
                case .accepted(let rejected, let message):
                    return accepted(batch.count, rejected: rejected, message)
                case .busy(let status, let delay):
                    retryAfter = delay
                    failed("the status of the response is \(status)")
                case .refused(let status):
                    failed("the status of the response is \(status)")
                    return observe(.dropped(spans: batch.count, .notAccepted))
                }
            } catch {
                guard !Task.isCancelled else { return interrupted.withLock { $0 = batch } }
                failed(OutgoingRequest.reason(of: error))
            }
            reportDropped()
            guard let delay = schedule.delayAfterFailure(retryAfter: retryAfter, jitter: world.jitter()) else {
                return observe(.dropped(spans: batch.count, .notAccepted))
            }
            do {
                try await world.sleep(delay)
            } catch {
                return interrupted.withLock { $0 = batch }
            }
        }
    }

    /// Sends the remaining spans at shutdown, each batch once. After a failure, the rest is dropped, so that the
    /// process ends soon.
    private func exportRest() async {
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                var batch = self.interrupted.withLock { $0 }
                if batch.isEmpty { batch = self.buffer.takeBatch() }
                while !batch.isEmpty {
                    guard await self.exportOnce(batch) else { break }
                    batch = self.buffer.takeBatch()
                }
                self.reportDropped()
            }
            tasks.addTask { try? await self.world.sleep(Self.shutdownTimeLimit) }
            await tasks.next()
            tasks.cancelAll()
        }
        var lost = 0
        while true {
            let batch = buffer.takeBatch()
            guard !batch.isEmpty else { break }
            lost += batch.count
        }
        if lost > 0 { observe(.dropped(spans: lost, .notAccepted)) }
    }

    /// Sends a batch once.
    /// - Returns: True if the collector has accepted it.
    private func exportOnce(_ batch: [OTLPSpan]) async -> Bool {
        do {
            switch try await world.send(writer.body(batch)) {
            case .accepted(let rejected, let message):
                accepted(batch.count, rejected: rejected, message)
                return true
            case .busy(let status, _), .refused(let status): failed("the status of the response is \(status)")
            }
        } catch {
            failed(Task.isCancelled ? "no complete response before the shutdown" : OutgoingRequest.reason(of: error))
        }
        observe(.dropped(spans: batch.count, .notAccepted))
        return false
    }

    private func accepted(_ count: Int, rejected: Int, _ message: String) {
        let rejected = min(rejected, count)
        if rejected < count { observe(.exported(spans: count - rejected)) }
        if rejected > 0 || !message.isEmpty { failed("the collector reports: \(message.prefix(200))") }
        if rejected > 0 { observe(.dropped(spans: rejected, .notAccepted)) }
    }

    private func failed(_ reason: String) { observe(.failed(url: url, reason: reason)) }
}
