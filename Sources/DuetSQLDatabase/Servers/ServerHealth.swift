/// The result of a check of a server, which says whether the reads of sessions can use it.
struct ServerHealth: Hashable, Sendable {
    /// The reason for which reads must not use the server; nil if it is well.
    let reason: String?
    /// See ``ServerStatus/lag``.
    let lag: Duration?
    /// The position of the server; nil if it is unknown.
    let position: DatabasePosition?

    init(reason: String?, lag: Duration? = nil, position: DatabasePosition? = nil) {
        self.reason = reason
        self.lag = lag
        self.position = position
    }

    /// Evaluates the answer of a primary that has replicas.
    static func ofPrimary(_ answer: Result<ServerState, DatabaseError>) -> ServerHealth {
        switch answer {
        case .success(let state):
            ServerHealth(
                reason: state.isReadOnly ? "its variable read_only is set, so it accepts no writes" : nil,
                position: state.logPosition)
        case .failure(let error): ServerHealth(reason: error.message)
        }
    }

    /// Evaluates the answer of a replica, or of a node of a Galera cluster.
    /// - Parameters:
    ///   - answer: The answer, or the reason for which there is none.
    ///   - earlier: The position of the server at the check before.
    ///   - primary: What is known about the primary.
    ///   - limit: The maximum lag.
    ///   - time: The moment of the check.
    static func evaluate(
        _ answer: Result<ServerState, DatabaseError>, earlier: DatabasePosition?, _ primary: KnownPrimary,
        _ kind: ReplicationKind, limit: Duration, at time: ContinuousClock.Instant
    ) -> ServerHealth {
        let server: ServerState
        switch answer {
        case .success(let state): server = state
        case .failure(let error): return ServerHealth(reason: error.message)
        }
        if let reason = unfitness(server, kind) { return ServerHealth(reason: reason) }
        guard let position = kind == .galera ? server.logPosition : server.replicaPosition else {
            return ServerHealth(
                reason: kind == .galera
                    ? "it has no position, because it has no binary log with log_slave_updates, or no commit"
                    : "it has no replication position, so it may not be a replica")
        }
        let history = primary.history
        guard !history.isEmpty else {
            // As long as the primary has never been reached, the lag is unknown, but reads must go on.
            let reason =
                primary.hasAnswered ? "the primary has no position, because it has no binary log or no commit" : nil
            return ServerHealth(reason: reason, position: position)
        }
        if kind == .asynchronous, let log = primary.log {
            // A replica can have a commit a moment after the primary was asked. But the primary was asked after the
            // check before, and it has commits of each server whose commits it has distributed.
            let isAhead = earlier.map { !log.contains($0) } ?? false
            if isAhead || !log.hasOrigins(of: position) {
                return ServerHealth(
                    reason: "it has commits that the primary does not have (its position is \(position))",
                    position: position)
            }
        }
        guard let lag = history.lag(of: position, at: time) else {
            let reason = "it has not reached any position that the primary has had since the first check"
            return ServerHealth(reason: reason, position: position)
        }
        let reason = lag > limit ? "it is \(lag.components.seconds) s behind the primary" : nil
        return ServerHealth(reason: reason, lag: lag, position: position)
    }

    /// Returns the reason for which the rows of a server may not be those of the primary; nil if there is none.
    private static func unfitness(_ server: ServerState, _ kind: ReplicationKind) -> String? {
        switch kind {
        case .asynchronous:
            // Another program may have promoted the server, or may write to it. Then its rows can differ from those of
            // the primary.
            server.isReadOnly ? nil : "its variable read_only is not set, so it may be a primary"
        case .galera:
            switch server.isReady {
            case nil: "it is not a node of a Galera cluster"
            case false: "it is not ready (wsrep_ready is OFF), so it may be separated from the cluster"
            case true: nil
            }
        }
    }
}

/// What the checks know about the primary.
struct KnownPrimary: Sendable {
    /// True if it has answered the current check.
    let hasAnswered: Bool
    /// The transactions of its log at the current check; nil if it has not answered.
    let log: BinaryLogState?
    /// Its positions at the checks.
    let history: PositionHistory
}
