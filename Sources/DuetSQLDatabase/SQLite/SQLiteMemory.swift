import Foundation
import Synchronization

/// A SQLite database in memory. The database exists as long as a connection to it is open, so this object keeps a
/// connection open.
///
/// The database is stored in SQLite's `memdb` file system (sqlite.org/src/file/src/memdb.c), so its connections wait
/// for locks in the same way as the connections to a file. With the alternative, a shared cache, a statement would fail
/// immediately if another connection has locked a table.
final class SQLiteMemory: Sendable {
    /// The connection that keeps the database open. No statement runs on it.
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
    /// The unique name under which the connections of this process open the database.
    private let name = "file:/duet-\(UUID().uuidString)?vfs=memdb"

    /// Opens a connection. The first connection creates the database.
    /// - Throws: ``DatabaseError``.
    func connect(
        _ configuration: DatabaseConfiguration, _ interrupt: Interrupt, waitsForLocks: Bool
    ) throws -> SQLiteConnection {
        guard !configuration.isReadOnly else {
            throw DatabaseError(
                .readOnly,
                "a SQLite database in memory is empty at first, so it cannot be opened read-only: set "
                    + "DatabaseConfiguration.access to readWrite")
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

    /// Closes this object's connection. The database is deleted when its other connections are closed, too.
    func close() {
        state.withLock { $0 = .closed }
    }
}
