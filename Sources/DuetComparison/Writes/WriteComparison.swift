import DuetJSON
import DuetSQLDatabase

/// Performs the tasks that write, each style on a copy of the database of its own, and measures the cost.
///
/// All copies have equal rows before each task, because the rows are compared after each task. After a difference or an
/// error, the next task begins with new copies.
package struct WriteComparison: Sendable {
    private let copies: DatabaseCopies
    private let tasks: [WriteTask]
    private let tables: [ComparedTable]
    private let api: String
    private let timing: TimingPlan?

    /// The results, and the errors of the tasks that were skipped.
    package struct Results: Sendable {
        package var scenarios: [ComparisonReport.ScenarioReport] = []
        package var failures: [ComparisonFailure] = []

        package init() {}
    }

    /// - Parameters:
    ///   - names: The names of the tasks; nil for all tasks.
    ///   - tables: The tables whose rows are compared after each task.
    ///   - api: The description of the API.
    ///   - timing: The settings for measuring time; nil to determine only counted values.
    package init(
        on copies: DatabaseCopies, _ tasks: CatalogueWriteTasks, names: [String]?, tables: [ComparedTable],
        api: String, timing: TimingPlan?
    ) {
        self.copies = copies
        self.tasks = tasks.tasks.filter { names?.contains($0.name) != false }
        self.tables = tables
        self.api = api
        self.timing = timing
    }

    /// Performs each task in each style.
    /// - Parameter progress: Called before each task.
    package func run(progress: (_ task: String, _ index: Int, _ count: Int) -> Void) async throws -> Results {
        var results = Results()
        var done: [(task: WriteTask, index: Int)] = []
        var left = tasks[...]
        while !left.isEmpty {
            try await withStations(WriteTask.styles) { stations in
                var record = Record()
                while var task = left.popFirst() {
                    progress(task.name, tasks.count - left.count - 1, tasks.count)
                    do {
                        let report = try await count(task, stations, &record)
                        if report.isEqual { done.append((task, results.scenarios.count)) }
                        results.scenarios.append(report)
                        guard report.isEqual else { return }
                    } catch let failure as ComparisonFailure where failure.isOfAnswer {
                        guard !task.alternatives.isEmpty else {
                            results.failures.append(failure)
                            return
                        }
                        let others = task.alternatives
                        task = others[0]
                        task.alternatives = Array(others.dropFirst())
                        left = ([task] + left)[...]
                        return
                    }
                }
            }
        }
        if let timing, !done.isEmpty {
            // A style in two modes needs two copies, so that there are equally many new rows in each copy.
            let parallel = WriteTask.styles.filter { style in
                done.contains { results.scenarios[$0.index].isParallel(in: style) }
            }
            try await withStations(WriteTask.styles + parallel) { stations in
                for (position, (task, index)) in done.enumerated() {
                    progress(task.name, position, done.count)
                    let report = results.scenarios[index]
                    let contenders = report.contenders(at: stations)
                    let stopwatch = WriteStopwatch(plan: timing, places: contenders, task: task, turn: position)
                    do {
                        results.scenarios[index] = report.with(try await stopwatch.measure())
                    } catch  where Task.isCancelled {
                        throw CancellationError()
                    } catch {
                        // The counts of the task, and all other tasks, remain in the report.
                        results.failures.append(
                            ComparisonFailure(scenario: "the times of \(task.name)", style: nil, underlying: error))
                    }
                }
            }
        }
        return results
    }

    /// The executions on the copies. They are the same on all copies.
    private struct Record {
        var number = 0
        /// The number of executions that have changed a field, by ``WriteTask/changed``.
        var changes: [String: Int] = [:]
    }

    /// Runs a closure with a station for each element of `styles`.
    private func withStations(_ styles: [Style], _ body: ([WriteStation]) async throws -> Void) async throws {
        try await copies.withCopies(styles.count) { urls in
            for url in urls { try CopyError.check(url, isNot: copies.original) }
            try await with(Array(zip(styles, urls))[...], [], body)
        }
    }

    private func with(
        _ left: ArraySlice<(Style, DatabaseURL)>, _ made: [WriteStation],
        _ body: ([WriteStation]) async throws -> Void
    ) async throws {
        guard let (style, url) = left.first else { return try await body(made) }
        try await EmbeddedServer.with(.described(url: url.withPassword, api: api)) { server in
            try await WireClient.with(base: server.base, connections: TimingPlan().connections) { client in
                let station = WriteStation(style: style, database: url, client: client)
                try await with(left.dropFirst(), made + [station], body)
            }
        }
    }

    /// Performs a task once on each copy, and compares the rows of the copies afterwards.
    private func count(
        _ task: WriteTask, _ stations: [WriteStation], _ record: inout Record
    ) async throws -> ComparisonReport.ScenarioReport {
        let changes = task.changed.map { record.changes[$0, default: 0] } ?? 0
        var reports: [ComparisonReport.StyleReport] = []
        var states: [TableStates] = []
        for station in stations {
            do {
                try await station.register(task)
                let execution = try await station.prepare(task, number: record.number, changes: changes)
                let start = try await station.client.metrics()
                let rounds = try await station.perform(task, execution).map { $0.map(\.exchange) }
                let end = try await station.client.metrics()
                let recording = Recording(rounds: rounds, result: .array([]), change: RequestChange(written: nil))
                let work = start.flatMap { start in end.map { ServerWork(from: start, to: $0) } }
                reports.append(
                    ComparisonReport.StyleReport(
                        style: station.style,
                        cost: TaskCost(recording, gzipped: recording, isCached: false, work: work),
                        requests: RequestCost.all(recording, gzipped: recording), timings: []))
                states.append(try await station.states(of: tables))
            } catch  where Task.isCancelled {
                throw CancellationError()
            } catch {
                throw ComparisonFailure(scenario: task.name, style: station.style, underlying: error)
            }
        }
        record.number += 1
        if let changed = task.changed { record.changes[changed] = changes + 1 }
        let different = Set(states.dropFirst().flatMap { $0.differences(from: states[0]) }).sorted()
        return ComparisonReport.ScenarioReport(
            name: task.name, task: task.sentence, isEqual: different.isEmpty, styles: reports, isWrite: true,
            differingTables: different)
    }
}

