/// An event that a ``Database`` reports to its ``DatabaseObserver``, for logs and metrics.
public enum DatabaseObservation: Sendable {
    /// A statement ran to its end or failed.
    case statement(sql: String, rows: Int, nanoseconds: UInt64, failed: Bool, origin: TransactionOrigin)
    /// A prepared statement was found in the cache.
    case statementCacheHit
    /// A statement was not in the cache and was prepared.
    case statementCacheMiss(sql: String)
    /// A connection was opened.
    case connectionOpened(nanoseconds: UInt64)
    /// A connection was closed.
    case connectionClosed(reason: String)
    /// A read is retried on a new connection.
    case readRetried(DatabaseError)
    /// A read of a ``DatabaseSession`` did not use its server, and the further reads of the session use the primary.
    case movedToPrimary(ServerFailure)
    /// Another server receives the writes from now on, because it was promoted, or because the previous node of a
    /// cluster is not well. The URL has no password.
    case primaryChanged(url: String)
    /// Values that are not valid dates, such as `0000-00-00` of MariaDB, were read as NULL.
    case zeroDates(count: Int, sql: String)
    /// Values that do not have the declared type of their field were written as null.
    case nullifiedValues(count: Int, sql: String)
    /// A transaction or a stream got a connection. The value is the duration of the wait.
    case acquired(waitedNanoseconds: UInt64)
}

/// The reason for which a read of a session did not use its server.
public enum ServerFailure: Sendable {
    /// The server did not reach the position of the session within ``DatabaseConfiguration/replicaWait``.
    case positionNotReached
    /// The connection to the server failed, and no read of a session uses the server until the next check; or no
    /// connection became free (`pool-exhausted`).
    case connection(DatabaseError)
}

/// A closure that a ``Database`` calls for each event. The closure runs on a thread of the pool, or on the thread that
/// calls ``Database/readDirectly(within:deadline:origin:_:)``. It must return quickly and must not call the database.
public typealias DatabaseObserver = @Sendable (DatabaseObservation) -> Void

/// The origin of a transaction: a number whose meaning the program defines. The ``DatabaseObserver`` receives the
/// number with each statement of the transaction, in
/// ``DatabaseObservation/statement(sql:rows:nanoseconds:failed:origin:)``.
public struct TransactionOrigin: RawRepresentable, Sendable, Hashable {
    /// The number.
    public let rawValue: UInt8

    /// Creates an origin with a number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The origin of a transaction if the caller specifies none.
    public static let unspecified = TransactionOrigin(rawValue: 0)
}
