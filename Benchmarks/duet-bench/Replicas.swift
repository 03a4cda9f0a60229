import DuetSQLDatabase
import Foundation
import NIOHTTP1
import ProcessTesting
import TestSupport

/// Measures reads from replicas: the processor time of the server in relation to reads from one database server, the
/// cost of a position, and many connections to two servers.
enum Replicas {
    private static let secret = "a secret for measurements, and for nothing else"
    private static let sample = "duet_bench"
    private static let entries = "duet_bench_entries"
    private static let connections = 3_000
    /// The number of writes, each followed by a read, in a round.
    private static let pairs = 300

    private static let description = """
        duet: 1
        description: Entries.
        resources:
          entries:
            singular: entry
            type: Entry
            key: [id]
            writes: all
            fields:
              id: {type: int, absent: automatic}
              title: {type: text, maxLength: 40}

        """

    static func measure(employees: Int, folder: URL, rounds: Int, seconds: Int, _ report: Report) async throws {
        guard ReplicatedMariaDB.isAvailable else {
            return print("mariadbd is not installed: replicas are not measured")
        }
        let options = ["--innodb-buffer-pool-size=128M", "--max-connections=400"]
        let figures = try await ReplicatedMariaDB.with(options) { nodes in
            try await nodes.primary.administer(
                """
                CREATE DATABASE \(sample);
                CREATE DATABASE \(entries);
                CREATE TABLE \(entries).entries (id INT AUTO_INCREMENT PRIMARY KEY, title VARCHAR(40) NOT NULL);
                """)
            try Duet.run(
                ["sample", "--employees", "\(employees)"],
                environment: ["DUET_DATABASE": nodes.primary.url(of: sample).text])
            try await waitForReplicas(nodes)
            let api = folder.appending(path: "entries.yaml")
            try Data(description.utf8).write(to: api)
            func serve(
                _ database: String, replicas: Int, _ further: [String: String] = [:]
            ) throws -> ServerProcess {
                let urls = nodes.replicas.prefix(replicas).map { $0.url(of: database).text }
                let environment = [
                    "DUET_DATABASE": nodes.primary.url(of: database).text,
                    "DUET_READ_DATABASE": urls.joined(separator: " "), "DUET_SECRET": secret,
                ]
                return try Duet.serve(
                    environment: environment.filter { !$0.value.isEmpty }.merging(further) { $1 })
            }
            let servers = try (0...2).map { try serve(sample, replicas: $0) }
            defer { for server in servers { server.stop() } }
            let writer = try serve(entries, replicas: 2, ["DUET_API": api.path])
            defer { writer.stop() }
            let reads = try measureReads(servers, rounds: rounds, seconds: seconds)
            let load = Load(base: servers[2].base, seconds: seconds, connections: 32)
            let writes = Endpoint(base: writer.base)
            var target = Target.one
            target.field = ("Duet-Database-Position", try await write(writes))
            return (
                reads: reads, position: try load.compare(target, with: .one, rounds: rounds),
                readsAfterWrites: try await measureReadsAfterWrites(writes, count: rounds * pairs),
                connections: try measureConnections([servers[2], writer], seconds: seconds, folder)
            )
        }
        report.section(figures.reads)
        report.add(
            "MariaDB", "a read with a position, two replicas", figures.position, floor: "without a position", goal: nil,
            unit: "requests/s")
        report.note(figures.readsAfterWrites)
        report.note(figures.connections)
    }

    /// Waits until the replicas have all commits of the primary.
    private static func waitForReplicas(_ nodes: ReplicatedMariaDB) async throws {
        let position = try await value("SELECT @@GLOBAL.gtid_binlog_pos", nodes.primary)
        for replica in nodes.replicas {
            guard try await value("SELECT MASTER_GTID_WAIT('\(position)', 600)", replica) == "0" else {
                throw Duet.Failure(description: "the replica does not follow the primary")
            }
        }
    }

    private static func value(_ statement: String, _ node: ReplicatedMariaDB.Node) async throws -> String {
        var configuration = DatabaseConfiguration(poolSize: 1)
        configuration.statementTimeout = nil
        return try await Database.with(node.administrator, configuration: configuration) { database in
            try await database.read { connection in
                let row = try connection.query(statement)
                defer { row.close() }
                guard try row.next() else { return "" }
                if case .integer(let number) = row.value(at: 0) { return "\(number)" }
                return row.text(at: 0)
            }
        }
    }

