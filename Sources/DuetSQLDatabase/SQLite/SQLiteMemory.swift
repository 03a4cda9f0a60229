import Foundation
import Synchronization

/// A SQLite database in memory. It exists as long as a connection to it is open, and here one always is.
///
/// SQLite's `memdb` file system holds it (sqlite.org/src/file/src/memdb.c), so connections lock it as they lock a file. With a shared cache, the
/// other way to share a database in memory, a statement fails as soon as another connection has locked a table.
final class SQLiteMemory: Sendable {
    /// No statement runs on it.
    private final class Anchor: @unchecked Sendable {
        let connection: SQLiteConnection

        init(_ connection: SQLiteConnection) { self.connection = connection }
    }

    private enum State {
        case new
        case open(Anchor)
        case closed
    }

    private let state = Mutex(State.new)
    /// The name that connections of this process open, which no other database has.
    private let name = "file:/duet-\(UUID().uuidString)?vfs=memdb"

    /// Opens a connection; the first one creates the database.
    /// - Throws: ``DatabaseError``.
    func connect(
        _ configuration: DatabaseConfiguration, _ interrupt: Interrupt, waitsForLocks: Bool
    ) throws -> SQLiteConnection {
        guard !configuration.isReadOnly else {
            throw DatabaseError(
                .readOnly,
                "a SQLite database in memory is empty at first, so it cannot be opened only to be read: leave "
                    + "DatabaseConfiguration.access at readWrite")
        }
        try state.withLock { state in
            switch state {
            case .new: state = .open(Anchor(try open(configuration, Interrupt(), waitsForLocks: true)))
            case .open: break
            case .closed: throw DatabaseError(.closed, "the database is closed")
            }
        }
        return try open(configuration, interrupt, waitsForLocks: waitsForLocks)
    }

    private func open(
        _ configuration: DatabaseConfiguration, _ interrupt: Interrupt, waitsForLocks: Bool
    ) throws -> SQLiteConnection {
        try SQLiteConnection(
            inMemory: name, configuration: configuration, interrupt: interrupt, waitsForLocks: waitsForLocks)
    }

    /// Removes the database, when its connections are closed.
    func close() {
        state.withLock { $0 = .closed }
    }
}
