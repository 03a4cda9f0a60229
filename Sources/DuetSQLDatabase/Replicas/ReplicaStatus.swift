/// The result of the last check of a replica, for health checks and metrics; see ``Database/replicaStatus``.
public struct ReplicaStatus: Sendable, Hashable {
    /// The URL of the replica without its password.
    public let url: String
    /// True if reads use the replica.
    public let isWell: Bool
    /// The age of the oldest commit of the primary that the replica does not have, at the last check. The precision is
    /// ``DatabaseConfiguration/replicaCheckInterval``. It is nil if the lag is unknown.
    public let lag: Duration?
    /// The reason for which reads do not use the replica; nil if it is well.
    public let reason: String?
}
