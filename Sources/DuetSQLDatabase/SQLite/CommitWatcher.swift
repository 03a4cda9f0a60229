import Synchronization

/// Detects commits to a SQLite file by any process, without a statement and without waiting.
final class CommitWatcher: Sendable {
    /// Keeps the index mapped. After its creation no statement runs on the connection; only the identity of its file is
    /// checked.
    private final class Watching: @unchecked Sendable {
        let connection: SQLiteConnection
        let index: WriteAheadLogIndex
        let opening: Int
        /// The mapped index of a file that other programs write.
        let indexFile: (path: String, identity: FileIdentity?)?

        init(
            connection: SQLiteConnection, index: WriteAheadLogIndex, opening: Int,
            indexFile: (path: String, identity: FileIdentity?)?
        ) {
            self.connection = connection
            self.index = index
            self.opening = opening
            self.indexFile = indexFile
        }

        /// Returns true if commits are no longer written to the mapped index. No program that uses SQLite replaces an
        /// index that is in use, but a user may delete it.
        var isStale: Bool {
            connection.isReplaced || indexFile.map { FileIdentity($0.path) != $0.identity } ?? false
        }
    }

    private struct Openings {
        var count = 0
        var isClosed = false
    }

    private let path: String
    private let configuration: DatabaseConfiguration
    /// Locked while the file is opened. Readers of the version do not wait for this lock.
    private let openings = Mutex(Openings())
    private let watching = Mutex<Watching?>(nil)

    init(path: String, configuration: DatabaseConfiguration) {
        var configuration = configuration
        configuration.createsMissingFile = false
        self.path = path
        self.configuration = configuration
    }

    /// Opens the file, if it is not open or was replaced by another file. Before that there is no version.
    /// - Throws: ``DatabaseError`` if the file cannot be read.
    func open() throws {
        try openings.withLock { openings in
            guard !openings.isClosed, watching.withLock({ $0?.connection.isReplaced }) != false else { return }
            let connection = try SQLiteConnection(path: path, configuration: configuration, interrupt: Interrupt())
            // The first read maps the index.
            try connection.run("SELECT 1 FROM sqlite_schema LIMIT 1")
            // A file that is only read may be in another journal mode, in which mapping would create an index. While
            // this connection is open, no program can leave WAL mode, and no program closes the last connection, which
            // removes the log.
            guard try connection.journalMode() == "wal", let index = WriteAheadLogIndex(connection) else { return }
            openings.count += 1
            let indexPath = connection.fileName + "-shm"
            let indexFile = configuration.isReadOnly ? (indexPath, FileIdentity(indexPath)) : nil
            let opened = Watching(
                connection: connection, index: index, opening: openings.count, indexFile: indexFile)
            watching.withLock { $0 = opened }
        }
    }

    /// Returns the version at a moment during this call; `nil` if it is unknown, for example during a commit.
    func version() -> DatabaseVersion? {
        guard let watching = watching.withLock({ $0 }), !watching.isStale else { return nil }
        return watching.index.state.map { DatabaseVersion(kind: .log(opening: watching.opening, $0)) }
    }

    /// Closes the file permanently.
    func close() {
        openings.withLock { openings in
            openings.isClosed = true
            watching.withLock { $0 = nil }
        }
    }
}
