import ArgumentParser
import DuetSQLDatabase
import DuetServer
import Logging
import ServiceLifecycle

/// The options of `duet serve` for the servers of the database.
struct DatabaseServerOptions: ParsableArguments {
    private static let standard = DatabaseConfiguration()

    static let database = Setting<String, [String]>(
        "database",
        """
        URL of the database; for a Galera cluster, repeat the option for each node. In the environment variable, separate \
        several URLs with spaces. Pass a URL with a password in the environment variable, because other users can read \
        the command line
        """, valueName: "url", default: [DatabaseOptions.database.defaultValue],
        defaultText: DatabaseOptions.database.defaultValue, requirement: "a URL"
    ) { Self.list($0) }
    static let readDatabase = Setting<String, [String]>(
        "read-database",
        """
        URL of a replica of the MariaDB database, which is used for reads; repeat the option for each replica. In the \
        environment variable, separate several URLs with spaces
        """, valueName: "url", default: [], defaultText: "no replicas", requirement: "a URL"
    ) { Self.list($0) }
    static let replicaWait = Setting(
        "replica-wait",
        "Maximum time for which a read waits until its replica has the client's own writes; after it, the read uses the primary",
        default: standard.replicaWait, in: 0...60)
    static let maxReplicaLag = Setting(
        "max-replica-lag", "Maximum age of the data of a replica; a replica that is further behind is not used",
        default: standard.maximumReplicaLag, in: 0.1...600)

    /// The variable with the secret for the tokens of positions.
    static let secretVariable = "DUET_SECRET"
    private static let minimumSecretSize = 32

    @Option(Self.database) var database: [String] = []
    @Option(Self.readDatabase) var readDatabase: [String] = []
    @Option(Self.replicaWait) var replicaWait: Double?
    @Option(Self.maxReplicaLag) var maxReplicaLag: Double?

    private static func list(_ text: String) -> [String]? {
        let urls = text.split(whereSeparator: \.isWhitespace).map(String.init)
        return urls.isEmpty ? nil : urls
    }

    /// - Throws: `ValidationError`. Its message omits the URLs, which may contain passwords.
    func location() throws -> DatabaseLocation {
        let urls = try Self.urls(Self.database, database)
        let replicas = try Self.urls(Self.readDatabase, readDatabase)
        guard urls.count == 1 || replicas.isEmpty else {
            throw ValidationError(
                "\(Self.readDatabase.source(Self.joined(readDatabase))) cannot be combined with several URLs in \(Self.database.source(Self.joined(database))): each node of a cluster is read anyway"
            )
        }
        do {
            try DatabaseURL.checkCluster(urls)
            try urls[0].checkReplicas(replicas)
        } catch let error as DatabaseError {
            throw ValidationError(error.message)
        }
        return DatabaseLocation(servers: urls + replicas, isCluster: urls.count > 1)
    }

    private static func urls(_ setting: Setting<String, [String]>, _ arguments: [String]) throws -> [DatabaseURL] {
        let joined = joined(arguments)
        return try setting.value(joined).map { try DatabaseOptions.url($0, from: setting.source(joined)) }
    }

    private static func joined(_ arguments: [String]) -> String? {
        arguments.isEmpty ? nil : arguments.joined(separator: " ")
    }

    /// Sets the limits of replicas.
    func apply(to configuration: inout DatabaseConfiguration) throws {
        configuration.replicaWait = try Self.replicaWait.value(replicaWait)
        configuration.maximumReplicaLag = try Self.maxReplicaLag.value(maxReplicaLag)
    }

    /// Returns the tokens of positions.
    /// - Throws: `ValidationError` if the secret is too short.
    func tokens() throws -> PositionTokens {
        let secret = SecretVariable.value(of: Self.secretVariable)
        guard secret.map({ $0.utf8.count >= Self.minimumSecretSize }) ?? true else {
            throw ValidationError(
                "\(Self.secretVariable) must have at least \(Self.minimumSecretSize) bytes; create one with: openssl rand -base64 32"
            )
        }
        return PositionTokens(secret: secret, maximumLag: try Self.maxReplicaLag.value(maxReplicaLag))
    }
}

/// The location of a served database: one server, a primary with its replicas, or the nodes of a cluster.
struct DatabaseLocation: Sendable {
    /// The servers. The first one is the primary, or the first node.
    let servers: [DatabaseURL]
    let isCluster: Bool

    var first: DatabaseURL { servers[0] }
    var hasSeveralServers: Bool { servers.count > 1 }

    /// Creates the database, whose connections are opened when they are needed.
    func database(_ configuration: DatabaseConfiguration, observer: DatabaseObserver?) -> Database {
        isCluster
            ? Database(cluster: servers, configuration: configuration, observer: observer)
            : Database(
                first, replicas: Array(servers.dropFirst()), configuration: configuration, observer: observer)
    }

    /// Returns the first server that can be read, for the schema at the start; the first server if there is none.
    func readable() async -> DatabaseURL {
        guard hasSeveralServers else { return first }
        for url in servers {
            let canBeRead = try? await ForeignDatabase.with(url) { database in
                try await database.read { try $0.execute("SELECT COUNT(*) FROM information_schema.schemata") }
            }
            if canBeRead != nil { return url }
        }
        return first
    }
}

/// Checks the servers of a database as long as the program runs.
struct DatabaseServerWatch: Service {
    let database: Database

    func run() async throws {
        await cancelWhenGracefulShutdown { await database.watchServers() }
    }

    /// Checks the servers once, and logs those that are not well.
    /// - Parameter hasSecret: True if all servers of the API share a secret for the tokens of positions.
    static func begin(_ database: Database, hasSecret: Bool, _ logger: Logger) async {
        await database.checkServers()
        for server in database.serverStatus where !server.isWell {
            logger.warning(
                server.isPrimary
                    ? "The primary cannot be used, so writes fail" : "A database server cannot be used for reads",
                metadata: ["server": "\(server.url)", "reason": "\(server.reason ?? "")"])
        }
        guard !hasSecret else { return }
        logger.notice(
            "\(DatabaseServerOptions.secretVariable) is not set, so other processes do not accept the positions of this server's clients (Duet-Database-Position), and read on the primary"
        )
    }
}
