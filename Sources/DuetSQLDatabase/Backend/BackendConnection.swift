/// The kind of a transaction.
enum TransactionMode {
    case reading, writing
}

/// A connection of a ``Backend``. Only one thread at a time uses it.
protocol BackendConnection: AnyObject {
    /// The number of network round trips since the connection was opened; see ``Connection/roundTrips``.
    var roundTrips: Int { get }
    /// The number of pages of the file that the connection has written since it was opened; 0 for a server.
    var writtenPages: Int { get }

    // MARK: Statements

    /// Prepares a statement with `?` placeholders.
    func prepare(_ sql: String) throws -> any PreparedStatement
    /// Runs a text without parameters, and discards its rows.
    func run(_ sql: String) throws
    /// Sends the statements that have been started, without waiting for their answers.
    func flush() throws

    // MARK: Transactions

    /// Begins a transaction.
    /// - Parameter statementTimeout: The maximum time of each statement in nanoseconds; nil for no limit.
    func begin(_ mode: TransactionMode, statementTimeout: UInt64?) throws
    /// Commits a transaction.
    /// - Throws: ``DatabaseError``; with the code `commit-outcome-unknown` if the transaction may have been committed.
    func commit(_ mode: TransactionMode) throws
    func rollback() throws
    /// Checks the constraints that a commit of the current transaction checks.
    /// - Throws: The error of the commit.
    func checkDeferredConstraints() throws
    /// True if the database has ended the current transaction after an error.
    var hasLostTransaction: Bool { get }

    // MARK: Limits of direct reads

    /// Sets the budget and the deadline of the statements that follow.
    func bound(by budget: ReadBudget, _ deadline: Deadline)
    /// Removes the budget and the deadline.
    func unbound()

    // MARK: Limits of scans

    /// Sets the maximum number of rows that a statement which starts from now on can examine without returning them;
    /// nil for no limit.
    func limitScans(to count: Int?)
    /// Returns the way in which the database reads the rows of a statement with placeholders; nil if the database does
    /// not report it without the arguments.
    func explain(_ statement: String) throws -> ScanExplanation?

    // MARK: Servers

    /// The server's ID of the connection, for ``Backend/kill(_:_:)``; 0 without a server.
    var threadID: UInt { get }
    /// The state that the pool's watchdog observes; nil without a server to wait for.
    var watch: ConnectionWatch? { get }
    func ping() throws
    /// Closes the connection without reading the server's remaining answers.
    func abandon()

    // MARK: Files

    /// True if the file was opened read-only because it was not writable at that moment.
    var isReadOnly: Bool { get }
    /// True if the path no longer refers to the file that this connection has open.
    var isReplaced: Bool { get }
    /// Runs a closure during which statements that need an unknown collation are refused.
    func refusingUnknownCollations<Value>(_ body: () throws -> Value) throws -> Value
}

/// The behavior of a database without round trips, server and file.
extension BackendConnection {
    var roundTrips: Int { 0 }
    var writtenPages: Int { 0 }
    func flush() throws {}
    func checkDeferredConstraints() throws {}
    var hasLostTransaction: Bool { false }
    func bound(by budget: ReadBudget, _ deadline: Deadline) {}
    func unbound() {}
    func limitScans(to count: Int?) {}
    func explain(_ statement: String) throws -> ScanExplanation? { nil }
    var threadID: UInt { 0 }
    var watch: ConnectionWatch? { nil }
    func ping() throws {}
    func abandon() {}
    var isReadOnly: Bool { false }
    var isReplaced: Bool { false }
    func refusingUnknownCollations<Value>(_ body: () throws -> Value) throws -> Value { try body() }
}
