import DuetSQLDatabase
import Foundation
import ProcessTesting

/// The nodes of a Galera cluster of a test on the loopback interface.
package struct GaleraCluster: Sendable {
    /// The nodes, which have joined the cluster.
    package let nodes: [ReplicatedMariaDB.Node]
    /// The addresses of all nodes for each other.
    private let address: String

    /// The library of Galera, and the folder of the programs that copy the data to a new node; nil if they are not
    /// installed (Debian's packages `galera-4`, `mariadb-server` and `rsync`). The variable `DUET_GALERA` can name a
    /// folder into which these packages are unpacked.
    private static let files: (library: String, programs: String)? = {
        let root = ProcessInfo.processInfo.environment["DUET_GALERA"] ?? ""
        let (library, programs) = ("\(root)/usr/lib/galera/libgalera_smm.so", "\(root)/usr/bin")
        guard FileManager.default.fileExists(atPath: library),
            FileManager.default.isExecutableFile(atPath: "\(programs)/wsrep_sst_rsync"), Program.find("rsync") != nil
        else { return nil }
        return (library, programs)
    }()

    /// True if the programs of a cluster are installed.
    package static var isAvailable: Bool {
        ReplicatedMariaDB.isAvailable && files != nil && Program.find("mariadb") != nil
    }

    /// Starts a cluster of three nodes, and ends it after the closure.
    /// - Parameter further: Further options of each node.
    package static func with<Value>(
        _ further: [String] = [], _ body: (GaleraCluster) async throws -> Value
    ) async throws -> Value {
        guard let files else { throw MariaDBTemplate.Failure(description: "Galera is not installed") }
        return try await MariaDBTemplate.with { template in
            // The group communication of the nodes, and two ports for each transfer of data.
            let ports = (0..<3).map { _ in Int.random(in: 10_000..<19_000) }
            let address = "gcomm://" + ports.map { "127.0.0.1:\($0)" }.joined(separator: ",")
            func options(_ node: Int) -> [String] {
                let port = ports[node]
                let provider = [
                    "base_port=\(port)", "gmcast.listen_addr=tcp://127.0.0.1:\(port)",
                    "ist.recv_addr=127.0.0.1:\(port + 1)", "gcache.size=8M", "evs.keepalive_period=PT0.5S",
                    "evs.suspect_timeout=PT2S", "evs.inactive_timeout=PT4S", "evs.install_timeout=PT3S",
                ]
                return [
                    "--server-id=1", "--gtid-domain-id=\(node + 1)", "--binlog-format=ROW",
                    "--innodb-autoinc-lock-mode=2", "--wsrep-on=1", "--wsrep-provider=\(files.library)",
                    "--wsrep-cluster-address=gcomm://\(node == 0 ? "" : "127.0.0.1:\(ports[0])")",
                    "--wsrep-cluster-name=test", "--wsrep-node-address=127.0.0.1:\(port)",
                    "--wsrep-node-name=node\(node)", "--wsrep-sst-method=rsync",
                    "--wsrep-sst-receive-address=127.0.0.1:\(port + 2)", "--wsrep-gtid-mode=1",
                    "--wsrep-gtid-domain-id=5", "--wsrep-provider-options=\(provider.joined(separator: ";"))",
                ] + further
            }
            return try await template.withServer(options(0), path: files.programs) { first in
                try await template.withServer(options(1), path: files.programs) { second in
                    try await template.withServer(options(2), path: files.programs) { third in
                        try await body(GaleraCluster(nodes: [first, second, third], address: address))
                    }
                }
            }
        }
    }

    /// Starts a node again after its end, without its data, which it receives from another node.
    package func restart(_ node: Int) async throws {
        // The transfer of the data can fail while the cluster changes. A service manager also starts the node again.
        for attempt in 1... {
            try nodes[node].erase()
            try await MariaDBTemplate.makeAccessible(nodes[node].data)
            do {
                return try await nodes[node].start(["--wsrep-cluster-address=\(address)"])
            } catch is Transcript.Missing where attempt < 10 {}
        }
    }

    /// Waits until all nodes have joined the cluster and accept statements.
    package func waitUntilReady() async throws {
        for node in nodes {
            _ = try await Polling.observe {
                try? await Database.with(node.administrator) { database in
                    try await database.read { connection in
                        let size = try connection.query("SHOW GLOBAL STATUS LIKE 'wsrep_cluster_size'")
                        defer { size.close() }
                        return try size.next() ? size.text(at: 1) : nil
                    }
                }
            } until: {
                $0 == "\(nodes.count)"
            }
        }
    }
}
