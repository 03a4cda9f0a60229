/// The limits and options of a ``Database``.
public struct DatabaseConfiguration: Sendable {
    /// The maximum number of connections. Each connection has a separate thread.
    public var poolSize: Int
    /// The maximum number of streams (``Database/stream(timeout:origin:_:)``) at the same time. The limit prevents slow
    /// readers from taking every connection.
    public var streamLimit: Int
    /// The maximum wait for a connection. After this time, the transaction or stream fails with `pool-exhausted`.
    public var acquireTimeout: Duration = .seconds(5)
    /// The maximum number of transactions and streams that wait for a connection.
    public var queueLimit: Int = 4096
    /// The maximum time of one statement; `nil` is no limit.
    public var statementTimeout: Duration? = Self.defaultStatementTimeout
    /// The default of ``statementTimeout``.
    public static let defaultStatementTimeout = Duration.seconds(30)
    /// The maximum time to connect.
    public var connectTimeout: Duration = .seconds(5)
    /// The maximum age of a connection. An older connection is replaced before its next use.
    public var maximumLifetime: Duration = .seconds(30 * 60)
    /// The idle time after which a connection is checked before its next use.
    public var idleCheckInterval: Duration = .seconds(15)
    /// The maximum number of prepared statements in the cache of each connection.
    public var statementCacheCapacity: Int = 256
    /// For MariaDB: true if no other client writes while this ``Database`` is open. MariaDB does not report commits of
    /// other clients, so ``Database/version`` is known only if this option is true. If another client writes
    /// nevertheless, the version does not change and cached results become outdated.
    public var isSingleWriter = false
    /// For SQLite: true to create a missing file when the database is first used. By default a missing file is an error
    /// with the code `unavailable`. If ``access`` is not ``DatabaseAccess/readWrite``, no file is created.
    public var createsMissingFile = false
    /// The kind of access to the database: read and write, or only read.
    public var access = DatabaseAccess.readWrite
    /// For MariaDB: true if the ``DatabaseSession`` of a write records the position of its commit. The position takes
    /// an additional statement after each write. The value is always true for a database with several servers.
    public var recordsPositions = false
    /// The maximum time for which a read waits until its server has reached the position of the session. After this
    /// time, the read runs on the primary.
    public var replicaWait: Duration = .milliseconds(500)
    /// The maximum lag of a replica. Reads do not use a replica with a greater lag.
    public var maximumReplicaLag: Duration = .seconds(10)
    /// The maximum time of a check of a server, and of a connection for the reads of sessions. A server that does not
    /// answer in this time is not well. The reads that wait for it run on the primary.
    public var replicaCheckTimeout: Duration = .seconds(2)
    /// The interval between two checks of the servers; see ``Database/watchServers()``.
    public var replicaCheckInterval: Duration = .seconds(1)
    /// True if ``Database/write(timeout:deadline:origin:_:)`` always fails.
    public var isReadOnly: Bool { access.isReadOnly }

    /// - Parameters:
    ///   - poolSize: The maximum number of connections. The default suits a small machine.
    ///   - streamLimit: The maximum number of streams; by default half of `poolSize`.
    public init(poolSize: Int = 8, streamLimit: Int? = nil) {
        self.poolSize = max(1, poolSize)
        self.streamLimit = max(1, streamLimit ?? self.poolSize / 2)
    }
}

extension Duration {
    /// The duration in whole nanoseconds, limited to the range from 0 to one century, so that sums do not overflow.
    var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        guard seconds < 3_155_760_000 else { return 3_155_760_000_000_000_000 }
        return UInt64(seconds) &* 1_000_000_000 &+ UInt64(attoseconds / 1_000_000_000)
    }
}

/// The kind of access of a program to a database; see ``DatabaseConfiguration/access``.
public enum DatabaseAccess: Sendable, Hashable {
    /// Reads and writes. A SQLite file is switched to the write-ahead log and remains in this mode.
    case readWrite
    /// Reads and writes a database that other programs own. A SQLite file retains its journal mode, and a missing file
    /// is not created. In rollback-journal mode, reads and writes wait for each other.
    case existing
    /// Only reads. Other programs may write the database. ``Database/write(timeout:deadline:origin:_:)`` fails, and on
    /// MariaDB each transaction of the session is `READ ONLY`.
    ///
    /// A SQLite file retains its journal mode and its content. The process takes SQLite's locks like any other reader:
    /// in rollback-journal mode a commit of another program waits for the read transactions. In WAL mode no other
    /// program can change the journal mode or remove the log while this process has the file open. If the log and its
    /// index are missing in WAL mode, SQLite creates empty files with the permissions of the database file, and a
    /// reader does not remove them. If the user of this process cannot create the files, the database cannot be read
    /// (sqlite.org/wal.html §9).
    case readOnly
    /// Only reads, for a SQLite file that no program writes. SQLite takes no locks and creates no other files. If
    /// another program writes the file at the same time, reads can return wrong data or errors. On MariaDB, and for a
    /// file that already has a journal or a log, the access is ``readOnly`` instead.
    case immutable

    /// True if the access does not permit writes.
    var isReadOnly: Bool {
        switch self {
        case .readWrite, .existing: false
        case .readOnly, .immutable: true
        }
    }
}
