import Synchronization

/// Tells whether anybody has committed to a SQLite file, over a connection that does nothing else: the counter is each
/// connection's own, and leaves out what that connection commits itself (sqlite.org/pragma.html#pragma_data_version).
final class CommitWatcher: Sendable {
    private struct Watching {
        let connection: SQLiteConnection
        let statement: SQLiteStatement
    }

    private struct State {
        var watching: Watching?
        var openings = 0
    }

    private let path: String
    private let configuration: DatabaseConfiguration
    private let state = Mutex(State())

    init(path: String, configuration: DatabaseConfiguration) {
        var configuration = configuration
        configuration.createsMissingFile = false
        self.path = path
        self.configuration = configuration
    }

    /// The version at a moment during this call. Takes a few microseconds; the file is opened by the first call.
    /// - Throws: ``DatabaseError`` if the file cannot be read.
    func version() throws -> DatabaseVersion {
        try state.withLock { state in
            if state.watching?.connection.isReplaced == true { state.watching = nil }
            let watching: Watching
            if let open = state.watching {
                watching = open
            } else {
                let connection = try SQLiteConnection(
                    path: path, configuration: configuration, interrupt: Interrupt())
                watching = Watching(
                    connection: connection, statement: try connection.prepare("PRAGMA data_version"))
                state.watching = watching
                state.openings += 1
            }
            do {
                watching.statement.start()
                defer { watching.statement.reset() }
                guard try watching.statement.step(), case .integer(let counter) = watching.statement.column(0) else {
                    throw DatabaseError(.failed, "the database does not tell its version")
                }
                return DatabaseVersion(opening: state.openings, counter: counter)
            } catch {
                state.watching = nil
                throw error
            }
        }
    }

    /// Closes the file; a later call opens it again.
    func close() {
        state.withLock { $0.watching = nil }
    }
}
