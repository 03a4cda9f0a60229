package import DuetSQLDatabase
import Foundation
import ProcessTesting

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
        let process: RestartableProgram
        /// The folder of the server's data, and that of the empty data of a new server.
        let data: URL, emptyData: URL

        /// Ends the server at once, as a failure of its machine does.
        package func kill() async { await process.kill() }

        /// Starts the server again after ``kill()``.
        /// - Parameter options: Further options, which replace earlier ones.
        package func start(_ options: [String] = []) async throws { try await process.start(options) }

        /// Makes the server accept connections without answers.
        package func pause() { process.send(SIGSTOP) }

        /// Ends the effect of ``pause()``.
        package func resume() { process.send(SIGCONT) }

        /// Removes the data of the server, which must not run, as on a new machine.
        package func erase() throws {
            try FileManager.default.removeItem(at: data)
            try FileManager.default.copyItem(at: emptyData, to: data)
        }

        /// The port of the server.
        package var port: Int {
            if case .mariaDB(let location) = url.location { location.port } else { 0 }
        }

        /// Runs statements, each outside of a transaction, as the administrator.
        package func administer(_ script: String) async throws {
            try await Database.with(administrator, configuration: DatabaseConfiguration(poolSize: 1).patient) {
                try await $0.write { try $0.executeScript("COMMIT; " + script) }
            }
        }

        /// Makes the server, which must not replicate, a replica.
        /// - Parameters:
        ///   - port: The port of the primary, or that of a relay in front of it.
        ///   - position: The last position that both have, if the server does not know it from its replication.
        package func follow(port: Int, from position: DatabasePosition? = nil) async throws {
            guard case .mariaDB(let location) = administrator.location else { return }
            try await administer(
                """
                SET GLOBAL read_only = 1;
                \(position.map { "SET GLOBAL gtid_slave_pos = '\($0)';" } ?? "")
                CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = \(port),
                MASTER_USER = 'administrator', MASTER_PASSWORD = '\(location.password)',
                MASTER_USE_GTID = slave_pos, MASTER_CONNECT_RETRY = 1;
                START SLAVE;
                """)
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
    private let template: MariaDBTemplate

    /// True if the programs of the server are installed.
    package static let isAvailable = ["mariadbd", "mariadb-install-db"].allSatisfy { Program.find($0) != nil }

    /// Starts a primary with two replicas, and ends them after the closure.
    /// - Parameter options: Further options of each server.
    package static func with<Value>(
        _ options: [String] = [], _ body: (ReplicatedMariaDB) async throws -> Value
    ) async throws -> Value {
        try await MariaDBTemplate.with { template in
            try await template.withServer(options) { primary in
                try await template.withReplica(of: primary, options) { first in
                    try await template.withReplica(of: primary, options) { second in
                        try await body(
                            ReplicatedMariaDB(primary: primary, replicas: [first, second], template: template))
                    }
                }
            }
        }
    }

    /// Starts another replica, which the test may stop or change.
    package func withReplica<Value>(_ body: (Node) async throws -> Value) async throws -> Value {
        try await template.withReplica(of: primary, [], body)
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