extension ComparisonReport.ScenarioReport {
    /// Returns true if a client of a style can send requests of the task concurrently.
    fileprivate func isParallel(in style: Style) -> Bool {
        let requests = styles.first { $0.style == style }?.requests ?? []
        return Dictionary(grouping: requests, by: \.round).values.contains { $0.count > 1 }
    }

    /// Returns each station that measures the task, with its mode. The second station of a style is that of the mode
    /// `parallel`.
    fileprivate func contenders(at stations: [WriteStation]) -> [(station: WriteStation, mode: Timing.Mode)] {
        var contenders: [(station: WriteStation, mode: Timing.Mode)] = []
        for station in stations {
            let isFirst = !contenders.contains { $0.station.style == station.style }
            guard isFirst || isParallel(in: station.style) else { continue }
            contenders.append((station: station, mode: isFirst ? .sequential : .parallel))
        }
        return contenders
    }

    /// Returns the report with timings.
    fileprivate func with(_ timings: [(style: Style, timing: Timing)]) -> ComparisonReport.ScenarioReport {
        let styles = styles.map { style in
            ComparisonReport.StyleReport(
                style: style.style, cost: style.cost, requests: style.requests,
                timings: timings.filter { $0.style == style.style }.map(\.timing))
        }
        return ComparisonReport.ScenarioReport(
            name: name, task: task, isEqual: isEqual, styles: styles, isWrite: isWrite,
            differingTables: differingTables)
    }
}
