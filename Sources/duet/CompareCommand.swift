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

    @Option(help: ArgumentHelp("A server that runs already; nobody else should use it meanwhile.", valueName: "url"))
    var url: String?

    @Option(help: ArgumentHelp("What is printed: \(ReportFormat.allCases.map(\.rawValue).joined(separator: ", "))."))
    var format = ReportFormat.table

    @Option(
        help: ArgumentHelp("A report of --format json; what has changed since is told at the end.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var baseline: String?

    @Flag(
        inversion: .prefixedNo,
        help: "Measure time, too; without, what is the same on every machine is compared in some seconds.")
    var timing = true

    @Option(help: "Rounds in which each style is timed, in turns.")
    var rounds = 5

    @Option(help: "Employees in the sample database of a server of its own.")
    var employees = 10_000

    func validate() throws {
        _ = try scenarios()
        guard (1_000...300_024).contains(employees) else {
            throw ValidationError("--employees is a number from 1000 to 300024")
        }
        guard (1...1000).contains(rounds) else { throw ValidationError("--rounds is a number from 1 to 1000") }
        if let url, URL(string: url)?.host == nil || !url.hasPrefix("http://") {
            throw ValidationError("--url is where a server is, such as http://127.0.0.1:8080")
        }
    }

    private func scenarios() throws -> [Scenario] {
        guard !names.isEmpty else { return Scenario.all.filter { url == nil || !$0.writes } }
        return try names.map { name in
            guard let scenario = Scenario.all.first(where: { $0.name == name }) else {
                throw ValidationError(
                    "there is no scenario \(name); there are \(Scenario.all.map(\.name).joined(separator: ", "))")
            }
            return scenario
        }
    }

    func run() async throws {
        let scenarios = try scenarios()
        // Before all the work.
        let earlier = try baseline.map(Self.read)
        var report = try await Interruption.ending { try await compare(scenarios) }
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
            throw StartFailure.report("--baseline \(file ?? ""): \(error)", status: 66)
        }
    }

    private func compare(_ scenarios: [Scenario]) async throws -> ComparisonReport {
        do {
            if let url {
                return try await compare(
                    scenarios, at: url.hasSuffix("/") ? String(url.dropLast()) : url, database: "that of \(url)")
            }
            return try await EmbeddedServer.with(employees: employees) { base in
                try await EmbeddedCache.with(before: base) { cache in
                    try await compare(
                        scenarios, at: base, cache: cache,
                        database: "a sample of \(employees.formatted()) employees, SQLite")
                }
            }
        } catch let error as ComparisonFailure {
            throw StartFailure.report(error.description)
        }
    }

    private func compare(
        _ scenarios: [Scenario], at base: String, cache: String? = nil, database: String
    ) async throws -> ComparisonReport {
        let bar = ProgressBar()
        defer { bar.clear() }
        var plan = TimingPlan()
        plan.rounds = rounds
        let runner = ComparisonRunner(server: base, cache: cache, scenarios: scenarios, timing: timing ? plan : nil)
        var report = try await runner.run { scenario, index, count in
            bar.show(scenario.name, done: index, of: count)
        }
        report.machine = Machine.description
        report.database = [("database", database), ("cache", cache == nil ? "none" : "nginx")]
        return report
    }
}
