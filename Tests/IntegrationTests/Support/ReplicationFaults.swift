import DuetSQLDatabase
import Foundation
import ProcessTesting
import SeededTesting
import TestSupport
import Testing

/// The failures of a primary, its replicas, the servers and the network between them, and the work of the operator who
/// ends them.
final class ReplicationFaults {
    private enum Fault: CaseIterable {
        case replicaFails, replicaHangs, replicationIsSeparated, serverIsSeparatedFromPrimary,
            serverIsSeparatedFromReplica, primaryHangs, primaryIsChanged, primaryFails, serverFails
    }

    private let nodes: [ReplicatedMariaDB.Node]
    /// The relays by which each source reaches each node. The first two sources are the servers, and the others are the
    /// nodes.
    private let relays: [Relay]
    private var primary = 0
    private var serverIDs: [Int]

    private init(_ nodes: [ReplicatedMariaDB.Node], _ relays: [Relay]) {
        self.nodes = nodes
        self.relays = relays
        serverIDs = nodes.map(\.serverID)
    }

    /// Runs relays between two servers and the nodes, which replicate through them, for the duration of a closure.
    /// - Parameter nodes: A primary and its replicas.
    static func with(_ nodes: [ReplicatedMariaDB.Node], _ body: (ReplicationFaults) async throws -> Void) async throws {
        let ports = (0..<2 + nodes.count).flatMap { _ in nodes.map(\.port) }
        try await Relay.with(to: ports) { relays in
            let faults = ReplicationFaults(nodes, relays)
            try await nodes[0].administer("SET GLOBAL rpl_semi_sync_master_enabled = 1")
            for replica in 1..<nodes.count { try await faults.follow(replica) }
            try await body(faults)
        }
    }

    private func relay(fromServer server: Int, to node: Int) -> Relay { relays[server * nodes.count + node] }
    private func relay(from node: Int, to other: Int) -> Relay { relays[(2 + node) * nodes.count + other] }

    /// Returns the URL by which a server reaches a database on a node.
    func url(of database: String, from server: Int, to node: Int) -> String {
        guard case .mariaDB(var location) = nodes[node].url(of: database).location else { return "" }
        location.port = relay(fromServer: server, to: node).port
        return DatabaseURL(location: .mariaDB(location)).text
    }

    /// Lets each part fail in each way, in a random order.
    func run(_ servers: [RestartableServer], _ clients: FaultClients, seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        for fault in Fault.allCases.shuffled(using: &random) {
            let replica = (primary + 1 + random.below(2)) % nodes.count
            let server = random.below(servers.count)
            switch fault {
            case .replicaFails:
                await nodes[replica].kill()
                try await clients.progress("a replica fails")
                try await start(replica)
            case .replicaHangs:
                nodes[replica].pause()
                try await clients.progress("a replica hangs")
                nodes[replica].resume()
            case .replicationIsSeparated:
                let relay = relay(from: replica, to: primary)
                try await relay.setSeparated(true)
                try await clients.progress("a replica is separated from the primary")
                try await relay.setSeparated(false)
            case .serverIsSeparatedFromPrimary:
                try await relay(fromServer: server, to: primary).setSeparated(true)
                try await clients.failure()
                try await relay(fromServer: server, to: primary).setSeparated(false)
                try await clients.progress("a server reaches the primary again")
            case .serverIsSeparatedFromReplica:
                try await relay(fromServer: server, to: replica).setSeparated(true)
                try await clients.progress("a server is separated from a replica")
                try await relay(fromServer: server, to: replica).setSeparated(false)
            case .primaryHangs:
                nodes[primary].pause()
                try await clients.failure()
                nodes[primary].resume()
                try await clients.progress("the primary continues")
            case .primaryIsChanged: try await changePrimary(to: replica, clients)
            case .primaryFails: try await replacePrimary(clients)
            case .serverFails:
                await servers[server].kill()
                try await clients.progress("a server process fails")
                try await servers[server].start()
            }
            try await waitForReplicas()
            try await clients.progress("all parts work again")
        }
    }

    // MARK: The work of an operator

