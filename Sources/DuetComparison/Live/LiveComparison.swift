import DuetJSON

/// Watches a screen in all ways at the same time, while another program changes it.
///
/// Each way has a server process of its own on the same database, so the metrics of the process are the cost of the
/// way. A further process serves the program that writes.
package struct LiveComparison: Sendable {
    private let task: LiveTask
    private let writer: String
    private let servers: [(way: LiveWay, base: String)]
    private let pace: LivePace

    /// The report, and the errors of the ways that it does not contain.
    package typealias Results = (report: LiveReport, failures: [ComparisonFailure])

    /// - Parameters:
    ///   - writer: The base address of the server through which the changes are written.
    ///   - servers: The base address of the server of each way.
    package init(_ task: LiveTask, writer: String, servers: [(way: LiveWay, base: String)], pace: LivePace) {
        (self.task, self.writer, self.servers, self.pace) = (task, writer, servers, pace)
    }

    /// Starts the servers, and performs the comparison.
    /// - Parameters:
    ///   - source: A database that may be written.
    ///   - progress: Called before each change.
    package static func run(
        _ task: LiveTask, on source: EmbeddedServer.Source, pace: LivePace = .minute,
        progress: @Sendable (_ change: Int, _ count: Int) -> Void = { _, _ in }
    ) async throws -> Results {
        try await EmbeddedServer.with(source) { writer in
            try await writer.anew(LiveWay.allCases.count) { servers in
                let servers = Array(zip(LiveWay.allCases, servers.map(\.base)))
                return try await LiveComparison(task, writer: writer.base, servers: servers, pace: pace)
                    .run(progress: progress)
            }
        }
    }

    /// Performs the comparison.
    /// - Throws: ``ComparisonFailure`` if the screen cannot be read or changed.
    package func run(progress: @Sendable (_ change: Int, _ count: Int) -> Void = { _, _ in }) async throws -> Results {
        do {
            return try await WireClient.with(base: writer, connections: 1) { writer in
                try await withClients(servers[...], []) { try await run($0, writer, progress) }
            }
        } catch  where Task.isCancelled {
            throw CancellationError()
        } catch {
            throw ComparisonFailure(scenario: LiveReport.name, style: nil, underlying: error)
        }
    }

    /// The clients of a way: one that watches, and one whose requests are not counted.
    private struct Clients: Sendable {
        let way: LiveWay
        let watching: WireClient
        let observing: WireClient
    }

    private func withClients<Value>(
        _ left: ArraySlice<(way: LiveWay, base: String)>, _ made: [Clients], _ body: ([Clients]) async throws -> Value
    ) async throws -> Value {
        guard let (way, base) = left.first else { return try await body(made) }
        return try await WireClient.with(base: base, connections: 1) { watching in
            try await WireClient.with(base: base, connections: 1) { observing in
                let clients = Clients(way: way, watching: watching, observing: observing)
                return try await withClients(left.dropFirst(), made + [clients], body)
            }
        }
    }

    private func run(
        _ clients: [Clients], _ writer: WireClient, _ progress: @Sendable (_ change: Int, _ count: Int) -> Void
    ) async throws -> Results {
        let toggles = try await task.toggles(through: writer)
        let log = LiveLog()
        let watches = clients.map { LiveWatch($0.way, task, pace, $0.watching, log) }
        var before: [MetricsSnapshot?] = []
        for client in clients {
            // The server has planned the read and knows the hash, as after the first of many clients.
            _ = try await client.observing.expecting(task.request)
            _ = try await client.observing.expecting(task.registration)
            before.append(try await client.observing.metrics())
        }
        let start = ContinuousClock.now
        let changes = try await withThrowingTaskGroup(of: Void.self) { group in
            for watch in watches {
                group.addTask {
                    do { try await watch.run(from: start) } catch {
                        if !Task.isCancelled { log.fail(watch.way, error) }
                    }
                }
            }
            let changes = try await write(toggles, through: writer, from: start, log, progress)
            group.cancelAll()
            try await group.waitForAll()
            return changes
        }
        let duration = ContinuousClock.now - start
        let last = try await task.state(through: writer)
        var ways: [LiveReport.Way] = []
        var failures: [ComparisonFailure] = []
        for (index, watch) in watches.enumerated() {
            if let error = log.failure(watch.way) {
                failures.append(ComparisonFailure(task: "\(LiveReport.name), \(watch.way.title)", reason: "\(error)"))
                continue
            }
            let after = try await clients[index].observing.metrics()
            let statements = before[index].flatMap { before in after.flatMap { $0.statements(since: before) } }
            ways.append(
                LiveReport.Way(
                    way: watch.way, requests: watch.requests, up: watch.up, down: watch.down, statements: statements,
                    shown: ShownChanges(changes, answers: log.arrivals(watch.way), last: last)))
        }
        let report = LiveReport(
            task: task.screen.task, duration: pace.period ?? duration, changes: changes.count, ways: ways)
        return (report, failures)
    }

    /// Writes the changes.
    ///
    /// In the order of a Gray code, each change switches one value, and no state of the screen occurs twice. So an
    /// answer shows which changes precede it.
    private func write(
        _ toggles: [LiveTask.Toggle], through client: WireClient, from start: ContinuousClock.Instant, _ log: LiveLog,
        _ progress: @Sendable (_ change: Int, _ count: Int) -> Void
    ) async throws -> [ShownChanges.Moment] {
        let ways = servers.map(\.way)
        let count = min(pace.changes, (1 << toggles.count) - 1)
        var isOn = toggles.map { _ in false }
        var changes: [ShownChanges.Moment] = []
        var last = try await task.state(through: client)
        for number in 0..<count {
            progress(number, count)
            if let moment = pace.moment(number) {
                try await Task.sleep(until: start + moment, tolerance: .zero, clock: .continuous)
            } else {
                try await log.wait(for: last, in: ways)
            }
            let index = (number + 1).trailingZeroBitCount
            isOn[index].toggle()
            _ = try await client.expecting(isOn[index] ? toggles[index].on : toggles[index].off)
            let time = ContinuousClock.now
            last = try await task.state(through: client)
            changes.append(ShownChanges.Moment(state: last, time: time))
        }
        if let period = pace.period {
            try await Task.sleep(until: start + period, tolerance: .zero, clock: .continuous)
        } else {
            try await log.wait(for: last, in: ways)
        }
        return changes
    }
}
