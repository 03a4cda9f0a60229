/// The result of a check of a replica.
struct ReplicaHealth: Hashable, Sendable {
    /// The reason for which reads must not use the replica; nil if it is well.
    let reason: String?
    /// See ``ReplicaStatus/lag``.
    let lag: Duration?
    /// The position of the replica; nil if it is unknown.
    let position: DatabasePosition?

    init(reason: String?, lag: Duration? = nil, position: DatabasePosition? = nil) {
        self.reason = reason
        self.lag = lag
        self.position = position
    }

    /// Evaluates the answers of a replica and of its primary.
    /// - Parameters:
    ///   - answer: The answer of the replica, or the reason for which there is none.
    ///   - hasPrimary: True if the primary has answered.
    ///   - history: The positions of the primary.
    ///   - limit: The maximum lag.
    ///   - time: The moment of the check.
    static func evaluate(
        _ answer: Result<ReplicationState, DatabaseError>, hasPrimary: Bool, _ history: PositionHistory,
        limit: Duration, at time: ContinuousClock.Instant
    ) -> ReplicaHealth {
        let replica: ReplicationState
        switch answer {
        case .success(let state): replica = state
        case .failure(let error): return ReplicaHealth(reason: error.message)
        }
        guard replica.isReadOnly else {
            // Another program may have promoted the server, or may write to it. Then its rows can differ from those of
            // the primary.
            return ReplicaHealth(reason: "its variable read_only is not set, so it may be a primary")
        }
        guard let position = replica.position else {
            return ReplicaHealth(reason: "it has no replication position, so it may not be a replica")
        }
        guard !history.isEmpty else {
            // As long as the primary has never been reached, the lag is unknown, but reads must go on.
            let reason = hasPrimary ? "the primary has no position, because it has no binary log or no commit" : nil
            return ReplicaHealth(reason: reason, position: position)
        }
        guard let lag = history.lag(of: position, at: time) else {
            let reason = "it has not reached any position that the primary has had since the first check"
            return ReplicaHealth(reason: reason, position: position)
        }
        let reason = lag > limit ? "it is \(lag.components.seconds) s behind the primary" : nil
        return ReplicaHealth(reason: reason, lag: lag, position: position)
    }
}
