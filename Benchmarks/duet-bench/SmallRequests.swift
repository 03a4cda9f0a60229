import Foundation

/// Measures small requests and their floors: the rate, the processor time, the context switches and the allocations.
struct SmallRequests {
    /// A request, and the server that responds to it: a row of the report.
    private struct Row {
        let name: String
        let target: Target
        let server: ServerProcess
        /// The goal for the ratio of the rate to the rate of `/health/live`.
        var goal: Double?
        var samples: [Sample] = []
        var allocations: Double?
    }

    /// The measurement of a row in one round.
    private struct Sample {
        /// The number of requests per second.
        let rate: Double
        /// The server's processor time in user code per request, in microseconds.
        let userTime: Double
        let systemTime: Double
        let contextSwitches: Double
    }

    let database: String
    let rounds: Int
    let seconds: Int

    /// The number of connections of the load generator.
    private static let connections = 16

    /// Measures all rows in each round, so that changes in the speed of the machine do not affect the ratios.
    func measure(_ report: Report) throws {
        let environment = ["DUET_DATABASE": "sqlite:\(database)"]
        let servers = [try Self.hello(.nio), try Self.hello(.hummingbird), try Duet.serve(environment: environment)]
        defer { for server in servers { server.stop() } }
        let duet = servers[2]
        var rows = [
            Row(name: "hello of SwiftNIO", target: .floor, server: servers[0]),
            Row(name: "hello of Hummingbird", target: .floor, server: servers[1]),
            Row(name: "`/health/live`", target: .floor, server: duet),
            Row(name: "one employee", target: .plain, server: duet),
            Row(name: "with titles and salaries", target: .one, server: duet, goal: 0.75),
            Row(name: "the same by GraphQL POST", target: .graphQLOne, server: duet, goal: 0.65),
            Row(name: "one field by GraphQL POST", target: .graphQLField, server: duet, goal: 0.80),
        ]
        for _ in 0..<rounds {
            for index in rows.indices { rows[index].samples.append(try sample(rows[index])) }
        }
        for (row, allocations) in zip(
            rows.indices, try allocations(of: rows.map { ($0.target, $0.server === duet) }, environment))
        {
            rows[row].allocations = allocations
        }
        report.section(table(rows, hummingbird: rows[1], live: rows[2]))
        report.section(try connections(duet))
    }

    private static func hello(_ library: HelloCommand.Library) throws -> ServerProcess {
        let executable = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        return try ServerProcess(executable) { ["hello", "--library", library.rawValue, "--port", "\($0)"] }
    }

    private func sample(_ row: Row) throws -> Sample {
        let load = Load(base: row.server.base, seconds: seconds, connections: Self.connections)
        let before = row.server.usage
        let result = try load.run(row.target)
        let after = row.server.usage
        let requests = Double(max(1, result.requests))
        return Sample(
            rate: result.rate, userTime: (after.userTime - before.userTime) / requests * 1e6,
            systemTime: (after.systemTime - before.systemTime) / requests * 1e6,
            contextSwitches: Double(after.contextSwitches - before.contextSwitches) / requests)
    }

    private func table(_ rows: [Row], hummingbird: Row, live: Row) -> String {
        func median(_ row: Row, _ figure: (Sample) -> Double) -> Double { row.samples.map(figure).median }
        func ratio(_ row: Row, to floor: Row) -> Double {
            zip(row.samples, floor.samples).map { $0.rate / $1.rate }.median
        }
        let lines = rows.map { row in
            let figures = [
                String(Int(median(row, \.rate))), String(format: "%.2f", ratio(row, to: live)),
                row.goal.map { String(format: "%.2f", $0) } ?? "–", String(format: "%.2f", ratio(row, to: hummingbird)),
                String(format: "%.0f + %.0f", median(row, \.userTime), median(row, \.systemTime)),
                String(format: "%.2f", median(row, \.contextSwitches)),
                row.allocations.map { String(format: "%.0f", $0) } ?? "–",
            ]
            return "| \(row.name) | \(figures.joined(separator: " | ")) |"
        }
        return """
            Small requests from SQLite, \(Self.connections) connections, median of \(rounds) rounds of \(seconds) s. Processor time (user + system), context \
            switches and allocations are those of the server, for each request.

            | request | requests/s | relative to `/health/live` | goal | relative to hello of Hummingbird | µs | switches | allocations |
            |---|---|---|---|---|---|---|---|
            \(lines.joined(separator: "\n"))
            """
    }

    /// Returns the number of allocations per request for each target. It is nil for servers other than Duet. It is also
    /// nil if no counting library is available.
    private func allocations(
        of targets: [(target: Target, isDuet: Bool)], _ environment: [String: String]
    ) throws -> [Double?] {
        guard let library = ProcessInfo.processInfo.environment["DUET_BENCH_ALLOCATIONS"] else {
            return targets.map { _ in nil }
        }
        let counter = FileManager.default.temporaryDirectory.appending(path: "duet-bench-\(UUID().uuidString)")
        try Data(count: 8).write(to: counter)
        defer { try? FileManager.default.removeItem(at: counter) }
        func count() throws -> Int {
            try Data(contentsOf: counter).withUnsafeBytes { Int(UInt(littleEndian: $0.loadUnaligned(as: UInt.self))) }
        }
        let server = try Duet.serve(
            environment: environment.merging(["LD_PRELOAD": library, "COUNT_ALLOCATIONS_IN": counter.path]) { $1 })
        defer { server.stop() }
        let load = Load(base: server.base, seconds: 1, connections: 1)
        return try targets.map { target, isDuet in
            guard isDuet else { return nil }
            _ = try load.run(target)
            let before = try count()
            let requests = try load.run(target).requests
            return Double(try count() - before) / Double(max(1, requests))
        }
    }

    /// Measures the rate and the memory with several numbers of connections.
    private func connections(_ server: ServerProcess) throws -> String {
        let lines = try [1, 16, 256, 1_024].map { connections in
            let load = Load(base: server.base, seconds: seconds, connections: connections)
            let rate = try (0..<3).map { _ in try load.rate(Target.one) }.median
            return "| \(connections) | \(Int(rate)) | \(server.usage.residentMemory >> 10) |"
        }
        return """
            The rate and the memory by the number of connections, for one employee with titles and salaries over REST. No request failed.

            | connections | requests/s | resident memory, MiB |
            |---|---|---|
            \(lines.joined(separator: "\n"))
            """
    }
}
