import Foundation
import Synchronization

/// Detects commits that any process makes to a SQLite file. The detection runs no statement and never waits.
final class CommitWatcher: Sendable {
    /// A connection that keeps the index of the write-ahead log mapped into memory. After the initialization no
    /// statement runs on the connection.
    private final class Watching: @unchecked Sendable {
        let connection: SQLiteConnection
        let index: WriteAheadLogIndex
        let opening: Int
        /// The path and the identity of the index file; nil if this process may write the database.
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

        /// True if commits are no longer written to the mapped index. SQLite never replaces an index that is in use,
        /// but a user may delete the index file.
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
    /// The state of the openings. Its lock is held while the file is opened. ``version()`` does not need this lock.
    private let openings = Mutex(Openings())
    private let watching = Mutex<Watching?>(nil)

    init(path: String, configuration: DatabaseConfiguration) {
        var configuration = configuration
        configuration.createsMissingFile = false
        self.path = path
        self.configuration = configuration
    }

    /// Opens the file, if it is not open or was replaced by another file. Before the first call, ``version()`` returns
    /// nil.
    /// - Throws: ``DatabaseError`` if the file cannot be read.
    func open() throws {
        try openings.withLock { openings in
            guard !openings.isClosed, watching.withLock({ $0?.connection.isReplaced }) != false else { return }
            let connection = try SQLiteConnection(path: path, configuration: configuration, interrupt: Interrupt())
            // The first read maps the index.
            try connection.run("SELECT 1 FROM sqlite_schema LIMIT 1")
            // A database that is opened read-only may not be in WAL mode. In another mode, mapping the index would
            // create the index file. In WAL mode, this open connection prevents other programs from changing the mode
            // and from removing the log.
            guard try connection.journalMode() == "wal", let index = WriteAheadLogIndex(connection) else { return }
            openings.count += 1
            let indexPath = connection.fileName + "-shm"
            let indexFile = configuration.isReadOnly ? (indexPath, FileIdentity(indexPath)) : nil
            let opened = Watching(
                connection: connection, index: index, opening: openings.count, indexFile: indexFile)
            watching.withLock { $0 = opened }
        }
    }

    /// Returns the current version; `nil` if it is unknown, for example during a commit.
    func version() -> DatabaseVersion? {
        guard let watching = watching.withLock({ $0 }), !watching.isStale else { return nil }
        return watching.index.state.map { DatabaseVersion(kind: .log(opening: watching.opening, $0)) }
    }

    /// Closes the file. It cannot be opened again.
    func close() {
        openings.withLock { openings in
            openings.isClosed = true
            watching.withLock { $0 = nil }
        }
    }
}

/// The device and inode number of a file, which identify the file independently of its path.
struct FileIdentity: Equatable {
    private let device: UInt64
    private let number: UInt64

    /// - Returns: `nil` if there is no file at the path.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
    }
}
