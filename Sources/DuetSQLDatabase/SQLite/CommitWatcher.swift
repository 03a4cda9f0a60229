import Synchronization

/// Tells whether anybody has committed to a SQLite file, without a statement and without waiting for anyone.
final class CommitWatcher: Sendable {
    /// Holds the index where it is. After it is made, nobody uses the connection: only which file it has open is looked at.
    private final class Watching: @unchecked Sendable {
        let connection: SQLiteConnection
        let index: WriteAheadLogIndex
        let opening: Int
        /// The index that is mapped, of a file that other programs write.
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

        /// Returns true if commits are no longer written to the index that is mapped. No program that uses SQLite
        /// replaces an index that is in use; a person may delete it.
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
    /// Held while the file is opened, for which those who want a version do not wait.
    private let openings = Mutex(Openings())
    private let watching = Mutex<Watching?>(nil)

    init(path: String, configuration: DatabaseConfiguration) {
        var configuration = configuration
        configuration.createsMissingFile = false
        self.path = path
        self.configuration = configuration
    }

    /// Opens the file, if it is not open or another one has taken its place. Until then there is no version.
    /// - Throws: ``DatabaseError`` if the file cannot be read.
    func open() throws {
        try openings.withLock { openings in
            guard !openings.isClosed, watching.withLock({ $0?.connection.isReplaced }) != false else { return }
            let connection = try SQLiteConnection(path: path, configuration: configuration, interrupt: Interrupt())
            // The first read is what maps the index.
            try connection.run("SELECT 1 FROM sqlite_schema LIMIT 1")
            // A file that is only read may be in another mode, in which its index would be made now. While this
            // connection is open no program can leave WAL mode, and none is the last one, which removes the log.
            guard try connection.journalMode() == "wal", let index = WriteAheadLogIndex(connection) else { return }
            openings.count += 1
            let indexPath = connection.fileName + "-shm"
            let indexFile = configuration.isReadOnly ? (indexPath, FileIdentity(indexPath)) : nil
            let opened = Watching(
                connection: connection, index: index, opening: openings.count, indexFile: indexFile)
            watching.withLock { $0 = opened }
        }
    }

    /// The version at a moment during this call; `nil` if it cannot be told, as while somebody commits.
    func version() -> DatabaseVersion? {
        guard let watching = watching.withLock({ $0 }), !watching.isStale else { return nil }
        return watching.index.state.map { DatabaseVersion(kind: .log(opening: watching.opening, $0)) }
    }

    /// Closes the file for good.
    func close() {
        openings.withLock { openings in
            openings.isClosed = true
            watching.withLock { $0 = nil }
        }
    }
}
