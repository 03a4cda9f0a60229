/// The choice of the server that receives the writes.
///
/// With asynchronous replication, only an operator or another program promotes a replica: it stops the replication and
/// ends `read_only` on the replica. The choice follows if the current primary has gone, or does not accept writes. Of
/// the nodes of a Galera cluster, the first one that is ready is chosen, so that all programs choose the same.
struct PrimaryChoice: Sendable {
    /// The index of the primary.
    private(set) var primary = 0
    /// True if several servers accept writes, and none of them has the commits of all others. Then no server receives
    /// writes, because they would be lost as soon as the operator has decided for another server.
    private(set) var isAmbiguous = false
    /// True if the primary has accepted writes at the last check.
    private(set) var isConfirmed = false
    /// The servers that accepted writes while another server was the primary, such as a previous primary that has come
    /// back. They are not chosen until they have been read-only.
    private var suspects: Set<Int> = []

    /// The way in which the servers receive each other's commits.
    let kind: ReplicationKind

    init(_ kind: ReplicationKind) {
        self.kind = kind
    }

    /// Chooses the primary after a check.
    /// - Parameters:
    ///   - states: The answers of the servers; nil for a server that has not answered.
    ///   - known: The last known position of the current primary; nil if there is none.
    mutating func update(_ states: [ServerState?], known: DatabasePosition?) {
        let accepting = states.indices.filter { states[$0]?.acceptsWrites(kind) == true }
        switch kind {
        case .galera:
            primary = accepting.first ?? primary
            isConfirmed = !accepting.isEmpty
        case .asynchronous:
            let previous = primary
            suspects.subtract(states.indices.filter { states[$0]?.isReadOnly == true })
            if !isConfirmed || !accepting.contains(primary) { chooseAgain(states, accepting, known) }
            isConfirmed = !isAmbiguous && accepting.contains(primary)
            if isConfirmed { suspects.formUnion(accepting.filter { !Self.isSame(states[$0], states[primary]) }) }
            if previous != primary { suspects.insert(previous) }
            suspects.remove(primary)
        }
    }

    private mutating func chooseAgain(_ states: [ServerState?], _ accepting: [Int], _ known: DatabasePosition?) {
        let candidates = accepting.filter { index in
            guard index != primary else { return true }
            // A server that has never followed a primary has other data. One that still follows was not promoted.
            guard let state = states[index], let followed = state.replicaPosition, !state.isFollowing,
                !suspects.contains(index)
            else { return false }
            guard let known else { return true }
            return (state.logPosition?.union(followed) ?? followed).hasDomains(of: known)
        }
        let complete = candidates.filter { index in
            candidates.allSatisfy { other in
                guard let own = states[index]?.transactions, let others = states[other]?.transactions else {
                    return index == other
                }
                return own.contains(others)
            }
        }
        // Two names can belong to one server, such as a name that always belongs to the primary.
        let isOneServer = complete.dropFirst().allSatisfy { Self.isSame(states[$0], states[complete[0]]) }
        isAmbiguous = !candidates.isEmpty && (complete.isEmpty || !isOneServer)
        if let first = complete.first, isOneServer, !complete.contains(primary) { primary = first }
    }

    private static func isSame(_ one: ServerState?, _ other: ServerState?) -> Bool {
        one?.serverID != nil && one?.serverID == other?.serverID
    }
}
