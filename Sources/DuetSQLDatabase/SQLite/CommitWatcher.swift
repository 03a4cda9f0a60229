import Foundation
import Synchronization

/// Detects commits that any process makes to a SQLite file. The detection runs no statement and never waits.
final class CommitWatcher: Sendable {
    /// The part of an open file that each commit changes.
    private enum Source {
        /// The index of the write-ahead log, in memory.
        case log(WriteAheadLogIndex)
        /// The header of a file in rollback-journal mode.
        case header(DatabaseFileHeader)
    }

    /// A connection that keeps the file open and, in WAL mode, the index of the write-ahead log mapped into memory.
    /// After the initialization no statement runs on the connection.
    private final class Watching: @unchecked Sendable {
        let connection: SQLiteConnection
        let source: Source
        let opening: Int
        /// The path and the identity of the index file; nil if this process may write the database.
        let indexFile: (path: String, identity: FileIdentity?)?

        init(
            connection: SQLiteConnection, source: Source, opening: Int,
            indexFile: (path: String, identity: FileIdentity?)?
        ) {
            self.connection = connection
            self.source = source
            self.opening = opening
            self.indexFile = indexFile
        }

        /// True if the file must be opened again: it was replaced, or it was switched to the write-ahead log.
        var isReplaced: Bool {
            if case .header(let header) = source, header.current?.usesLog == true { return true }
            return connection.isReplaced
        }

        /// True if commits no longer change the source. SQLite never replaces an index that is in use, but a user may
        /// delete the index file.
        var isStale: Bool { isReplaced || indexFile.map { FileIdentity($0.path) != $0.identity } ?? false }
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
            guard !openings.isClosed, watching.withLock({ $0?.isReplaced }) != false else { return }
            let connection = try SQLiteConnection(path: path, configuration: configuration, interrupt: Interrupt())
            // The first read maps the index.
            try connection.run("SELECT 1 FROM sqlite_schema LIMIT 1")
            // A database that is opened read-only may not be in WAL mode. In another mode, mapping the index would
            // create the index file. In WAL mode, this open connection prevents other programs from changing the mode
            // and from removing the log.
            let source: Source
            if try connection.journalMode() == "wal" {
                guard let index = WriteAheadLogIndex(connection) else { return }
                source = .log(index)
            } else {
                guard let header = DatabaseFileHeader(connection) else { return }
                source = .header(header)
            }
            openings.count += 1
            let indexPath = connection.fileName + "-shm"
            let indexFile = configuration.isReadOnly ? (indexPath, FileIdentity(indexPath)) : nil
            let opened = Watching(
                connection: connection, source: source, opening: openings.count, indexFile: indexFile)
            watching.withLock { $0 = opened }
        }
    }

    /// Returns the current version; `nil` if it is unknown, for example during a commit. The counter in the header of a
    /// file is not a version, because it changes before the commit is complete.
    func version() -> DatabaseVersion? {
        guard let watching = watching.withLock({ $0 }), case .log(let index) = watching.source, !watching.isStale
        else { return nil }
        return index.state.map { DatabaseVersion(kind: .log(opening: watching.opening, $0)) }
    }

    /// Returns the position of the last commit; `nil` if it is unknown.
    func position() -> CommitPosition? {
        guard let watching = watching.withLock({ $0 }), !watching.isStale else { return nil }
        switch watching.source {
        case .log(let index):
            return index.state.map {
                CommitPosition(.version(DatabaseVersion(kind: .log(opening: watching.opening, $0))))
            }
        case .header(let header):
            return header.current.map { CommitPosition(.counter(opening: watching.opening, $0.changes)) }
        }
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
