import AsyncHTTPClient
import DuetHTTPSemantics
import DuetJSON
import Foundation
import NIOCore
import NIOHTTP1
import Synchronization

/// A client that watches the screen in one way, and counts its requests.
final class LiveWatch: Sendable {
    let way: LiveWay
    private let task: LiveTask
    private let pace: LivePace
    /// A client with one connection. Only this object uses it, so its counter counts the bytes of the way.
    private let client: WireClient
    private let log: LiveLog
    private let requestCount = Atomic(0)
    /// The number of received bytes that are not counted; see ``Exchange/variableBytes``.
    private let variableBytes = Atomic(0)

    /// The maximum time in seconds for which a request waits in ``LiveWay/restLongPolling``.
    private static let wait = 30

    init(_ way: LiveWay, _ task: LiveTask, _ pace: LivePace, _ client: WireClient, _ log: LiveLog) {
        (self.way, self.task, self.pace, self.client, self.log) = (way, task, pace, client, log)
    }

    /// The number of requests. A request that still waits for its response is counted.
    var requests: Int { requestCount.load(ordering: .relaxed) }

    /// The sent bytes, without the port in `Host`.
    var up: Int { client.counter.sent - requests * client.portLength }

    /// The received bytes.
    var down: Int { client.counter.received - variableBytes.load(ordering: .relaxed) }

    /// Watches until the task is canceled, or until the end of the period.
    /// - Throws: An error if a response is unexpected or missing.
    func run(from start: ContinuousClock.Instant) async throws {
        switch way {
        case .restPolling, .graphQLPolling: try await poll(from: start, withTag: false)
        case .restPollingTag, .graphQLPollingTag: try await poll(from: start, withTag: true)
        case .restLongPolling: try await pollLong()
        case .restEvents, .restPatches, .graphQLEvents: try await receiveEvents()
        case .graphQLWebSocket:
            let body = try task.request(way).body ?? ""
            requestCount.add(1, ordering: .relaxed)
            try await SubscriptionSocket(base: client.base, counter: client.counter).run(
                try JSONValue(parsing: body.utf8)
            ) { result, time in try add(result, time) }
        }
    }

    private func add(_ answer: JSONValue, _ time: ContinuousClock.Instant) throws {
        log.add(ShownChanges.Moment(state: try task.state(answer, isGraphQL: way.isGraphQL), time: time), way)
    }

    private func send(_ request: Request, expecting statuses: [Int]) async throws -> WireClient.Response {
        requestCount.add(1, ordering: .relaxed)
        let response = try await client.send(request)
        let time = ContinuousClock.now
        variableBytes.add(Asker.variableBytes(in: response.fields), ordering: .relaxed)
        guard statuses.contains(response.status) else {
            throw UnexpectedAnswer(
                "\(request.method.rawValue) \(request.target) has status \(response.status): \(response.reason)")
        }
        if response.status == 200 { try add(try JSONValue(parsing: response.body.readableBytesView), time) }
        return response
    }

    private func poll(from start: ContinuousClock.Instant, withTag: Bool) async throws {
        var request = try task.request(way)
        var elapsed = Duration.zero
        while pace.period.map({ elapsed < $0 }) ?? true {
            try await Task.sleep(until: start + elapsed, tolerance: .zero, clock: .continuous)
            let response = try await send(request, expecting: withTag ? [200, 304] : [200])
            if withTag, let tag = response.fields.first(name: "ETag") { request.ifNoneMatch = tag }
            elapsed += pace.pollingInterval
        }
    }

    private func pollLong() async throws {
        let request = try task.request(way)
        var next = request
        while true {
            let response = try await send(next, expecting: [200, 204])
            guard let tag = response.fields.first(name: "ETag") else { continue }
            next = request
            next.target += next.target.contains("?") ? "&" : "?"
            next.target += "wait=\(Self.wait)&since=\(tag.replacing("\"", with: "").percentEncoded)"
        }
    }

    private func receiveEvents() async throws {
        let request = try task.request(way)
        requestCount.add(1, ordering: .relaxed)
        let response = try await client.stream(request)
        variableBytes.add(Asker.variableBytes(in: response.headers), ordering: .relaxed)
        guard response.status == .ok else {
            throw UnexpectedAnswer("\(request.target) has status \(response.status.code) instead of events")
        }
        var parser = EventStreamParser(maximumLength: .max)
        var last = JSONValue.null
        for try await piece in response.body {
            let time = ContinuousClock.now
            for event in try parser.read(Data(piece.readableBytesView)) {
                switch event.name {
                case "value", "next": last = try JSONValue(parsing: event.data)
                case "patch": last = try JSONPatch.apply(try JSONValue(parsing: event.data).elements(), to: last)
                default: throw UnexpectedAnswer("\(request.target) has the event \(event.name)")
                }
                try add(last, time)
            }
        }
        throw UnexpectedAnswer("the events of \(request.target) have ended")
    }
}
