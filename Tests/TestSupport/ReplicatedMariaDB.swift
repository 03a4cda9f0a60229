package import DuetSQLDatabase
import Foundation
package import ProcessTesting
import Synchronization

/// MariaDB servers of a test on the loopback interface: a primary with two replicas, and further servers.
package struct ReplicatedMariaDB: Sendable {
    /// A running server.
    package struct Node: Sendable {
        /// The identifier that the server has in positions.
        package let serverID: Int
        /// The URL of a user with the rights of the program: to create and use databases named `duet_…`.
        package let url: DatabaseURL
        /// The URL of a user with all rights.
        package let administrator: DatabaseURL
        package let program: Program

        /// Runs statements, each outside of a transaction, as the administrator.
        package func administer(_ script: String) async throws {
            try await Database.with(administrator, configuration: DatabaseConfiguration(poolSize: 1).patient) {
                try await $0.write { try $0.executeScript("COMMIT; " + script) }
            }
        }

        /// Returns the location of a database on the server.
        package func url(of database: String) -> DatabaseURL {
            guard case .mariaDB(var location) = url.location else { return url }
            location.database = database
            return DatabaseURL(location: .mariaDB(location))
        }
    }

    package let primary: Node
    package let replicas: [Node]
    private let template: Template

    /// True if the programs of the server are installed.
    package static let isAvailable = ["mariadbd", "mariadb-install-db"].allSatisfy { Program.find($0) != nil }

    /// Starts a primary with two replicas, and ends them after the closure.
    package static func with<Value>(_ body: (ReplicatedMariaDB) async throws -> Value) async throws -> Value {
        try await Template.with { template in
            try await template.withServer { primary in
                try await template.withReplica(of: primary) { first in
                    try await template.withReplica(of: primary) { second in
                        try await body(
                            ReplicatedMariaDB(primary: primary, replicas: [first, second], template: template))
                    }
                }
            }
        }
    }

    /// Starts another replica, which the test may stop or change.
    package func withReplica<Value>(_ body: (Node) async throws -> Value) async throws -> Value {
        try await template.withReplica(of: primary, body)
    }

    /// Starts another primary with one replica.
    package func withOtherPrimary<Value>(
        _ body: (_ primary: Node, _ replica: Node) async throws -> Value
    ) async throws -> Value {
        try await template.withServer { primary in
            try await template.withReplica(of: primary) { try await body(primary, $0) }
        }
    }
}

/// The empty data of a server, which each server copies, because its creation takes longer than the start of a server.
private final class Template: Sendable {
    private let folder: URL
    private let password = UUID().uuidString
    /// The identifier of the last server. If two replicas of a primary had the same one, it would send its log to the
    /// newer one only.
    private let lastServer = Atomic<Int>(0)

    private init(in folder: URL) {
        self.folder = folder
    }

    /// The options with which no server waits for a disk.
    private static let volatile = [
        "--innodb-flush-log-at-trx-commit=0", "--innodb-doublewrite=OFF", "--innodb-flush-method=nosync",
        "--debug-no-sync", "--innodb-log-file-size=8M",
    ]

    static func with<Value>(_ body: (Template) async throws -> Value) async throws -> Value {
        let folder = TestDatabase.parent.appending(path: "duet-replicas-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let template = Template(in: folder)
        try await template.create()
        return try await body(template)
    }

    private func create() async throws {
        let result = try await Program.run(
            [
                "--no-defaults", "--datadir=\(folder.path)/data", "--tmpdir=\(folder.path)", "--skip-test-db",
                "--force",
                "--auth-root-authentication-method=socket",
            ] + Self.user + Self.volatile, of: try Self.find("mariadb-install-db"), in: folder)
        guard result.status == 0 else { throw Failure(description: result.output + result.errors) }
        // Without binary logging, because a replica must have no transactions of its own.
        let accounts = [("duet", "`duet\\_%`"), ("administrator", "*")].map { name, databases in
            """
            CREATE USER IF NOT EXISTS \(name)@'127.0.0.1' IDENTIFIED BY '\(password)';
            GRANT ALL PRIVILEGES ON \(databases).* TO \(name)@'127.0.0.1';

            """
        }
        try Data("SET SESSION sql_log_bin = 0;\n\(accounts.joined())".utf8).write(to: initialization)
    }

    private var initialization: URL { folder.appending(path: "init.sql") }

    /// The server refuses to run as the system's administrator unless it is named.
    private static var user: [String] { geteuid() == 0 ? ["--user=root"] : [] }

    private static func find(_ name: String) throws -> String {
        guard let path = Program.find(name) else { throw Failure(description: "\(name) is not installed") }
        return path
    }

    func withReplica<Value>(
        of primary: ReplicatedMariaDB.Node, _ body: (ReplicatedMariaDB.Node) async throws -> Value
    ) async throws -> Value {
        guard case .mariaDB(let location) = primary.administrator.location else {
            throw Failure(description: "the primary is not a MariaDB server")
        }
        return try await withServer(["--read-only=1"]) { replica in
            try await replica.administer(
                """
                CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = \(location.port),
                MASTER_USER = 'administrator', MASTER_PASSWORD = '\(password)', MASTER_USE_GTID = slave_pos,
                MASTER_CONNECT_RETRY = 1;
                START SLAVE;
                """)
            return try await body(replica)
        }
    }

    func withServer<Value>(
        _ options: [String] = [], _ body: (ReplicatedMariaDB.Node) async throws -> Value
    ) async throws -> Value {
        let serverID = lastServer.wrappingAdd(1, ordering: .relaxed).newValue
        let own = folder.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: folder.appending(path: "data"), to: own.appending(path: "data"))
        defer { try? FileManager.default.removeItem(at: own) }
        // If another process uses the random port, the server is started with another port.
        for _ in 0..<5 {
            // The ports are below the ephemeral range.
            let port = Int.random(in: 20_000..<32_000)
            let arguments =
                [
                    "--no-defaults", "--datadir=\(own.path)/data", "--tmpdir=\(own.path)", "--socket=\(own.path)/s",
                    "--pid-file=\(own.path)/pid", "--bind-address=127.0.0.1", "--port=\(port)", "--skip-name-resolve",
                    "--server-id=\(serverID)", "--gtid-domain-id=7", "--log-bin=changes", "--log-slave-updates",
                    "--sync-binlog=0", "--init-file=\(initialization.path)", "--character-set-server=utf8mb4",
                    "--performance-schema=OFF", "--innodb-buffer-pool-size=16M",
                ] + Self.user + Self.volatile + options
            let value = try await Program.with(arguments, of: try Self.find("mariadbd"), in: own) {
                server -> Value? in
                do {
                    try await server.errors.wait(for: "ready for connections")
                } catch let missing as Transcript.Missing where missing.text.contains("Address already in use") {
                    return nil
                }
                func url(_ user: String, _ database: String) throws -> DatabaseURL {
                    try DatabaseURL("mariadb://\(user):\(password)@127.0.0.1:\(port)/\(database)")
                }
                return try await body(
                    ReplicatedMariaDB.Node(
                        serverID: serverID, url: try url("duet", "information_schema"),
                        administrator: try url("administrator", "mysql"), program: server))
            }
            if let value { return value }
        }
        throw POSIXError(.EADDRINUSE)
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}
