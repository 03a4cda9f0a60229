import Synchronization

/// One of the servers of a ``Database``: its connections and its health.
final class DatabaseServer: Sendable {
    let url: DatabaseURL
    /// The connections for writes, and for reads outside of sessions, while the server is the primary.
    let primaryPool: Pool
    /// The connections for the reads of sessions. Their transactions are read-only.
    let readPool: Pool
    let monitor: ServerMonitor
    private let health = Mutex(ServerHealth(reason: "it has not been checked yet"))
    /// The position in the server's log at the last check.
    private let lastLogPosition = Mutex<DatabasePosition?>(nil)

    /// - Parameters:
    ///   - configuration: The configuration of the primary.
    ///   - first: The first server of the database; nil if this is the first one.
    init(
        _ url: DatabaseURL, _ kind: ReplicationKind, _ configuration: DatabaseConfiguration, first: DatabaseServer?,
        observer: DatabaseObserver?
    ) {
        self.url = url
        primaryPool = Pool(
            url.backend(configuration), url: url, configuration: configuration, first: first?.primaryPool,
            observer: observer)
        var ofReads = configuration
        ofReads.access = .readOnly
        ofReads.connectTimeout = min(configuration.connectTimeout, configuration.replicaCheckTimeout)
        readPool = Pool(url.backend(ofReads), url: url, configuration: ofReads, observer: observer)
        monitor = ServerMonitor(url, kind, configuration)
    }

    /// True if the reads of sessions can use the server.
    var isWell: Bool { health.withLock { $0.reason == nil } }

    /// - Parameter isPrimary: True if the server receives the writes.
    func status(isPrimary: Bool) -> ServerStatus {
        let health = health.withLock { $0 }
        return ServerStatus(
            url: url.description, isPrimary: isPrimary, isWell: health.reason == nil, lag: health.lag,
            reason: health.reason)
    }

    /// Replaces the health after a check.
    /// - Parameter logPosition: The position in the server's log.
    func set(_ newHealth: ServerHealth, logPosition: DatabasePosition?, _ kind: ReplicationKind) {
        let earlier = lastLogPosition.withLock { last in
            defer { last = logPosition }
            return last
        }
        health.withLock { health in
            var position = newHealth.position
            // A node writes a commit to its log before the commit can be read, so the position of the check before is
            // certain.
            if kind == .galera, position != nil { position = earlier }
            // A read has waited for a newer position.
            if let known = position, let noted = health.position { position = known.union(noted) }
            health = ServerHealth(reason: newHealth.reason, lag: newHealth.lag, position: position)
        }
    }

    /// Makes the reads that follow use other servers until the next check.
    func note(_ failure: DatabaseError) {
        health.withLock { $0 = ServerHealth(reason: "a read failed: \(failure.message)") }
    }

    // MARK: The position

    /// The position at the last check, with the positions for which reads have waited since then; nil if it is unknown.
    var position: DatabasePosition? { health.withLock(\.position) }

    /// Returns true if the server is known to have a position.
    func hasReached(_ position: DatabasePosition) -> Bool { self.position?.reaches(position) == true }

    /// Records that the server has a position.
    func noteReached(_ position: DatabasePosition) {
        health.withLock { health in
            guard let known = health.position else { return }
            health = ServerHealth(reason: health.reason, lag: health.lag, position: known.union(position))
        }
    }

    /// Makes the position unknown, because the server behind a lost connection may have restarted with older data.
    func forgetPosition() {
        health.withLock { $0 = ServerHealth(reason: $0.reason, lag: $0.lag) }
    }

    // MARK: The end

    func shutDown() {
        primaryPool.shutDown()
        readPool.shutDown()
        monitor.shutDown()
    }

    func close() async {
        await primaryPool.close()
        await readPool.close()
        await monitor.close()
    }
}

/// The way in which the servers of a database receive each other's commits.
enum ReplicationKind: Sendable {
    /// Replicas follow a primary (mariadb.com/kb/en/standard-replication).
    case asynchronous
    /// The nodes of a Galera cluster certify each commit together (mariadb.com/kb/en/galera-cluster).
    case galera
}

/// The use of a server by a read of a session.
struct ServerUse: Sendable {
    let server: DatabaseServer
    let kind: ReplicationKind
    /// True for a read on the primary, whose health does not matter.
    let isPrimary: Bool
    /// The position that the server must have before the transaction begins; nil for any position.
    let position: DatabasePosition?
    /// The maximum time of the wait.
    let limit: Duration

    /// The server did not reach the position in time.
    struct NotReached: Error {}

    /// The codes of errors that do not concern the position.
    private static let codesOfOtherFailures: Set<DatabaseError.Code> = [.connectionLost, .unavailable, .cancelled]

    /// Waits until the server has the position. No statement is necessary if it is known that a replica has it.
    /// - Throws: ``NotReached``, or a ``DatabaseError`` of the connection.
    func wait(on connection: Connection, before deadline: Deadline) throws {
        guard isPrimary || server.isWell else {
            // A check has found the failure while the read waited for a connection.
            throw DatabaseError(.unavailable, "the database server \(server.url) is not used at the moment")
        }
        // A node of a cluster can have a commit in its log before the commit can be read, so the log proves nothing.
        guard let position, kind == .galera || !server.hasReached(position) else { return }
        let time = Double(deadline.limiting(limit).nanoseconds) / 1e9
        // MASTER_GTID_WAIT returns 0, or -1 after the time. It goes on waiting if the replication has stopped, and for
        // a domain that the replica does not have (mariadb.com/kb/en/master_gtid_wait). On a node of Galera it would
        // never return 0. WSREP_SYNC_WAIT_UPTO_GTID returns 1, also for a domain that the node does not have, and fails
        // with error 1205 after the time, of which it uses the whole seconds
        // (mariadb.com/kb/en/wsrep_sync_wait_upto_gtid).
        let (function, success) = kind == .galera ? ("WSREP_SYNC_WAIT_UPTO_GTID", 1) : ("MASTER_GTID_WAIT", 0)
        do {
            let row = try connection.query(
                "SELECT CAST(\(function)(:position, :seconds) AS SIGNED)",
                [
                    "position": .value(.text(position.description)),
                    "seconds": .value(.double(kind == .galera ? time.rounded(.up) : time)),
                ])
            defer { row.close() }
            guard try row.next(), row.value(at: 0) == .integer(Int64(success)) else { throw NotReached() }
        } catch let error as DatabaseError where !Self.codesOfOtherFailures.contains(error.code) {
            throw NotReached()
        }
        server.noteReached(position)
    }
}
