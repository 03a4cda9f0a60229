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
    /// The identifier that the server has in positions; nil for a node of a Galera cluster, whose nodes share one.
    var serverID: UInt32?
    /// The replication domain of the commits of a Galera cluster; nil for a server outside of a cluster.
    var clusterDomain: UInt32?

    /// True if the server can be the primary.
    func acceptsWrites(_ kind: ReplicationKind) -> Bool {
        !isReadOnly && (kind == .asynchronous || isReady == true)
    }

    /// The transactions that the server has committed or received.
    var transactions: BinaryLogState? { log?.adding(replicaPosition) }
}
