/// The result of the last check of a server, for health checks and metrics; see ``Database/serverStatus``.
public struct ServerStatus: Sendable, Hashable {
    /// The URL of the server without its password.
    public let url: String
    /// True if the writes use the server.
    public let isPrimary: Bool
    /// True if the server accepts its part of the work: the writes if it is the primary, otherwise the reads of
    /// sessions.
    public let isWell: Bool
    /// The age of the oldest commit of the primary that the server does not have, at the last check. The precision is
    /// ``DatabaseConfiguration/replicaCheckInterval``. It is nil if the lag is unknown, and for the primary.
    public let lag: Duration?
    /// The reason for which the server is not used; nil if it is well.
    public let reason: String?
}
