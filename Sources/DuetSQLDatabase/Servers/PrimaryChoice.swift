/// The choice of the server that receives the writes.
enum PrimaryChoice {
    /// Returns the server that receives the writes after a check.
    ///
    /// With asynchronous replication, only an operator or another program promotes a replica: it ends `read_only` on
    /// the replica. The choice follows if the current primary has gone, or does not accept writes. A previous primary
    /// that comes back is not chosen as long as the new one accepts writes. A replica on which `read_only` was never
    /// set is not chosen, because it may still follow the primary.
    ///
    /// Of the nodes of a Galera cluster, the first one that is ready is chosen when the current one is not.
    /// - Parameters:
    ///   - states: The answers of the servers; nil for a server that has not answered.
    ///   - current: The current primary.
    ///   - isConfirmed: True if the current primary has accepted writes at an earlier check. Before that, it is only
    ///     the first of the configuration.
    ///   - replicas: The servers that were read-only at an earlier check.
    ///   - known: The last known position of the current primary; nil if there is none.
    /// - Returns: The primary. If no server can be chosen, it is the current one.
    static func primary(
        _ states: [ServerState?], current: Int, isConfirmed: Bool, replicas: Set<Int>, known: DatabasePosition?,
        _ kind: ReplicationKind
    ) -> Int {
        let accepting = states.indices.filter { states[$0]?.acceptsWrites(kind) == true }
        switch kind {
        case .galera:
            return accepting.contains(current) ? current : accepting.first ?? current
        case .asynchronous:
            if isConfirmed, accepting.contains(current) { return current }
            let candidates = accepting.filter { index in
                guard index != current else { return true }
                // A server that has never followed a primary has other data.
                guard let state = states[index], state.replicaPosition != nil, let position = state.position,
                    replicas.contains(index) || state.hasOwnCommits
                else { return false }
                return known.map(position.hasDomains) ?? true
            }
            // If several servers accept writes, only one that has the commits of all others is certain.
            let complete = candidates.filter { index in
                candidates.allSatisfy { other in
                    guard let others = states[other]?.position else { return true }
                    return states[index]?.position?.reaches(others) == true
                }
            }
            return complete.contains(current) ? current : complete.count == 1 ? complete[0] : current
        }
    }
}

extension ServerState {
    /// True if the server can be the primary.
    func acceptsWrites(_ kind: ReplicationKind) -> Bool {
        !isReadOnly && (kind == .asynchronous || isReady == true)
    }
}
