/// The bounds a ``Database`` keeps.
public struct DatabaseConfiguration: Sendable {
    /// Most connections, each with a thread of its own.
    public var poolSize: Int
    /// Most streams (``Database/stream(_:)``) at once, so that slow readers cannot take every connection.
    public var streamLimit: Int
    /// How long a request waits for a connection before it fails with `pool-exhausted`.
    public var acquireTimeout: Duration = .seconds(5)
    /// Most requests that wait for a connection.
    public var queueLimit: Int = 4096
    /// How long one statement may run; `nil` for no bound.
    public var statementTimeout: Duration? = Self.defaultStatementTimeout
    /// The statement timeout if no other is set.
    public static let defaultStatementTimeout = Duration.seconds(30)
    /// How long connecting may take.
    public var connectTimeout: Duration = .seconds(5)
    /// A connection older than this is replaced before its next use.
    public var maximumLifetime: Duration = .seconds(30 * 60)
    /// A connection idle for longer than this is checked before its next use.
    public var idleCheckInterval: Duration = .seconds(15)
    /// How many statements each connection keeps prepared.
    public var statementCacheCapacity: Int = 256
    /// For MariaDB, which does not tell whether others have committed: whether nobody but this ``Database`` writes as long as it is
    /// open. Then it has a ``Database/version``; if somebody does write, what they have written does not change that.
    public var isSingleWriter = false
    /// For SQLite: true to create a missing file when the database is first used. By default a missing file is an error
    /// with the code `unavailable`. If ``access`` is not ``DatabaseAccess/readWrite``, no file is created.
    public var createsMissingFile = false
    /// The way to use the database: to read and write it, or only to read it.
    public var access = DatabaseAccess.readWrite
    /// Returns true if ``Database/write(timeout:deadline:origin:_:)`` always fails.
    public var isReadOnly: Bool { access != .readWrite }

    /// - Parameters:
    ///   - poolSize: most connections; the default fits a small machine.
    ///   - streamLimit: most streams at once; by default half of the pool.
    public init(poolSize: Int = 8, streamLimit: Int? = nil) {
        self.poolSize = max(1, poolSize)
        self.streamLimit = max(1, streamLimit ?? self.poolSize / 2)
    }
}

extension Duration {
    /// Whole nanoseconds, none below zero and none above a century, so that sums do not overflow.
    var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        guard seconds < 3_155_760_000 else { return 3_155_760_000_000_000_000 }
        return UInt64(seconds) &* 1_000_000_000 &+ UInt64(attoseconds / 1_000_000_000)
    }
}