    /// Changes the primary without the loss of a write.
    private func changePrimary(to replica: Int, _ clients: FaultClients) async throws {
        let previous = primary
        try await nodes[previous].administer("SET GLOBAL read_only = 1")
        try await waitForReplicas()
        try await promote(replica)
        try await clients.progress("the primary was changed") {
            for node in nodes.indices where node != replica {
                try await nodes[node].administer("SET GLOBAL rpl_semi_sync_master_enabled = 0")
                try await follow(node, from: node == previous ? position(of: previous, "gtid_binlog_pos") : nil)
            }
        }
    }

    /// Promotes a replica after the failure of the primary, which comes back without knowing of it.
    private func replacePrimary(_ clients: FaultClients) async throws {
        let previous = primary
        await nodes[previous].kill()
        try await clients.failure()
        // A replica can have received commits that it has not applied yet.
        let replicas = nodes.indices.filter { $0 != previous }
        for replica in replicas {
            try await nodes[replica].administer("STOP SLAVE IO_THREAD")
            _ = try await Polling.observe {
                try await value(
                    """
                    SELECT CAST(COUNT(*) AS CHAR) FROM information_schema.processlist
                    WHERE state LIKE 'Slave has read all relay log%'
                    """, of: replica)
            } until: {
                $0 == "1"
            }
        }
        let first = try await position(of: replicas[0], "gtid_slave_pos")
        let second = try #require(try await position(of: replicas[1], "gtid_slave_pos"))
        let next = first?.reaches(second) == true ? replicas[0] : replicas[1]
        try await promote(next)
        try await clients.progress("a replica was promoted") {
            for replica in replicas where replica != next { try await follow(replica) }
        }
        // The previous primary accepts writes, and may have a commit that no replica has.
        try await start(previous, ["--read-only=0", "--rpl-semi-sync-slave-enabled=0"])
        let before = try await position(of: previous, "gtid_binlog_pos")
        try await clients.progress("the previous primary comes back")
        let after = try await position(of: previous, "gtid_binlog_pos")
        #expect(after == before)
        await nodes[previous].kill()
        // With the same identifier, it would ignore its own transactions when it receives all transactions again.
        try nodes[previous].erase()
        serverIDs[previous] += nodes.count
        try await start(previous)
        try await follow(previous)
    }

    /// Starts a node that was killed, by default as a replica.
    private func start(_ node: Int, _ options: [String] = ["--read-only=1"]) async throws {
        try await nodes[node].start(["--server-id=\(serverIDs[node])"] + options)
    }

    private func promote(_ replica: Int) async throws {
        try await nodes[replica].administer(
            """
            STOP SLAVE;
            RESET SLAVE ALL;
            SET GLOBAL rpl_semi_sync_master_enabled = 1;
            SET GLOBAL read_only = 0;
            """)
        primary = replica
    }

    /// Makes a node a replica of the primary.
    private func follow(_ replica: Int, from position: DatabasePosition? = nil) async throws {
        try await nodes[replica].administer("STOP SLAVE")
        try await nodes[replica].follow(port: relay(from: replica, to: primary).port, from: position)
    }

    /// Waits until each replica has the commits that the primary has at the moment.
    func waitForReplicas() async throws {
        guard let wanted = try await position(of: primary, "gtid_binlog_pos") else { return }
        for node in nodes.indices where node != primary {
            _ = try await Polling.observe {
                try await position(of: node, "gtid_slave_pos")
            } until: { position in
                position?.reaches(wanted) == true
            }
        }
    }

    private func position(of node: Int, _ variable: String) async throws -> DatabasePosition? {
        DatabasePosition(try await value("SELECT @@GLOBAL.\(variable)", of: node))
    }

    private func value(_ statement: String, of node: Int) async throws -> String {
        try await Database.with(
            nodes[node].administrator, configuration: DatabaseConfiguration(poolSize: 1).patient
        ) { database in
            try await database.read { connection in
                let row = try connection.query(statement)
                defer { row.close() }
                return try row.next() ? row.text(at: 0) : ""
            }
        }
    }
}
