import DuetAPIDescription
import DuetComparison
import DuetSQLDatabase

/// The screen of `duet compare --live`.
enum WatchedScreen: Sendable {
    /// A screen of a sample that is created for it.
    case sample(employees: Int)
    /// A screen of a copy of a database; an error if there is no screen that another program can change.
    case copy(Result<LiveTask, ComparisonFailure>, original: DatabaseURL, api: String)
}

extension DescribedDatabase {
    /// Returns the screen of a copy of the database.
    func watchedScreen() async throws -> WatchedScreen {
        try await withoutRoles { service, _, api in
            do throws(any Error) {
                return .copy(.success(try await CatalogueTasks.liveTask(service)), original: url, api: api)
            } catch let failure as ComparisonFailure {
                return .copy(.failure(failure), original: url, api: api)
            }
        }
    }
}

extension CompareCommand {
    /// Returns the reason why a running server has no screen that can be watched, with what to do.
    static func liveRefusal(_ base: String) -> String {
        "--live cannot be combined with a running server: the comparison changes the database, and the database of \(base) cannot be copied over HTTP. Specify the database with --database instead"
    }

    /// Watches the screen, and adds the results to a report.
    func addingLive(to report: ComparisonReport, _ settings: Settings) async throws -> ComparisonReport {
        guard let watching = settings.watching else { return report }
        var report = report
        if case .copy(.failure(let reason), _, _) = watching {
            report.leftOut.append(reason)
            return report
        }
        let bar = ProgressBar()
        defer { bar.clear() }
        func watch(_ task: LiveTask, _ source: EmbeddedServer.Source) async throws -> LiveComparison.Results {
            try await LiveComparison.run(task, on: source) { bar.show(LiveReport.name, done: $0, of: $1) }
        }
        do {
            let results =
                switch watching {
                case .sample(let employees): try await watch(try LiveTask.employees, .sample(employees: employees))
                case .copy(let task, let original, let api):
                    try await DatabaseCopies.with(of: original) { copies in
                        try await copies.withCopies(1) { urls in
                            try CopyError.check(urls[0], isNot: original)
                            return try await watch(try task.get(), .described(url: urls[0].withPassword, api: api))
                        }
                    }
                }
            report.live = results.report
            report.failures += results.failures
        } catch let failure as ComparisonFailure where failure.isOfAnswer {
            report.failures.append(failure)
        } catch let error as CopyError where !report.scenarios.isEmpty {
            // The results of the other tasks remain in the report.
            report.failures.append(ComparisonFailure(task: LiveReport.name, reason: error.description))
        }
        report.startedServer = true
        report.machine = Machine.description
        if report.database.isEmpty {
            report.database = [("database", settings.databaseText), ("cache", "none")]
        }
        if case .copy = watching { report.database.append(("live", "on a copy of the database")) }
        return report
    }
}
