package import DuetSQLDatabase
import Foundation
package import ProcessTesting

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
    private let template: MariaDBTemplate

    /// True if the programs of the server are installed.
    package static let isAvailable = ["mariadbd", "mariadb-install-db"].allSatisfy { Program.find($0) != nil }

    /// Starts a primary with two replicas, and ends them after the closure.
    package static func with<Value>(_ body: (ReplicatedMariaDB) async throws -> Value) async throws -> Value {
        try await MariaDBTemplate.with { template in
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
