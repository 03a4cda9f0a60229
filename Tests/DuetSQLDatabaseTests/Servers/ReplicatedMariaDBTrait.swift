import DuetSQLDatabase
import Foundation
import ProcessTesting
import TestSupport
import Testing

/// Starts a primary with two replicas for all tests of a suite.
struct ReplicatedMariaDBTrait: SuiteTrait, TestScoping {
    @TaskLocal fileprivate static var running: ReplicatedMariaDB?

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await withoutActuallyEscaping(function) { function in
            try await TestSlots.without {
                try await ReplicatedMariaDB.with { servers in
                    try await Self.$running.withValue(servers) { try await function() }
                }
            }
        }
    }
}

extension Trait where Self == ReplicatedMariaDBTrait {
    /// Starts servers for the suite. The tests access them as ``ReplicatedMariaDB/shared``.
    static var replicatedMariaDB: ReplicatedMariaDBTrait { ReplicatedMariaDBTrait() }
}

extension ReplicatedMariaDB {
    /// The servers of the suite.
    static var shared: ReplicatedMariaDB {
        get throws { try #require(ReplicatedMariaDBTrait.running, "The suite has no trait .replicatedMariaDB.") }
    }
}

/// A database with the table `t` on a primary and its replicas, which are checked often.
struct ReplicatedDatabase {
    let database: Database
    let recorder: Recorder

    /// Calls a closure as soon as all nodes of a cluster are well.
    static func with(_ cluster: GaleraCluster, _ body: (ReplicatedDatabase) async throws -> Void) async throws {
        try await with(cluster.nodes[0], Array(cluster.nodes.dropFirst()), isCluster: true, { _ in }, body)
    }

    /// Calls a closure as soon as all replicas are well.
    static func with(
        _ primary: ReplicatedMariaDB.Node, _ replicas: [ReplicatedMariaDB.Node], isCluster: Bool = false,
        _ configure: (inout DatabaseConfiguration) -> Void = { _ in },
        _ body: (ReplicatedDatabase) async throws -> Void
    ) async throws {
        let name = "duet_" + UUID().uuidString.replacing("-", with: "").lowercased()
        try await Database.with(primary.url, configuration: DatabaseConfiguration(poolSize: 1).patient) { server in
            try await server.write {
                try $0.executeScript(
                    "CREATE DATABASE \(name); CREATE TABLE \(name).t (n INT AUTO_INCREMENT PRIMARY KEY)")
            }
        }
        var configuration = DatabaseConfiguration(poolSize: 4).patient
        configuration.replicaCheckInterval = .milliseconds(20)
        configuration.replicaWait = .seconds(300)
        configuration.maximumReplicaLag = .seconds(300)
        configuration.replicaCheckTimeout = .seconds(300)
        configure(&configuration)
        let recorder = Recorder()
        let urls = ([primary] + replicas).map { $0.url(of: name) }
        let database =
            isCluster
            ? Database(cluster: urls, configuration: configuration, observer: recorder.observer)
            : Database(
                urls[0], replicas: Array(urls.dropFirst()), configuration: configuration, observer: recorder.observer)
        let watching = Task { await database.watchServers() }
        let result: Result<Void, any Error>
        do {
            let replicated = ReplicatedDatabase(database: database, recorder: recorder)
            _ = try await Polling.observe {
                database.serverStatus
            } until: { status in
                status.dropFirst(isCluster ? 0 : 1).allSatisfy(\.isWell)
            }
            result = .success(try await body(replicated))
        } catch {
            result = .failure(error)
        }
        watching.cancel()
        await watching.value
        await database.close()
        try result.get()
    }

    /// The results of the last checks of the replicas.
    var replicas: [ServerStatus] { Array(database.serverStatus.dropFirst()) }

    /// Waits until the results of the checks of the replicas meet a condition.
    func wait(until condition: ([ServerStatus]) -> Bool) async throws {
        _ = try await Polling.observe({ replicas }, until: condition)
    }

    /// Returns the number of rows of the table on a server.
    func rows(on server: ReplicatedMariaDB.Node) async throws -> Int {
        guard case .mariaDB(let location) = database.url.location else { return 0 }
        return try await Database.with(
            server.url(of: location.database), configuration: DatabaseConfiguration(poolSize: 1).patient
        ) { database in
            try await database.read { connection in
                let row = try connection.query("SELECT COUNT(*) FROM t")
                defer { row.close() }
                return try row.next() ? Int(row.integer(at: 0)) : 0
            }
        }
    }

    /// Returns the server of a read, and the number of rows of the table.
    func read(in session: DatabaseSession?) async throws -> (server: Int, rows: Int) {
        try await DatabaseSession.$current.withValue(session) {
            try await database.read { connection in
                let row = try connection.query("SELECT @@server_id, COUNT(*) FROM t")
                defer { row.close() }
                guard try row.next() else { throw DatabaseError(.failed, "no row") }
                return (server: Int(row.integer(at: 0)), rows: Int(row.integer(at: 1)))
            }
        }
    }

    /// Returns the server of a stream with two elements.
    func stream(in session: DatabaseSession?) async throws -> Set<Int64> {
        try await DatabaseSession.$current.withValue(session) {
            let servers = try await database.stream { connection -> () throws -> Int64? in
                let rows = try connection.query("SELECT @@server_id FROM seq_1_to_2")
                return { try rows.next() ? rows.integer(at: 0) : nil }
            }
            var found: Set<Int64> = []
            for try await server in servers { found.insert(server) }
            return found
        }
    }

    /// Inserts a row.
    @discardableResult
    func write(in session: DatabaseSession = DatabaseSession()) async throws -> DatabasePosition? {
        try await DatabaseSession.$current.withValue(session) {
            try await database.write { try $0.execute("INSERT INTO t () VALUES ()") }
        }
        return session.position
    }

    /// The number of statements that wait for a position.
    var waits: Int { recorder.statements.count { $0.contains("MASTER_GTID_WAIT") } }
}
