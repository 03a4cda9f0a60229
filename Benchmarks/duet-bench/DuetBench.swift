import ArgumentParser
import DuetSQLDatabase
import Foundation

/// `duet-bench`: measures the server as its clients see it. It prints each figure with its ratio to a floor: the figure
/// of a simpler program or request, measured in the same run.
@main
struct DuetBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "duet-bench",
        abstract:
            "Measure duet and its ratios to floors of the same run. Requires wrk, h2load, nginx and openssl, and a release build of duet next to this program.",
        discussion: """
            Rates are in requests per second, measured by wrk with one thread on the same machine. A floor is measured before \
            and after each figure, and the median of the ratios is printed. If DUET_BENCH_MARIADB contains a MariaDB URL, \
            MariaDB is also measured.
            """,
        subcommands: [HelloCommand.self])

    @Option(help: "Duration of each measurement in seconds.")
    var seconds = 4
    @Option(help: "Number of rounds of each measurement. The median is reported.")
    var rounds = 5
    @Option(help: "Number of connections of the load generator.")
    var connections = 32
    @Option(help: "Number of employees in the sample.")
    var employees = 10_000
    @Flag(name: .customLong("graphql-only"), help: "Measure only the GraphQL library.")
    var graphQLOnly = false
    @Flag(help: "Measure only the verification of tokens.")
    var tokensOnly = false
    @Flag(help: "Measure only servers with roles.")
    var rolesOnly = false
    @Flag(help: "Measure only writes.")
    var writesOnly = false
    @Option(help: "Number of rows of an import.")
    var importedRows = 1_000_000
    @Flag(help: "Measure only aggregates and groups.")
    var groupsOnly = false
    @Option(help: "Number of employees in the sample of large groups.")
    var groupedEmployees = 300_024
    @Flag(help: "Measure only live queries.")
    var liveOnly = false
    @Flag(help: "Measure only small requests.")
    var smallOnly = false
    @Flag(help: "Measure only encrypted connections and HTTP/2.")
    var transportsOnly = false
    @Flag(help: "Measure only replicas of MariaDB.")
    var replicasOnly = false
    @Flag(inversion: .prefixedNo, help: "Also generate the full-size sample.")
    var fullSample = true

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "duet-bench-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        if graphQLOnly {
            let report = Report()
            try await GraphQLBench.measure(seconds: seconds, rounds: rounds, folder: folder, report)
            report.print(employees: employees, rounds: rounds, seconds: seconds, connections: connections)
            return
        }
        if tokensOnly {
            let report = Report()
            try await TokenBench.measure(seconds: seconds, rounds: rounds, report)
            report.print(employees: employees, rounds: rounds, seconds: seconds, connections: connections)
            return
        }
        let path = folder.appending(path: "employees.sqlite").path
        let report = Report()
        if writesOnly {
            try measureWrites(folder, report)
            report.print(employees: employees, rounds: rounds, seconds: seconds, connections: connections)
            return
        }
        if replicasOnly {
            try await measureReplicas(folder, report)
            report.print(employees: employees, rounds: rounds, seconds: seconds, connections: connections)
            return
        }
        try Duet.run(["sample", "--employees", "\(employees)", "--database", "sqlite:\(path)"])
        if rolesOnly {
            try Roles.measure(employees: path, folder: folder, load: load, rounds: rounds, report)
            try await ManyTables.measureRoles(folder: folder, rounds: rounds, report)
            report.print(employees: employees, rounds: rounds, seconds: seconds, connections: connections)
            return
        }
        if liveOnly {
            try await measureLive(path, report)
            report.print(employees: employees, rounds: rounds, seconds: seconds, connections: connections)
            return
        }
        if transportsOnly {
            try Transports(database: path, folder: folder, rounds: rounds, seconds: seconds).measure(report)
            report.print(employees: employees, rounds: rounds, seconds: seconds, connections: connections)
            return
        }
        if groupsOnly {
            try measureGroups(path, folder, report)
            report.print(employees: employees, rounds: rounds, seconds: seconds, connections: connections)
            return
        }
        try SmallRequests(database: path, rounds: rounds, seconds: seconds).measure(report)
        if smallOnly {
            report.print(employees: employees, rounds: rounds, seconds: seconds, connections: connections)
            return
        }
        try Transports(database: path, folder: folder, rounds: rounds, seconds: seconds).measure(report)
        try await measureSQLite(path, folder, report)
        if let url = ProcessInfo.processInfo.environment["DUET_BENCH_MARIADB"] {
            try Duet.run(["sample", "--employees", "\(employees)"], environment: ["DUET_DATABASE": url])
            try await measureMariaDB(url, report)
        } else {
            print("DUET_BENCH_MARIADB is not set: MariaDB is not measured")
        }
        try await measureLive(path, report)
        try measureWrites(folder, report)
        try await GraphQLBench.measure(seconds: seconds, rounds: rounds, folder: folder, report)
        try await TokenBench.measure(seconds: seconds, rounds: rounds, report)
        try await ManyTables.measure(employees: path, folder: folder, rounds: rounds, seconds: seconds, report)
        if fullSample { try measureFullSample(folder, report) }
        try measureGroups(path, folder, report)
        report.print(employees: employees, rounds: rounds, seconds: seconds, connections: connections)
    }

    private func measureLive(_ path: String, _ report: Report) async throws {
        try await Live.measure("SQLite", url: "sqlite:\(path)", report)
        guard let url = ProcessInfo.processInfo.environment["DUET_BENCH_MARIADB"] else { return }
        if liveOnly { try Duet.run(["sample", "--employees", "\(employees)"], environment: ["DUET_DATABASE": url]) }
        try await Live.measure("MariaDB", url: url, report)
    }

    private func measureReplicas(_ folder: URL, _ report: Report) async throws {
        try await Replicas.measure(
            employees: employees, folder: folder, rounds: rounds, seconds: seconds, report)
    }

    private func measureWrites(_ folder: URL, _ report: Report) throws {
        try Writes.measureSQLite(folder: folder, load: load, rounds: rounds, importedRows: importedRows, report)
        guard let url = ProcessInfo.processInfo.environment["DUET_BENCH_MARIADB"] else { return }
        try Writes.measureMariaDB(
            url, folder: folder, load: load, rounds: rounds, importedRows: importedRows, report)
    }

    /// Measures groups of the small sample, and of a larger sample in a file and a MariaDB database of its own.
    private func measureGroups(_ small: String, _ folder: URL, _ report: Report) throws {
        func measure(_ small: Groups.Backend, _ large: Groups.Backend) throws {
            try Groups.measureLarge(large, rounds: rounds, report)
            try Groups.measureSmall(small, load: load, rounds: rounds, report)
        }
        let large = folder.appending(path: "groups-\(groupedEmployees).sqlite").path
        if !FileManager.default.fileExists(atPath: large) {
            try Duet.run(["sample", "--employees", "\(groupedEmployees)", "--database", "sqlite:\(large)"])
        }
        try measure(Groups.sqlite(small), Groups.sqlite(large))
        guard let url = ProcessInfo.processInfo.environment["DUET_BENCH_MARIADB"] else { return }
        let name = "duet_bench_groups"
        guard case .mariaDB(let location) = try DatabaseURL(url).location,
            let range = url.range(of: "/\(location.database)", options: .backwards)
        else { throw Duet.Failure(description: "the URL of MariaDB names no database") }
        let administrator = try BareMariaDB(url: url)
        try administrator.run("DROP DATABASE IF EXISTS \(name)")
        try administrator.run("CREATE DATABASE \(name)")
        defer { try? administrator.run("DROP DATABASE \(name)") }
        let own = url.replacingCharacters(in: range, with: "/\(name)")
        if groupsOnly { try Duet.run(["sample", "--employees", "\(employees)"], environment: ["DUET_DATABASE": url]) }
        try Duet.run(["sample", "--employees", "\(groupedEmployees)"], environment: ["DUET_DATABASE": own])
        try measure(Groups.mariaDB(url), Groups.mariaDB(own))
    }

    private func load(_ server: ServerProcess) -> Load {
        Load(base: server.base, seconds: seconds, connections: connections)
    }

    private func measureSQLite(_ path: String, _ folder: URL, _ report: Report) async throws {
        let server = try Duet.serve(environment: ["DUET_DATABASE": "sqlite:\(path)"])
        defer { server.stop() }
        let load = load(server)
        try measureGraphQL("SQLite", load, report)
        try measureCaching("SQLite", load, report)
        try Roles.measure(employees: path, folder: folder, load: self.load, rounds: rounds, report)
        measureRequests(report)

        let bare = try BareSQLite(path: path)
        let list = try Comparison.paired(
            rounds: rounds, figure: { try load.rate(Target.list) }, floor: { try bare.lists(seconds: seconds) })
        report.add(
            "SQLite", "list of 100 with titles and salaries", list, floor: "bare loop, one thread", goal: 0.6,
            unit: "lists/s")

        let before = server.usage.residentMemory
        let rows = try bare.countSalaries()
        let export = try Comparison.paired(
            rounds: rounds, figure: { try Export.rowsPerSecond(server, expected: rows) },
            floor: { try bare.exportedRowsPerSecond() })
        report.add(
            "SQLite", "export of salaries as NDJSON", export, floor: "bare loop, one thread", goal: 0.5, unit: "rows/s")
        // Further exports would reveal memory that grows with each export.
        for _ in 0..<10 { _ = try Export.rowsPerSecond(server, expected: rows) }
        report.note(
            "resident memory: \(before >> 10) MiB before the exports, \(server.usage.residentMemory >> 10) MiB after"
                + " \(rounds + 10) exports of \(rows) rows each, at most \(server.usage.peakMemory >> 10) MiB")
    }

    /// Compares GraphQL requests with REST requests for the same data.
    private func measureGraphQL(_ backend: String, _ load: Load, _ report: Report) throws {
        for (what, graphQL, rest, goal) in [
            ("the published query by POST", Target.graphQLOne, Target.one, 0.85),
            ("list of 100 with titles and salaries, GraphQL", Target.graphQLList, Target.list, 0.9),
        ] {
            let comparison = try load.compare(graphQL, with: rest, rounds: rounds)
            report.add(backend, what, comparison, floor: "the same over REST", goal: goal, unit: "requests/s")
        }
    }

    /// Measures the effect of persisted queries and of conditional requests.
    private func measureCaching(_ backend: String, _ load: Load, _ report: Report) throws {
        for target in [Target.graphQLOne, Target.screen] {
            _ = try Curl.send(load.base + target.path, json: target.registration)
        }
        let hashed = try load.compare(Target.graphQLOne.hashed, with: Target.one, rounds: rounds)
        report.add(
            backend, "the published query by its hash", hashed, floor: "the same over REST", goal: 0.95,
            unit: "requests/s")
        let screen = try load.compare(Target.screen.hashed, with: Target.screen, rounds: rounds)
        report.add(
            backend, "a query of 140 lines by its hash", screen, floor: "the same by POST", goal: 1.1,
            unit: "requests/s")
        for (what, target) in [
            ("one employee with titles and salaries, revalidated (304)", Target.one),
            ("the published query by its hash, revalidated (304)", Target.graphQLOne.hashed),
        ] {
            let tag = try Curl.entityTag(load.base + target.path)
            let unchanged = try load.compare(target.conditional(on: tag), with: target, rounds: rounds)
            report.add(backend, what, unchanged, floor: "the 200", goal: 1.2, unit: "requests/s")
        }
    }

    /// Reports the sizes of requests with documents and with hashes.
    private func measureRequests(_ report: Report) {
        for (what, target) in [
            ("the published query", Target.graphQLOne), ("the list of 100", Target.graphQLList),
            ("the query of 140 lines", Target.screen),
        ] {
            let (full, hashed) = (target.size, target.hashed.size)
            report.note(
                "request for \(what): \(full) bytes by POST, \(hashed) by its hash"
                    + (hashed < full ? ", \(100 - 100 * hashed / full) % less" : "")
            )
        }
    }

    private func measureMariaDB(_ url: String, _ report: Report) async throws {
        // The benchmark is the only writer, so DUET_SINGLE_WRITER can be set. The server then revalidates without a
        // query to the database.
        let server = try Duet.serve(environment: ["DUET_DATABASE": url, "DUET_SINGLE_WRITER": "true"])
        defer { server.stop() }
        let load = load(server)
        let one = try load.compare(Target.one, with: Target.floor, rounds: rounds)
        report.add(
            "MariaDB", "one employee with titles and salaries", one, floor: "/health/live", goal: nil,
            unit: "requests/s")
        try measureGraphQL("MariaDB", load, report)
        try measureCaching("MariaDB", load, report)
        let bare = try BareMariaDB(url: url)
        let detail = try Comparison.paired(
            rounds: rounds, figure: { try load.rate(Target.one) }, floor: { try bare.details(seconds: seconds) })
        report.add(
            "MariaDB", "one employee with titles and salaries", detail, floor: "bare loop, one thread", goal: nil,
            unit: "requests/s")
        let list = try Comparison.paired(
            rounds: rounds, figure: { try load.rate(Target.list) }, floor: { try bare.lists(seconds: seconds) })
        report.add(
            "MariaDB", "list of 100 with titles and salaries", list, floor: "bare loop, one thread", goal: nil,
            unit: "lists/s")
    }

    private func measureFullSample(_ folder: URL, _ report: Report) throws {
        let path = folder.appending(path: "full.sqlite").path
        let start = ContinuousClock.now
        try Duet.run(["sample", "--employees", "300024", "--database", "sqlite:\(path)"])
        let elapsed = ContinuousClock.now - start
        report.note(
            "duet sample, 300,024 employees into SQLite: \(elapsed.formatted(.units(allowed: [.seconds], fractionalPart: .show(length: 1)))) (goal: under 60 s)"
        )
    }
}
