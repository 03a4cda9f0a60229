/// A kind of database. A backend opens connections, and has the operations that concern the whole database. SQLite and
/// MariaDB are the two backends of this module; each is a folder with a backend, a connection, a statement and a
/// dialect.
protocol Backend: Sendable {
    var dialect: Dialect { get }

    /// Opens a connection.
    /// - Parameters:
    ///   - interrupt: The interruption of the statements on the connection.
    ///   - waitsForLocks: False for a connection that never waits for a lock, neither while it is opened nor in
    ///     statements.
    /// - Throws: ``DatabaseError``.
    func connect(
        _ configuration: DatabaseConfiguration, _ interrupt: Interrupt, waitsForLocks: Bool
    ) throws -> any BackendConnection

    /// The version of the database's content; see ``Database/version``. It is nil if the backend cannot detect the
    /// commits of other programs.
    var version: DatabaseVersion? { get }

    /// The way in which the commits of other programs are found.
    var commitDetection: CommitDetection { get }

    /// Returns a reader of the log in which the database's server records the tables of commits; nil if there is no
    /// such log.
    /// - Parameters:
    ///   - definitions: The object in which the reader records changes of definitions.
    ///   - onCommit: Called on the reader's thread when a commit has been read. It must not block.
    func commitLogReader(
        _ configuration: DatabaseConfiguration, _ definitions: DefinitionChanges,
        _ onCommit: @escaping @Sendable () -> Void
    ) -> (any CommitLogReader)?

    /// Ends a connection of a server and its statement, through a second connection.
    /// - Parameter thread: The server's ID of the connection; see ``BackendConnection/threadID``.
    /// - Throws: ``DatabaseError`` if the server cannot be reached.
    func kill(_ thread: UInt, _ configuration: DatabaseConfiguration) throws

    /// Prepares the calling thread for the use of connections.
    func beginThread()
    /// Releases the memory that the calling thread has for the use of connections.
    func endThread()
    /// Closes the connections that belong to the backend itself.
    func close()
}

/// The way in which a backend finds the commits of other programs.
enum CommitDetection: Sendable {
    /// No other program can commit.
    case none
    /// A closure that returns the position of the last commit without a statement, or nil if it is unknown.
    case position(@Sendable () -> CommitPosition?)
    /// A statement that returns the position of the last commit as a text, which is empty if the server has no
    /// position; and a statement that returns the identifier of the connection's own last commit, a space and the
    /// position of the server's log, each of which can be empty.
    case statement(String, own: String)
}

extension Backend {
    var version: DatabaseVersion? { nil }
    var commitDetection: CommitDetection { .none }
    func commitLogReader(
        _ configuration: DatabaseConfiguration, _ definitions: DefinitionChanges,
        _ onCommit: @escaping @Sendable () -> Void
    ) -> (any CommitLogReader)? { nil }
    func kill(_ thread: UInt, _ configuration: DatabaseConfiguration) throws {}
    func beginThread() {}
    func endThread() {}
    func close() {}
}

extension DatabaseURL {
    /// Returns the backend of the database.
    func backend(_ configuration: DatabaseConfiguration) -> any Backend {
        switch location {
        case .sqlite(let path): SQLiteBackend(path: path, configuration)
        case .sqliteInMemory: SQLiteBackend()
        case .mariaDB(let location): MariaDBBackend(location: location)
        }
    }
}