    // MARK: Reads

    /// Compares the processor time of a request. The rate would also show that more database servers share the
    /// processors.
    private static func measureReads(
        _ servers: [ServerProcess], rounds: Int, seconds: Int
    ) throws -> String {
        var times = servers.map { _ in [Double]() }
        for _ in 0..<rounds {
            for (index, server) in servers.enumerated() {
                let load = Load(base: server.base, seconds: seconds, connections: 32)
                let before = server.usage
                let requests = try load.run(.one).requests
                let after = server.usage
                let time = after.userTime + after.systemTime - before.userTime - before.systemTime
                times[index].append(time / Double(requests) * 1e6)
            }
        }
        let lines = times.enumerated().map { replicas, figures in
            let ratio = zip(figures, times[0]).map { $0 / $1 }.median
            return "| \(replicas) | \(String(format: "%.1f", figures.median)) µs | \(String(format: "%.2f", ratio)) |"
        }
        return
            """
            One employee with titles and salaries over REST, read from MariaDB with replicas: the processor time of `duet` for each request, median of \
            \(rounds) rounds of \(seconds) s. The goal is at most 1.05.

            | replicas | processor time | relative to none |
            |---|---|---|
            \(lines.joined(separator: "\n"))
            """
    }

    // MARK: Positions

    /// Measures the time of a read directly after a write, with its position and without.
    private static func measureReadsAfterWrites(_ server: Endpoint, count: Int) async throws -> String {
        var withPosition: [Double] = []
        var without: [Double] = []
        for _ in 0..<count {
            let position = try await write(server)
            withPosition.append(try await time { try await get(server, ["Duet-Database-Position": position]) })
            _ = try await write(server)
            without.append(try await time { try await get(server, [:]) })
        }
        return String(
            format:
                "a read of one row takes %.2f ms directly after a write, and %.2f ms with the position of the write, "
                + "including the wait for the replica (median of %d)", without.median, withPosition.median, count)
    }

    /// Writes a row, and returns its position.
    private static func write(_ server: Endpoint) async throws -> String {
        let answer = try await server.send("POST", "/entries", body: #"{"title": "An entry of usual length"}"#)
        guard answer.status == 201, let position = answer.headers.first(name: "Duet-Database-Position") else {
            throw Duet.Failure(description: "the write failed: \(answer.body)")
        }
        return position
    }

    private static func get(_ server: Endpoint, _ fields: [String: String]) async throws {
        let answer = try await server.get("/entries/1", fields)
        guard answer.status == 200 else { throw Duet.Failure(description: "the read failed: \(answer.body)") }
    }

    /// Returns the time in milliseconds.
    private static func time(_ body: () async throws -> Void) async throws -> Double {
        let start = ContinuousClock.now
        try await body()
        return (ContinuousClock.now - start) / .milliseconds(1)
    }

    // MARK: Connections

    /// Sends requests on many connections, which are distributed over servers with the same database.
    private static func measureConnections(
        _ servers: [ServerProcess], seconds: Int, _ folder: URL
    ) throws -> String {
        let commands = zip(servers, [Target.one.path, "/entries/1"]).map { server, path in
            "wrk -t1 -c\(connections / servers.count) -d\(seconds)s --timeout 30s '\(server.base)\(path)' &"
        }
        let output = try Duet.shell("ulimit -n 4096; \(commands.joined(separator: "\n")) wait", in: folder)
        let rates = output.matches(of: /Requests\/sec: +([0-9.]+)/).compactMap { Double($0.1) }
        guard rates.count == servers.count, !output.contains("Non-2xx"), !output.contains("Socket errors") else {
            throw Duet.Failure(description: "wrk failed: \(output)")
        }
        let memory = servers.map { "\($0.usage.peakMemory >> 10)" }.joined(separator: " and ")
        return "\(connections) connections over two servers with two replicas: \(Int(rates.reduce(0, +))) requests/s "
            + "without an error; at most \(memory) MiB of resident memory"
    }
}

/// The address of a server, for requests without a process for each.
private struct Endpoint: HTTPEndpoint {
    let base: String
}
