/// The limits and intervals of ``PersistedQueries``.
public struct PersistedQueriesConfiguration: Sendable {
    /// The time from the last use or registration of a document to its expiration; by default 30 days.
    ///
    /// A document in the database can expire earlier, because not every use is written. The difference is at most a
    /// tenth of this time and at most ten minutes.
    public var timeToLive: Duration = .seconds(30 * 24 * 60 * 60)
    /// The maximum memory of registered documents with the overhead of their entries, in bytes; by default 32 MiB.
    public var maximumMemory: Int = 32 << 20
    /// The maximum number of documents in the database; by default 100,000. Between two sweeps, each process can exceed
    /// the maximum by about one percent.
    public var maximumRows: Int = 100_000
    /// The maximum size of all documents in the database in bytes; by default 512 MiB.
    public var maximumStoredBytes: Int = 512 << 20
    /// The time between two sweeps; by default 60 seconds. A sweep removes expired documents, and documents in excess
    /// of ``maximumRows`` or ``maximumStoredBytes``.
    public var sweepInterval: Duration = .seconds(60)
    /// The time between two flushes; by default 1 second. A flush writes the times of last uses to the database. After
    /// each failure of the database, the time doubles, up to ``sweepInterval``.
    public var flushInterval: Duration = .seconds(1)
    /// The maximum time that a request waits for the database; by default 1 second. After this time, the database is
    /// treated as failed.
    public var storeTimeout: Duration = .seconds(1)

    /// Creates the default configuration.
    public init() {}
}

extension PersistedQueriesConfiguration {
    var millisecondsToLive: Int64 { timeToLive.milliseconds }

    /// The time in milliseconds after a written use during which further uses are not written.
    var touchGranularity: Int64 { min(millisecondsToLive / 10, 10 * 60 * 1_000) }

    /// The value that replaces ``touchGranularity`` if the table has little or no room for further reused documents. A
    /// document is *reused* if it was looked up after its registration. The value is short, because the order of the
    /// last uses determines which documents are removed.
    var touchGranularityInNeed: Int64 { min(touchGranularity, flushInterval.milliseconds) }

    /// The number of registrations after which a process checks the number and the size of the documents in the
    /// database.
    var registrationsPerTrim: Int { min(256, max(1, maximumRows / 100)) }

    /// The total size of registered documents in bytes after which a process checks the number and the size of the
    /// documents in the database.
    var bytesPerTrim: Int { max(1, maximumStoredBytes / 16) }
}

extension Duration {
    /// The duration in whole milliseconds, limited to the range from 0 to one century, so that sums do not overflow.
    fileprivate var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        guard seconds < 3_155_760_000 else { return 3_155_760_000_000 }
        return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    }
}
