import ArgumentParser
import DuetAPIDescription
import DuetComparison
import DuetEmployees
import DuetJSON
import Foundation

extension ReportFormat: ExpressibleByArgument {}

/// `duet compare`: measures the costs of the same tasks over REST and GraphQL.
struct CompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Run the same tasks over REST and GraphQL, and report the cost of each style.",
        discussion: """
            Without --url, the command starts a server with a sample database and removes both at the end. With \
            --database, the server reads that database instead. The tasks are then generated from the description of \
            the database (--api), unless --tasks specifies a file. The results of all styles are compared value by \
            value. If nginx is installed, requests to a server that the command starts are also sent through nginx as \
            a cache.

            Exit status: 0 if the results are equal, 1 if they differ, 64 for invalid options, 65 if the report names \
            something that was skipped because a response does not have the form that a task expects, 66 if a file has \
            an error, 69 if the database cannot be used or the server does not respond.
            """)

    /// The names of the built-in scenarios, for messages. If their file has an error, the value is the error.
    private static let scenarioNames: String = {
        do { return try Scenario.all.map(\.name).joined(separator: ", ") } catch { return "\(error)" }
    }()
    static let url = address(
        "url", "Address of a running server without other clients", default: "a new server")
    static let cacheURL = address(
        "cache-url",
        "Address of a cache in front of the server at --url. The cache must set X-Cache to HIT in a cached response",
        default: "none; for a new server, nginx if it is installed")
    static let timing = Setting(
        "timing",
        """
        Measure times. With --no-timing, the command takes a few seconds and reports only values that do not depend on \
        the machine
        """,
        default: true)
    static let rounds = Setting(
        "rounds", "Number of rounds in which each style is timed once", default: TimingPlan().rounds, in: 5...1000)
    static let turn = Setting(
        "turn",
        "Time for each style in a round, up to twice this time for slow tasks. To measure the p99.9 of short tasks, use at least 1000",
        default: TimingPlan.defaultTurn, in: 10...60_000, unit: "milliseconds")
    static let employees = Setting(
        "employees", "Number of employees in a new server's sample",
        default: SampleCommand.employees.defaultValue, in: 1_000...SampleGenerator.maximumEmployees)

    static let database = Setting<String, String?>(
        "database", "URL of a database for the new server; the database is only read", valueName: "url", default: nil,
        defaultText: "a sample of employees", requirement: "a URL"
    ) { $0 }

    static let api = Setting<String, String?>(
        "api", "Description of the database given by --database, as written by duet introspect", valueName: "file",
        default: nil, defaultText: "derived from its tables", requirement: "a file"
    ) { $0 }

    @Argument(
        help: ArgumentHelp(
            "Scenarios: \(Self.scenarioNames). (default: all; with --url, those that only read)", valueName: "scenario")
    )
    var names: [String] = []
    @Option(Self.url) var url: String?
    @Option(Self.database) var database: String?
    @Option(Self.api) var api: String?
    @Option(
        help: ArgumentHelp(
            "File of tasks in JSON or YAML, as described in docs/comparison.md, instead of tasks generated from the description.",
            valueName: "file"))
    var tasks: String?
    @Flag(
        help: ArgumentHelp(
            "Also run tasks that write, on copies of the database given by --database. The database itself is only read. The copies are removed at the end."
        ))
    var writes = false
    @Flag(
        help: ArgumentHelp(
            "Also watch a screen for a minute in nine ways, such as polling, events and WebSocket, while another program changes it. A database given by --database is copied. The task has the name live."
        ))
    var live = false
    @Option(Self.cacheURL) var cacheURL: String?
    @Option(
        help: ArgumentHelp(
            "File with an access token for the server at --url, which each request sends. The variable contains the token itself. (environment: DUET_TOKEN; default: none)",
            valueName: "file"),
        completion: .file())
    var token: String?
    @Option(help: "Format of the report.") var format = ReportFormat.table
    @Option(
        help: ArgumentHelp(
            "An earlier report of --format json. The new report ends with the changes since then. Not available for CSV.",
            valueName: "file"),
        completion: .file(extensions: ["json"]))
    var baseline: String?
    @Flag(Self.timing) var timing: Bool?
    @Option(Self.rounds) var rounds: Int?
    @Option(Self.turn) var turn: Int?
    @Option(Self.employees) var employees: Int?

    /// The values of the options and environment variables.
    struct Settings: Sendable {
        let scenarios: [Scenario]
        /// The fields that generated scenarios omit.
        var leftOut: [ComparisonFailure] = []
        /// The task that a new server answers before its memory is measured. For the sample, it is the task `names`;
        /// for another database, it is the first task.
        let warmUp: Scenario?
        /// The address of a running server; nil to start a server.
        let base: String?
        /// The database of the new server.
        let source: EmbeddedServer.Source
        /// The text that identifies the database in the report.
        let databaseText: String
        /// The token of the caller at a running server; nil for an anonymous caller.
        var token: CallerToken?
        /// The address of a cache in front of a running server; nil without a cache.
        let cache: String?
        /// The settings for measuring time; nil to measure no times.
        let plan: TimingPlan?
        /// The tasks that write; nil to omit them.
        var writing: WritingTasks?
        /// The screen that is watched; nil to omit it.
        var watching: WatchedScreen?
    }

    private func settings() async throws -> Settings {
        let base = try Self.url.value(url)
        let cache = try Self.cacheURL.value(cacheURL)
        guard cache == nil || base != nil else {
            throw ValidationError(
                "\(Self.cacheURL.source(cacheURL)) requires the server behind the cache; specify it with --url or DUET_URL"
            )
        }
        guard token == nil || base != nil else {
            throw ValidationError(
                "--token requires the server that accepts the token; specify it with --url or DUET_URL")
        }
        let url = try Self.database.value(database)
        let api = try Self.api.value(api)
        guard url == nil || base == nil else {
            throw ValidationError(
                "\(Self.database.source(database)) and \(Self.url.source(self.url)) cannot be combined: a running server has its own database"
            )
        }
        guard url != nil || (api == nil && tasks == nil) || (api == nil && base != nil) else {
            throw ValidationError("--api requires --database, and --tasks requires --database or --url")
        }
        var plan = TimingPlan(turn: try Self.turn.value(turn))
        plan.rounds = try Self.rounds.value(rounds)
        let timing = try Self.timing.value(timing) ? plan : nil
        guard !writes || url != nil else { throw ValidationError(try writeRefusal(base)) }
        if let base, live { throw ValidationError(Self.liveRefusal(base)) }
        if let url {
            let described = try await DescribedDatabase(
                url, api: api, source: Self.database.source(database), writes: writes || live)
            let own = try ownTasks()
            let (all, leftOut) =
                if let own { (own, [ComparisonFailure]()) } else { try await described.tasks() }
            let writing = writes ? try await described.writingTasks(names) : nil
            let watching = live ? try await described.watchedScreen() : nil
            return Settings(
                scenarios: try chosen(of: all, or: otherNames), leftOut: leftOut,
                warmUp: all.first, base: nil, source: .described(url: url, api: try described.readOnlyAPI.yaml),
                databaseText: "\(described.url)", cache: nil,
                plan: timing, writing: writing, watching: watching)
        }
        let employees = try Self.employees.value(employees)
        let own = try ownTasks()
        return Settings(
            scenarios: try own.map { try chosen(of: $0) } ?? scenarios(readingOnly: base != nil),
            warmUp: try Scenario.named("names"), base: base, source: .sample(employees: employees),
            databaseText: "a sample of \(employees.formatted()) employees, SQLite",
            token: base == nil ? nil : try CallerToken.read(file: token), cache: cache, plan: timing,
            watching: live ? .sample(employees: employees) : nil)
    }

    /// The names of the tasks that are not scenarios.
    private var otherNames: [String] {
        (writes ? CatalogueWriteTasks.names : []) + (live ? [LiveReport.name] : [])
    }

    /// Reads the tasks of the file given by `--tasks`.
    private func ownTasks() throws -> [Scenario]? {
        do { return try tasks.map(TaskFile.init)?.scenarios } catch { throw StartFailure.reported(error) }
    }

    /// Creates a setting for an HTTP address. Its value has no trailing slash.
    private static func address(
        _ name: String, _ summary: String, default defaultText: String
    ) -> Setting<String, String?> {
        Setting(
            name, summary, valueName: "url", default: nil, defaultText: defaultText,
            requirement: "an http:// address such as http://127.0.0.1:8080"
        ) { url in
            guard URL(string: url)?.host != nil, url.hasPrefix("http://") else { return nil }
            return url.hasSuffix("/") ? String(url.dropLast()) : url
        }
    }

    /// - Parameter readingOnly: True to omit the scenarios that write, unless they are named on the command line.
    private func scenarios(readingOnly: Bool) throws -> [Scenario] {
        let all = try Scenario.all
        guard !names.isEmpty else { return all.filter { !readingOnly || !$0.writes } }
        return try names.filter { !otherNames.contains($0) }.map { name in
            guard let scenario = all.first(where: { $0.name == name }) else {
                throw ValidationError("there is no scenario \(name); the scenarios are \(Self.scenarioNames)")
            }
            return scenario
        }
    }

    /// Returns the tasks named on the command line, or all tasks.
    /// - Parameter others: The names of other tasks, which are ignored.
    private func chosen(of all: [Scenario], or others: [String] = []) throws -> [Scenario] {
        guard !names.isEmpty else { return all }
        return try names.filter { !others.contains($0) }.map { name in
            guard let scenario = all.first(where: { $0.name == name }) else {
                let known = (all.map(\.name) + others).joined(separator: ", ")
                throw ValidationError("there is no scenario \(name); the scenarios are \(known)")
            }
            return scenario
        }
    }

    func validate() throws {
        if format == .csv, baseline != nil {
            throw ValidationError(
                "--format csv cannot contain the changes since --baseline; use table, markdown, json or html")
        }
    }

    func run() async throws {
        let settings = try await settings()
        // The baseline is read first, so that an error in it is reported before the measurement.
        let earlier = try baseline.map(Self.read)
        var report = try await Interruption.ending { try await compare(settings) }
        if let earlier { report.changes = try Self.inBaseline(baseline) { try report.changes(since: earlier) } }
        print(format.text(report), terminator: "")
        for failure in report.failures { FileHandle.standardError.write(Data("Skipped: \(failure)\n".utf8)) }
        guard report.differing.isEmpty else {
            let names = report.differing.joined(separator: ", ")
            FileHandle.standardError.write(Data("The styles return different results: \(names)\n".utf8))
            throw ExitCode(1)
        }
        guard report.failures.isEmpty else { throw ExitCode(65) }
    }

    private static func read(_ file: String) throws -> JSONValue {
        try inBaseline(file) {
            let value = try JSONValue(parsing: Data(contentsOf: URL(filePath: file)))
            _ = try ComparisonReport().changes(since: value)
            return value
        }
    }

    private static func inBaseline<Value>(_ file: String?, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            // The default description of a Foundation error is not readable on Linux.
            let reason = error is CocoaError ? error.localizedDescription : "\(error)"
            throw StartFailure.report("--baseline \(file ?? ""): \(reason)", status: 66)
        }
    }

    private func compare(_ settings: Settings) async throws -> ComparisonReport {
        do {
            if let base = settings.base {
                let cache = settings.cache.map { ComparisonRunner.Cache(base: $0, tellsRunsApart: false) }
                let caller = settings.token.map { "the caller of the token in \($0.source)" } ?? "anonymous"
                return try await compare(
                    settings, at: base, cache: cache,
                    facts: [
                        ("database", "database of \(base)"), ("cache", settings.cache ?? "none"), ("caller", caller),
                    ])
            }
            guard !settings.scenarios.isEmpty else {
                return try await addingLive(to: addingWrites(to: ComparisonReport(), settings), settings)
            }
            let report = try await EmbeddedServer.with(settings.source) { server in
                try await EmbeddedCache.with(before: server.base) { cache in
                    try await compare(
                        settings, at: server.base, cache: cache,
                        facts: [
                            ("database", settings.databaseText),
                            ("cache", cache == nil ? "none" : "nginx"),
                        ],
                        anew: { try await server.anew($0) })
                }
            }
            return try await addingLive(to: addingWrites(to: report, settings), settings)
        } catch let error as CopyError {
            throw StartFailure.report(error.description)
        } catch let error as ComparisonFailure {
            throw StartFailure.report(
                settings.base.map { "\(error.description) (requested from \($0))" } ?? error.description,
                status: error.isOfAnswer ? 65 : 69)
        } catch let error as ProcessFailure {
            throw StartFailure.report(error.description)
        }
    }

    private func compare(
        _ settings: Settings, at base: String, cache: ComparisonRunner.Cache?, facts: [(String, String)],
        anew: ComparisonRunner.StartServer? = nil
    ) async throws -> ComparisonReport {
        let bar = ProgressBar()
        defer { bar.clear() }
        let runner = ComparisonRunner(
            server: base, token: settings.token?.text, cache: cache, scenarios: settings.scenarios,
            timing: settings.plan, warmUp: settings.warmUp, anew: anew)
        var report = try await runner.run { scenario, index, count in
            bar.show(scenario.name, done: index, of: count)
        }
        report.failures.insert(contentsOf: settings.leftOut, at: 0)
        report.machine = Machine.description
        report.database = facts
        report.startedServer = settings.base == nil
        return report
    }
}
