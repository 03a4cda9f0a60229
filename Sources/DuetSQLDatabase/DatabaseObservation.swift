/// Everything a database can be seen doing. Logs, metrics and traces are fed from it, and nothing else.
public enum DatabaseObservation: Sendable {
    /// A statement ran to its end, or failed.
    case statement(sql: String, rows: Int, nanoseconds: UInt64, failed: Bool, origin: TransactionOrigin)
    /// A statement was found prepared.
    case statementCacheHit
    /// A statement had to be prepared.
    case statementCacheMiss(sql: String)
    /// A connection was made.
    case connectionOpened(nanoseconds: UInt64)
    /// A connection was given up.
    case connectionClosed(reason: String)
    /// A read is tried once more on a new connection.
    case readRetried(DatabaseError)
    /// Values that are no dates of the calendar, such as `0000-00-00` of MariaDB, were read as NULL.
    case zeroDates(count: Int, sql: String)
    /// A job waited for a connection.
    case acquired(waitedNanoseconds: UInt64)
}

/// Receives observations on the pool's threads, and those of direct reads on the reader's; must be quick and must not call the database.
public typealias DatabaseObserver = @Sendable (DatabaseObservation) -> Void
