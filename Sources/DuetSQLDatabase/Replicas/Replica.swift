import Synchronization

/// A replica of the primary of a ``Database``: its connections and its health.
final class Replica: Sendable {
    let url: DatabaseURL
    let pool: Pool
    let monitor: ReplicationMonitor
    private let health = Mutex(ReplicaHealth(reason: "it has not been checked yet"))

    init(_ url: DatabaseURL, _ configuration: DatabaseConfiguration, observer: DatabaseObserver?) {
        self.url = url
        pool = Pool(url.backend(configuration), url: url, configuration: configuration, observer: observer)
        monitor = ReplicationMonitor(url, configuration, isReplica: true)
    }

    /// True if reads can use the replica.
    var isWell: Bool { health.withLock { $0.reason == nil } }

    var status: ReplicaStatus {
        let health = health.withLock { $0 }
        return ReplicaStatus(
            url: url.description, isWell: health.reason == nil, lag: health.lag, reason: health.reason)
    }

    /// Replaces the health after a check.
    func set(_ newHealth: ReplicaHealth) {
        health.withLock { $0 = newHealth }
    }

    /// Makes the reads that follow use other servers until the next check.
    func note(_ failure: DatabaseError) {
        set(ReplicaHealth(reason: "a read failed: \(failure.message)"))
    }

    // MARK: The position

    /// Returns true if the replica is known to have a position.
    func hasReached(_ position: DatabasePosition) -> Bool {
        health.withLock { $0.position?.reaches(position) == true }
    }

    /// Records that the replica has a position.
    func noteReached(_ position: DatabasePosition) {
        health.withLock { health in
            guard let known = health.position else { return }
            health = ReplicaHealth(reason: health.reason, lag: health.lag, position: known.union(position))
        }
    }

    /// Makes the position unknown, because the server behind a lost connection may have restarted with older data.
    func forgetPosition() {
        health.withLock { $0 = ReplicaHealth(reason: $0.reason, lag: $0.lag) }
    }
}

/// The use of a replica by a read.
struct ReplicaUse: Sendable {
    let replica: Replica
    /// The position that the replica must have before the transaction begins; nil for any position.
    let position: DatabasePosition?
    /// The maximum time of the wait.
    let limit: Duration

    /// The replica did not reach the position in time.
    struct NotReached: Error {}

    /// Waits until the replica has the position. No statement is necessary if it is already known.
    /// - Throws: ``NotReached``, or a ``DatabaseError`` of the connection.
    func wait(on connection: Connection, before deadline: Deadline) throws {
        guard let position, !replica.hasReached(position) else { return }
        let time = Double(deadline.limiting(limit).nanoseconds) / 1e9
        // The result is 0, or -1 after the time. The wait goes on if the replication has stopped, and for a domain that
        // the replica does not have (mariadb.com/kb/en/master_gtid_wait).
        do {
            let row = try connection.query(
                "SELECT MASTER_GTID_WAIT(:position, :seconds)",
                ["position": .value(.text(position.description)), "seconds": .value(.double(time))])
            defer { row.close() }
            guard try row.next(), row.value(at: 0) == .integer(0) else { throw NotReached() }
        } catch let error as DatabaseError where error.code == .timeout {
            throw NotReached()
        }
        replica.noteReached(position)
    }
}
