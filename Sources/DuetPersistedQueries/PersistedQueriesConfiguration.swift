/// The bounds of ``PersistedQueries``.
public struct PersistedQueriesConfiguration: Sendable {
    /// The time after the last use or registration of a document at which it expires; by default 30 days.
    ///
    /// A document in the database can expire earlier, by up to a tenth of this time and at most ten minutes, because
    /// not each use is written.
    public var timeToLive: Duration = .seconds(30 * 24 * 60 * 60)
    /// The maximum memory of registered documents in bytes, with the overhead of their entries; by default 32 MiB.
    public var maximumMemory: Int = 32 << 20
    /// The maximum number of documents in the database; by default 100,000. Between sweeps there can be about a
    /// hundredth more.
    public var maximumRows: Int = 100_000
    /// The maximum size of all documents in the database in bytes; by default 512 MiB.
    public var maximumStoredBytes: Int = 512 << 20
    /// The time between two sweeps, which remove expired documents and those beyond the bounds; by default 60 seconds.
    public var sweepInterval: Duration = .seconds(60)
    /// The time between two flushes, which write uses to the database; by default 1 second. While the database fails,
    /// it doubles each time, up to ``sweepInterval``.
    public var flushInterval: Duration = .seconds(1)
    /// The maximum time for which a request waits for the database; by default 1 second. After it, the database counts
    /// as failed.
    public var storeTimeout: Duration = .seconds(1)

    /// Creates the default bounds.
    public init() {}
}

extension PersistedQueriesConfiguration {
    var millisecondsToLive: Int64 { timeToLive.milliseconds }

    /// The milliseconds after a written use in which further uses are not written.
    var touchGranularity: Int64 { min(millisecondsToLive / 10, 10 * 60 * 1_000) }

    /// The same, while the table has no room for all documents that are used again, so that the order of their last
    /// uses decides.
    var touchGranularityInNeed: Int64 { min(touchGranularity, flushInterval.milliseconds) }

    /// The number of registrations of a process after which it checks the bounds.
    var registrationsPerTrim: Int { min(256, max(1, maximumRows / 100)) }

    /// The bytes of registered documents after which a process checks the bounds.
    var bytesPerTrim: Int { max(1, maximumStoredBytes / 16) }
}

extension Duration {
    /// The whole milliseconds, from 0 to those of a century, so that sums do not overflow.
    fileprivate var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        guard seconds < 3_155_760_000 else { return 3_155_760_000_000 }
        return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    }
}
