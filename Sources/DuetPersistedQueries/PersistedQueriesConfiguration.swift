/// The bounds that ``PersistedQueries`` keeps.
public struct PersistedQueriesConfiguration: Sendable {
    /// How long a document is kept after it was last used or registered. In the store it is counted from a moment that is up to
    /// ten minutes, and at most a tenth of this, too early: not each use is written there, unless it is short of room.
    public var timeToLive: Duration = .seconds(30 * 24 * 60 * 60)
    /// Most bytes of documents in memory, what it takes to manage them included. Those of manifests do not count.
    public var maximumMemory: Int = 32 << 20
    /// Most documents in the store. Between sweeps there may be some more, about a hundredth.
    public var maximumRows: Int = 100_000
    /// Most bytes of documents in the store, so that many long ones do not fill the disk.
    public var maximumStoredBytes: Int = 512 << 20
    /// How often what has expired is removed, and what is too much.
    public var sweepInterval: Duration = .seconds(60)
    /// How often the store is told what was used; and, while it does not answer, at first how often it is tried.
    public var flushInterval: Duration = .seconds(1)
    /// How long a request waits for the store, before it goes on without.
    public var storeTimeout: Duration = .seconds(1)

    /// The standard bounds.
    public init() {}
}

extension PersistedQueriesConfiguration {
    var millisecondsToLive: Int64 { timeToLive.milliseconds }

    /// A use is written to the store if that knows of none for so many milliseconds.
    var touchGranularity: Int64 { min(millisecondsToLive / 10, 10 * 60 * 1_000) }

    /// The same while the store has no room for all documents that are used again: then it has to know which of them were used last.
    var touchGranularityInNeed: Int64 { min(touchGranularity, flushInterval.milliseconds) }

    /// A process looks after the bound of rows once in so many registrations of its own.
    var registrationsPerTrim: Int { min(256, max(1, maximumRows / 100)) }

    /// The same for the bound of bytes.
    var bytesPerTrim: Int { max(1, maximumStoredBytes / 16) }
}

extension Duration {
    /// Whole milliseconds: at least none and at most a century's, so that sums do not overflow.
    fileprivate var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        guard seconds < 3_155_760_000 else { return 3_155_760_000_000 }
        return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    }
}
