import DuetSQLDatabase
import Foundation
import ProcessTesting
import Synchronization

/// The empty data of a server, which each server copies, because its creation takes longer than the start of a server.
final class MariaDBTemplate: Sendable {
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

    static func with<Value>(_ body: (MariaDBTemplate) async throws -> Value) async throws -> Value {
        let folder = TestDatabase.parent.appending(path: "duet-replicas-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o711])
        defer { try? FileManager.default.removeItem(at: folder) }
        let template = MariaDBTemplate(in: folder)
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
        of primary: ReplicatedMariaDB.Node, _ options: [String] = [],
        _ body: (ReplicatedMariaDB.Node) async throws -> Value
    ) async throws -> Value {
        try await withServer(["--read-only=1"] + options) { replica in
            try await replica.follow(port: primary.port)
            return try await body(replica)
        }
    }

    /// Runs a server with the data of the template.
    /// - Parameters:
    ///   - options: Further options, which replace earlier ones.
    ///   - path: A folder of programs that the server starts.
    func withServer<Value>(
        _ options: [String] = [], path: String? = nil, _ body: (ReplicatedMariaDB.Node) async throws -> Value
    ) async throws -> Value {
        let serverID = lastServer.wrappingAdd(1, ordering: .relaxed).newValue
        let own = folder.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: folder.appending(path: "data"), to: own.appending(path: "data"))
        defer { try? FileManager.default.removeItem(at: own) }
        if path != nil, geteuid() == 0 { try await Self.makeAccessible(own) }
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
            let environment = path.map { ["PATH": "\($0):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"] }
            let process = RestartableProgram(
                try Self.find("mariadbd"), arguments, in: own, environment: environment ?? [:]
            ) { try await $0.errors.wait(for: "ready for connections") }
            func url(_ user: String, _ database: String) throws -> DatabaseURL {
                try DatabaseURL("mariadb://\(user):\(password)@127.0.0.1:\(port)/\(database)")
            }
            let node = ReplicatedMariaDB.Node(
                serverID: serverID, url: try url("duet", "information_schema"),
                administrator: try url("administrator", "mysql"), process: process,
                data: own.appending(path: "data"), emptyData: folder.appending(path: "data"))
            do {
                try await process.start()
            } catch let missing as Transcript.Missing where missing.text.contains("Address already in use") {
                continue
            }
            return try await process.endAfter { try await body(node) }
        }
        throw POSIXError(.EADDRINUSE)
    }

    /// Gives all users access to the data of a server: the daemon of rsync, which copies the data to another node, runs
    /// without the rights of the system's administrator.
    static func makeAccessible(_ folder: URL) async throws {
        let result = try await Program.run(["-R", "a+rwX", folder.path], of: "/bin/chmod", in: folder)
        guard result.status == 0 else { throw Failure(description: result.errors) }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}
