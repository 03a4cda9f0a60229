import ArgumentParser
import Comparison
import Foundation
import JSON

extension ReportFormat: ExpressibleByArgument {}

/// `duet compare`: what each style costs.
struct CompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Put the same tasks to REST and GraphQL, and show what each costs.",
        discussion: """
            Without --url it starts a server of its own with a sample database, both of which are gone afterwards. The answers of all \
            styles are compared, value for value. Where nginx is installed, the same is asked through a cache, too.

            Exit status: 0 if they agree, 1 if they do not, 64 for wrong options, 69 if the server cannot be asked.
            """)

    @Argument(
        help: ArgumentHelp(
            "Scenarios: \(Scenario.all.map(\.name).joined(separator: ", ")). (default: all; with --url those that only read)",
            valueName: "scenario"))
    var names: [String] = []

    @Option(
        help: ArgumentHelp(
            "A server that runs already; nobody else should use it meanwhile. (environment: DUET_URL; default: one of its own)",
            valueName: "url"))
    var url: String?

    @Option(
        help: ArgumentHelp(
            "A cache in front of that server, which is asked through when it is warm. It has to say HIT in X-Cache. (environment: DUET_CACHE_URL; default: none; before a server of its own nginx, where it is installed)",
            valueName: "url"))
    var cacheURL: String?

    @Option(help: ArgumentHelp("What is printed: \(ReportFormat.allCases.map(\.rawValue).joined(separator: ", "))."))
    var format = ReportFormat.table

    @Option(
        help: ArgumentHelp(
            "A report of --format json; what has changed since is told at the end, other than in CSV.",
            valueName: "file"),
        completion: .file(extensions: ["json"]))
    var baseline: String?

    @Flag(
        inversion: .prefixedNo,
        help:
            "Measure time, too; without, what is the same on every machine is compared in some seconds. (environment: DUET_TIMING; default: measure)"
    )
    var timing: Bool?

    @Option(
        help: "Rounds in which each style is timed, in turns, 5 to 1000. (environment: DUET_ROUNDS; default: 5)")
    var rounds: Int?

    @Option(
        help: ArgumentHelp(
            "How long a turn is in milliseconds, 10 to 60000; of slow tasks up to twice as long. A p99.9 takes 10,000 tasks, so 1000 ms or more for short ones. (environment: DUET_TURN; default: 60)",
            valueName: "milliseconds"))
    var turn: Int?

    @Option(
        help:
            "Employees in the sample database of a server of its own, 1000 to 300024. (environment: DUET_EMPLOYEES; default: 10000)"
    )
    var employees: Int?

    /// What is left of the options when the environment has been read.
    private struct Settings {
        let scenarios: [Scenario]
        /// `nil` for a server of its own.
        let base: String?
        /// `nil` for none before a server that runs already.
        let cache: String?
        /// `nil` for no timing.
        let plan: TimingPlan?
        let employees: Int
    }

    private func settings() throws -> Settings {
        let environment = Environment()
        let base = try Self.address(environment.value(url, "url"), "--url is where a server is")
        let cache = try Self.address(environment.value(cacheURL, "cache-url"), "--cache-url is where a cache is")
        guard cache == nil || base != nil else {
            throw ValidationError("--cache-url is a cache in front of the server of --url, which is missing")
        }
        var plan = TimingPlan(turn: try environment.number(turn, "turn", 60, in: 10...60_000))
        plan.rounds = try environment.number(rounds, "rounds", plan.rounds, in: 5...1000)
        return Settings(
            scenarios: try scenarios(readingOnly: base != nil), base: base, cache: cache,
            plan: try environment.value(timing, "timing", default: true) ? plan : nil,
            employees: try environment.number(employees, "employees", 10_000, in: 1_000...300_024))
    }

    /// Without a slash at the end.
    private static func address(_ url: String?, _ meaning: String) throws -> String? {
        guard let url else { return nil }
        guard URL(string: url)?.host != nil, url.hasPrefix("http://") else {
            throw ValidationError("\(meaning), such as http://127.0.0.1:8080")
        }
        return url.hasSuffix("/") ? String(url.dropLast()) : url
    }

    /// - Parameter readingOnly: whether those that write are left out, unless they are named.
    private func scenarios(readingOnly: Bool) throws -> [Scenario] {
        guard !names.isEmpty else { return Scenario.all.filter { !readingOnly || !$0.writes } }
        return try names.map { name in
            guard let scenario = Scenario.all.first(where: { $0.name == name }) else {
                throw ValidationError(
                    "there is no scenario \(name); there are \(Scenario.all.map(\.name).joined(separator: ", "))")
            }
            return scenario
        }
    }

    func validate() throws {
        if format == .csv, baseline != nil {
            throw ValidationError(
                "--format csv is one table, without what has changed since --baseline; table, markdown, json and html tell it"
            )
        }
    }

    func run() async throws {
        let settings = try settings()
        // Before all the work.
        let earlier = try baseline.map(Self.read)
        var report = try await Interruption.ending { try await compare(settings) }
        if let earlier { report.changes = try Self.inBaseline(baseline) { try report.changes(since: earlier) } }
        print(format.text(report), terminator: "")
        let different = report.scenarios.filter { !$0.isEqual }
        guard different.isEmpty else {
            let names = different.map(\.name).joined(separator: ", ")
            FileHandle.standardError.write(Data("The styles do not agree: \(names)\n".utf8))
            throw ExitCode(1)
        }
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
            // What Foundation says of a file is for people only there.
            let reason = error is CocoaError ? error.localizedDescription : "\(error)"
            throw StartFailure.report("--baseline \(file ?? ""): \(reason)", status: 66)
        }
    }

    private func compare(_ settings: Settings) async throws -> ComparisonReport {
        do {
            if let base = settings.base {
                let cache = settings.cache.map { ComparisonRunner.Cache(base: $0, tellsRunsApart: false) }
                return try await compare(
                    settings, at: base, cache: cache,
                    facts: [("database", "that of \(base)"), ("cache", settings.cache ?? "none")])
            }
            return try await EmbeddedServer.with(employees: settings.employees) { server in
                try await EmbeddedCache.with(before: server.base) { cache in
                    try await compare(
                        settings, at: server.base, cache: cache,
                        facts: [
                            ("database", "a sample of \(settings.employees.formatted()) employees, SQLite"),
                            ("cache", cache == nil ? "none" : "nginx"),
                        ],
                        anew: { try await server.anew($0) })
                }
            }
        } catch let error as ComparisonFailure {
            throw StartFailure.report(
                settings.base.map { "\(error.description) (asked of \($0))" } ?? error.description)
        } catch let error as EmbeddedCache.NotStarted {
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
            server: base, cache: cache, scenarios: settings.scenarios, timing: settings.plan, anew: anew)
        var report = try await runner.run { scenario, index, count in
            bar.show(scenario.name, done: index, of: count)
        }
        report.machine = Machine.description
        report.database = facts
        report.startedServer = settings.base == nil
        return report
    }
}
