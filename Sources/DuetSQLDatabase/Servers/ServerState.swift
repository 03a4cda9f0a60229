/// The answer of a server to a check.
struct ServerState: Sendable, Hashable {
    /// True if the server rejects the writes of usual accounts.
    var isReadOnly: Bool
    /// The position in the server's own binary log; nil if it has none, or no commit.
    var logPosition: DatabasePosition?
    /// The position up to which the server follows, or followed, a primary; nil if it is no replica.
    var replicaPosition: DatabasePosition?
    /// The transactions of the binary log, by the servers that have committed them first.
    var log: BinaryLogState?
    /// True if the server applies the commits of a primary, or waits for them.
    var isFollowing = false
    /// True if a node of a Galera cluster accepts statements; nil for a server outside of a cluster.
    var isReady: Bool?
    /// The replication domain of the commits of a Galera cluster; nil for a server outside of a cluster.
    var clusterDomain: UInt32?

    /// True if the server can be the primary.
    func acceptsWrites(_ kind: ReplicationKind) -> Bool {
        !isReadOnly && (kind == .asynchronous || isReady == true)
    }

    /// The transactions that the server has committed or received.
    var transactions: BinaryLogState? { log?.adding(replicaPosition) }
}

/// A connection that reads the ``ServerState`` of a server. It is separate from the connections for transactions, so
/// that a check does not wait for them.
final class ServerMonitor: Sendable {
    private let pool: Pool
    private let kind: ReplicationKind
    private let timeLimit: Duration

    init(_ url: DatabaseURL, _ kind: ReplicationKind, _ configuration: DatabaseConfiguration) {
        var configuration = configuration
        configuration.poolSize = 1
        configuration.access = .readOnly
        configuration.connectTimeout = min(configuration.connectTimeout, configuration.replicaCheckTimeout)
        self.kind = kind
        timeLimit = configuration.replicaCheckTimeout
        pool = Pool(url.backend(configuration), url: url, configuration: configuration, observer: nil)
    }

    /// Asks the server. The result is an error if the server does not answer in time. The connection may then still
    /// wait for the answer.
    func state() async -> Result<ServerState, DatabaseError> {
        let (answers, continuation) = AsyncStream.makeStream(of: Result<ServerState, DatabaseError>.self)
        let asking = Task { continuation.yield(await ask()) }
        let waiting = Task { [timeLimit] in
            try await Task.sleep(for: timeLimit)
            continuation.yield(.failure(DatabaseError(.timeout, "it does not answer within \(timeLimit)")))
        }
        // A canceled task does not wait for the answer.
        let answer = await answers.first { _ in true }
        asking.cancel()
        waiting.cancel()
        return answer ?? .failure(DatabaseError(.cancelled, "the check was canceled"))
    }

    private func ask() async -> Result<ServerState, DatabaseError> {
        do {
            let state = try await pool.perform { [kind, timeLimit] continuation in
                TransactionJob(
                    kind: .read, timeout: .limit(timeLimit), deadline: .after(timeLimit),
                    origin: .unspecified, continuation: continuation
                ) { try Self.read(kind, $0) }
            }
            return .success(state)
        } catch let error as DatabaseError {
            return .failure(error)
        } catch {
            return .failure(DatabaseError(.cancelled, "the check was canceled"))
        }
    }

    private static func read(_ kind: ReplicationKind, _ connection: Connection) throws -> ServerState {
        // Any account may read the variables and the status. In later versions, `read_only` has names as values.
        let row = try connection.query(
            "SELECT CAST(@@GLOBAL.read_only AS CHAR), @@GLOBAL.gtid_binlog_pos, @@GLOBAL.gtid_slave_pos, "
                + "@@GLOBAL.gtid_binlog_state" + (kind == .galera ? ", @@GLOBAL.wsrep_gtid_domain_id" : ""))
        defer { row.close() }
        guard try row.next() else { throw DatabaseError(.failed, "it does not return its variables") }
        var state = ServerState(
            isReadOnly: !["0", "OFF"].contains(row.text(at: 0)), logPosition: DatabasePosition(row.text(at: 1)),
            replicaPosition: DatabasePosition(row.text(at: 2)), log: BinaryLogState(row.text(at: 3)))
        if kind == .galera { state.clusterDomain = UInt32(exactly: row.integer(at: 4)) }
        row.close()
        switch kind {
        // The number of threads that apply commits. They also run while the primary cannot be reached.
        case .asynchronous: state.isFollowing = try status("Slaves_running", connection).map { $0 != "0" } ?? false
        // A node that is separated from the cluster refuses the tables of the information schema.
        case .galera: state.isReady = try status("wsrep_ready", connection).map { $0 == "ON" }
        }
        return state
    }

    private static func status(_ name: String, _ connection: Connection) throws -> String? {
        let status = try connection.query("SHOW GLOBAL STATUS LIKE '\(name)'")
        defer { status.close() }
        return try status.next() ? status.text(at: 1) : nil
    }

    func shutDown() { pool.shutDown() }
    func close() async { await pool.close() }
}
