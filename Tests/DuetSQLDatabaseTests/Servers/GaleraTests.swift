import DuetSQLDatabase
import Foundation
import ProcessTesting
import TestSupport
import Testing

@Suite(
    "A Galera cluster", .serialized, .timeLimit(.minutes(15)),
    .enabled(
        if: GaleraCluster.isAvailable,
        "needs mariadbd, galera-4, wsrep_sst_rsync of mariadb-server, and rsync; DUET_GALERA can name their folder"))
struct GaleraTests {
    /// Returns the port of the server of a read, because all nodes of a cluster have the same number.
    private static func port(_ database: Database, _ session: DatabaseSession?) async throws -> Int {
        try await DatabaseSession.$current.withValue(session) {
            try await database.read { connection in
                let row = try connection.query("SELECT @@port")
                defer { row.close() }
                return try row.next() ? Int(row.integer(at: 0)) : 0
            }
        }
    }

    private static func port(_ node: ReplicatedMariaDB.Node) -> Int {
        if case .mariaDB(let location) = node.url.location { location.port } else { 0 }
    }

    @Test("Writes use one node and reads all nodes, and a client reads its own writes on each node")
    func nodes() async throws {
        try await GaleraCluster.with { cluster in
            try await ReplicatedDatabase.with(cluster) { replicated in
                let database = replicated.database
                var used: Set<Int> = []
                for count in 1...20 {
                    let position = try #require(try await replicated.write())
                    for _ in cluster.nodes {
                        let session = DatabaseSession(after: position)
                        #expect(try await replicated.read(in: session).rows == count)
                        used.insert(try await Self.port(database, session))
                    }
                    #expect(try await Self.port(database, nil) == Self.port(cluster.nodes[0]))
                }
                #expect(used == Set(cluster.nodes.map(Self.port)))
                // A position of other servers is not waited for.
                let foreign = DatabaseSession(after: DatabasePosition("99-1-1"))
                #expect(try await Self.port(database, foreign) == Self.port(cluster.nodes[0]))
                try await Self.checkOwnCommit(cluster, replicated)
                try await Self.checkConflict(cluster, replicated)
                try await Self.checkSeparation(cluster, replicated)
                try await Self.checkLoss(cluster, replicated)
            }
        }
    }

    /// A commit that only one node has is in its position, but reads on other nodes do not wait for it.
    private static func checkOwnCommit(_ cluster: GaleraCluster, _ replicated: ReplicatedDatabase) async throws {
        guard case .mariaDB(let location) = replicated.database.url.location else { return }
        try await cluster.nodes[0].administer(
            "SET SESSION wsrep_on = 0; CREATE TABLE \(location.database).own (id INT PRIMARY KEY)")
        let position = try #require(try await replicated.write())
        #expect(position.description.contains(","))
        var used: Set<Int> = []
        for _ in 0..<2 * cluster.nodes.count {
            used.insert(try await Self.port(replicated.database, DatabaseSession(after: position)))
        }
        #expect(used == Set(cluster.nodes.map(Self.port)))
        _ = try await Polling.observe {
            replicated.database.serversHaveReached(position)
        } until: {
            $0
        }
    }

    /// Two transactions on different nodes change one row. The second commit is refused, and none of its statements has
    /// an effect.
    private static func checkConflict(_ cluster: GaleraCluster, _ replicated: ReplicatedDatabase) async throws {
        guard case .mariaDB(let location) = replicated.database.url.location else { return }
        try await replicated.database.write { try $0.executeScript("CREATE TABLE c (id INT PRIMARY KEY, n INT)") }
        try await replicated.database.write { try $0.execute("INSERT INTO c VALUES (1, 0), (2, 0)") }
        let other = Database(
            cluster.nodes[1].url(of: location.database), configuration: DatabaseConfiguration(poolSize: 1).patient)
        _ = try await Polling.observe {
            try await other.read { connection in
                let row = try connection.query("SELECT COUNT(*) FROM c")
                defer { row.close() }
                return try row.next() ? row.integer(at: 0) : 0
            }
        } until: {
            $0 == 2
        }
        let isOtherCommitted = DispatchSemaphore(value: 0)
        let hasBegun = AsyncStream<Void>.makeStream()
        let first = Task {
            await failure {
                try await replicated.database.write { connection in
                    try connection.execute("UPDATE c SET n = 1 WHERE id = 2")
                    try connection.execute("UPDATE c SET n = 1 WHERE id = 1")
                    hasBegun.continuation.yield()
                    isOtherCommitted.wait()
                    // The statements that follow the refusal must not run by themselves.
                    _ = try? connection.execute("SELECT COUNT(*) FROM c")
                    try connection.execute("UPDATE c SET n = 2 WHERE id = 2")
                }
            }
        }
        _ = await hasBegun.stream.first { _ in true }
        try await other.write { try $0.execute("UPDATE c SET n = 5 WHERE id = 1") }
        isOtherCommitted.signal()
        let error = await first.value
        #expect(error != nil)
        let rows = try await other.read { connection in
            let rows = try connection.query("SELECT n FROM c ORDER BY id")
            defer { rows.close() }
            var values: [Int64] = []
            while try rows.next() { values.append(rows.integer(at: 0)) }
            return values
        }
        #expect(rows == [5, 0], "\(String(describing: error))")
        await other.close()
    }

    /// A node that is separated from the cluster is not used until it has joined again.
    private static func checkSeparation(_ cluster: GaleraCluster, _ replicated: ReplicatedDatabase) async throws {
        let separated = cluster.nodes[2]
        try await Self.isolate(separated, true)
        _ = try await Polling.observe {
            replicated.database.serverStatus
        } until: {
            !$0[2].isWell
        }
        for _ in 0..<4 {
            let session = DatabaseSession(after: try await replicated.write())
            #expect(try await Self.port(replicated.database, session) != Self.port(separated))
        }
        try await Self.isolate(separated, false)
        _ = try await Polling.observe {
            replicated.database.serverStatus
        } until: {
            $0[2].isWell
        }
    }

    /// Separates a node from the cluster, or connects it again. A separated node refuses transactions, so the client
    /// program sends the statement.
    private static func isolate(_ node: ReplicatedMariaDB.Node, _ isIsolated: Bool) async throws {
        guard case .mariaDB(let location) = node.administrator.location else { return }
        try await TemporaryFolder.with { folder in
            let result = try await Program.run(
                [
                    "--no-defaults", "--host=127.0.0.1", "--port=\(location.port)", "--user=\(location.user)",
                    "--execute",
                    "SET GLOBAL wsrep_provider_options = 'gmcast.isolate=\(isIsolated ? 1 : 0)'",
                ], of: try #require(Program.find("mariadb")), in: folder,
                environment: ["MYSQL_PWD": location.password])
            #expect(result.status == 0, "\(result.errors)")
        }
    }

    /// If the node of the writes is killed, another node receives the writes.
    private static func checkLoss(_ cluster: GaleraCluster, _ replicated: ReplicatedDatabase) async throws {
        let position = try await replicated.write()
        let count = try await replicated.read(in: DatabaseSession(after: position)).rows
        await cluster.nodes[0].kill()
        let next = try await Polling.observe {
            try? await replicated.write()
        } until: {
            $0 != nil
        }
        let read = try await replicated.read(in: DatabaseSession(after: next ?? nil))
        #expect(read.rows >= count + 1)
        #expect(try await Self.port(replicated.database, nil) == Self.port(cluster.nodes[1]))
        #expect(replicated.database.serverStatus[1].isPrimary)
    }
}
