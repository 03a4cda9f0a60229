import DuetSQLDatabase
import Foundation
import ProcessTesting
import SeededTesting
import TestSupport
import Testing

extension ProgramTests {
    @Suite(
        "duet serve while parts of a system fail", .serialized, .timeLimit(.minutes(30)),
        .enabled(if: ReplicatedMariaDB.isAvailable, "needs mariadbd and mariadb-install-db"))
    struct ServerFailureTests {
        private static let secret = "a secret of at least thirty-two bytes"

        /// Creates the database on the first node, and runs two servers during a closure.
        /// - Parameters:
        ///   - others: The nodes that receive the database by replication.
        ///   - database: Returns the settings of the database for a server.
        private static func with(
            _ node: ReplicatedMariaDB.Node, _ others: [ReplicatedMariaDB.Node],
            database: (_ server: Int, _ name: String) -> [String: String],
            _ body: (_ servers: [RestartableServer], _ name: String) async throws -> Void
        ) async throws {
            let name = "duet_" + UUID().uuidString.replacing("-", with: "").lowercased()
            try await node.administer("CREATE DATABASE \(name); USE \(name); \(FaultClients.table);")
            try await TemporaryFolder.with { folder in
                try Data(FaultClients.description.utf8).write(to: folder.appending(path: "api.yaml"))
                let prepared = try await Program.run(
                    ["prepare"], in: folder, environment: ["DUET_DATABASE": node.url(of: name).text])
                #expect(prepared.status == 0, "\(prepared.errors)")
                for other in others {
                    _ = try await Polling.observe {
                        try? await Database.with(other.url(of: name)) {
                            try await $0.read { try $0.execute("SELECT COUNT(*) FROM notes") }
                        }
                    } until: {
                        $0 != nil
                    }
                }
                let servers = (0..<2).map { server in
                    RestartableServer(
                        ["--api", "api.yaml"], in: folder,
                        environment: database(server, name).merging(["DUET_SECRET": Self.secret]) { $1 })
                }
                try await RestartableServer.with(servers) { try await body(servers, name) }
            }
        }

        @Test("With replicas, each acknowledged write is stored once, and no client reads an older state than its own")
        func replicas() async throws {
            // A primary acknowledges a commit as soon as one of the replicas has it, so that a promoted replica has all
            // acknowledged writes.
            let options = [
                "--innodb-flush-log-at-trx-commit=2", "--rpl-semi-sync-slave-enabled=1",
                "--rpl-semi-sync-master-timeout=3600000", "--rpl-semi-sync-master-wait-point=AFTER_SYNC",
            ]
            try await ReplicatedMariaDB.with(options) { nodes in
                let nodes = [nodes.primary] + nodes.replicas
                try await ReplicationFaults.with(nodes) { faults in
                    try await Self.with(nodes[0], Array(nodes.dropFirst())) { server, name in
                        let urls = nodes.indices.map { faults.url(of: name, from: server, to: $0) }
                        return [
                            "DUET_DATABASE": urls[0], "DUET_READ_DATABASE": urls.dropFirst().joined(separator: " "),
                        ]
                    } _: { servers, name in
                        let acknowledged = try await FaultClients.with(servers, count: 4) { clients in
                            try await clients.progress("start")
                            for seed in TestScale.seeds(1) {
                                try await faults.run(servers, clients, seed: seed)
                            }
                        }
                        try await faults.waitForReplicas()
                        for node in nodes { try await Self.check(node, name, acknowledged) }
                    }
                }
            }
        }

        @Test(
            "With Galera, each acknowledged write is stored once, and no client reads an older state than its own",
            .enabled(
                if: GaleraCluster.isAvailable && TestScale.isRaised,
                "takes minutes, so it needs DUET_TEST_SCALE; it also needs Galera (see GaleraTests)"))
        func cluster() async throws {
            try await GaleraCluster.with(["--innodb-flush-log-at-trx-commit=2"]) { cluster in
                try await Self.with(cluster.nodes[0], Array(cluster.nodes.dropFirst())) { _, name in
                    ["DUET_DATABASE": cluster.nodes.map { $0.url(of: name).text }.joined(separator: " ")]
                } _: { servers, name in
                    let acknowledged = try await FaultClients.with(servers, count: 4) { clients in
                        try await clients.progress("start")
                        for seed in TestScale.seeds(1) {
                            try await Self.runFaults(of: cluster, servers, clients, seed: seed)
                        }
                    }
                    for node in cluster.nodes { try await Self.check(node, name, acknowledged) }
                }
            }
        }

        /// Lets each node fail in each way, and each server, in a random order.
        private static func runFaults(
            of cluster: GaleraCluster, _ servers: [RestartableServer], _ clients: FaultClients, seed: UInt64
        ) async throws {
            var random = SplitMix64(seed: seed)
            for fault in (0..<8).shuffled(using: &random) {
                let node = cluster.nodes[fault % 3]
                switch fault {
                case 0...2:
                    await node.kill()
                    try await clients.progress("a node fails")
                    try await cluster.restart(fault)
                case 3...5:
                    // The others exclude a node that does not answer.
                    node.pause()
                    try await clients.progress("a node hangs")
                    node.resume()
                default:
                    let server = servers[fault % 2]
                    await server.kill()
                    try await clients.progress("a server process fails")
                    try await server.start()
                }
                try await cluster.waitUntilReady()
                try await clients.progress("the cluster is complete again")
            }
        }

        /// Checks that a node has each acknowledged write once.
        private static func check(_ node: ReplicatedMariaDB.Node, _ name: String, _ acknowledged: [Int]) async throws {
            // A node can apply the last transactions a moment later.
            let stored = try await Polling.observe {
                try await Database.with(
                    node.url(of: name), configuration: DatabaseConfiguration(poolSize: 1).patient
                ) { database in
                    try await database.read { connection in
                        let rows = try connection.query(
                            "SELECT client, number, COUNT(*), COUNT(DISTINCT half) FROM notes GROUP BY client, number")
                        defer { rows.close() }
                        var stored: [[Int64]] = []
                        while try rows.next() { stored.append((0..<4).map { rows.integer(at: $0) }) }
                        return stored
                    }
                }
            } until: { stored in
                stored.count >= acknowledged.reduce(0, +)
            }
            #expect(stored.allSatisfy { $0[2] == 2 && $0[3] == 2 })
            let expected = acknowledged.enumerated().flatMap { client, count in
                (0..<count).map { [Int64(client), Int64($0 + 1)] }
            }
            let all = Set(stored.map { Array($0.prefix(2)) })
            #expect(Set(expected).subtracting(all).isEmpty, "server \(node.serverID) lacks acknowledged writes")
            #expect(all.subtracting(expected).isEmpty, "server \(node.serverID) has other writes")
        }
    }
}
