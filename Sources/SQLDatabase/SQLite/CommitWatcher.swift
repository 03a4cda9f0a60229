import Synchronization

/// Tells whether anybody has committed to a SQLite file, without a statement and without waiting for anyone.
final class CommitWatcher: Sendable {
    /// Holds the index where it is. After it is made, nobody uses the connection: only which file it has open is looked at.
    private final class Watching: @unchecked Sendable {
        let connection: SQLiteConnection
        let index: WriteAheadLogIndex
        let opening: Int

        init(connection: SQLiteConnection, index: WriteAheadLogIndex, opening: Int) {
            self.connection = connection
            self.index = index
            self.opening = opening
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
            guard let index = WriteAheadLogIndex(connection) else { return }
            openings.count += 1
            let opened = Watching(connection: connection, index: index, opening: openings.count)
            watching.withLock { $0 = opened }
        }
    }

    /// The version at a moment during this call; `nil` if it cannot be told, as while somebody commits.
    func version() -> DatabaseVersion? {
        guard let watching = watching.withLock({ $0 }), !watching.connection.isReplaced else { return nil }
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
