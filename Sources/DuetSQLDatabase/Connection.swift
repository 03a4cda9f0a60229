/// A connection that a function of ``Database``, such as ``Database/read(timeout:deadline:origin:_:)``, passes to a
/// closure inside one transaction.
///
/// A connection must not leave the closure. All calls block the thread on which the closure runs. This is a thread of
/// the pool, or the thread that calls ``Database/readDirectly(within:deadline:origin:_:)``.
public final class Connection {
    enum Backend {
        case sqlite(SQLiteConnection)
        case mariaDB(MariaDBConnection)
    }

    enum Mode {
        case idle, reading, writing
    }

    let backend: Backend
    let cache: StatementCache
    private let observer: DatabaseObserver?
    private let standardTimeout: Duration?
    private let interrupt: Interrupt
    /// True if the backend has rolled back the transaction itself. Later statements would run outside the transaction.
    private var isAborted = false
    private(set) var mode = Mode.idle
    /// True if the connection must not be used again because its transaction could not be ended.
    var isBroken = false
    /// The open result sets, each of which holds a statement. The connection closes them at the end of the transaction.
    private var open: [Unmanaged<ResultSet>] = []
    /// The origin of the transaction, for the observer.
    var origin = TransactionOrigin.unspecified
    /// The trace that records the statements of the transaction; nil if no trace is requested.
    var trace: StatementTrace?
    /// The number of statements since the transaction began, without BEGIN and COMMIT.
    public private(set) var statementCount = 0
    /// The number of values that were written as null since the connection was opened, because they do not have the
    /// declared type of their field.
    package var nullifiedValues = 0

    init(
        _ backend: Backend, configuration: DatabaseConfiguration, interrupt: Interrupt, observer: DatabaseObserver?
    ) {
        self.backend = backend
        self.interrupt = interrupt
        self.observer = observer
        standardTimeout = configuration.statementTimeout
        cache = StatementCache(capacity: configuration.statementCacheCapacity)
    }

    /// The SQL dialect of this connection.
    public var dialect: Dialect {
        switch backend {
        case .sqlite: .sqlite
        case .mariaDB: .mariaDB
        }
    }

    /// The number of network round trips since the connection was opened. A round trip is one or more writes to the
    /// socket and the wait for the answer. Always 0 on SQLite.
    package var roundTrips: Int {
        switch backend {
        case .sqlite: 0
        case .mariaDB(let connection): connection.roundTrips
        }
    }

    /// Creates a query. No row is read yet.
    ///
    /// - Parameters:
    ///   - sql: One statement with named parameters; see ``Parameters``.
    ///   - arguments: A value for each parameter.
    /// - Throws: ``DatabaseError`` with the code `parameter` or `syntax`, or with `read-only` if a read transaction
    ///   would write.
    public func query(_ sql: String, _ arguments: Arguments = [:]) throws -> ResultSet {
        try checkTransaction(sql)
        let entry = try cache.entry(for: sql)
        var shape: [Parameters.ListShape] = []
        let values = try entry.parameters.values(for: arguments) { shape.append($0) }
        let statement: PreparedStatement
        if let cached = entry.take(shape) {
            observer?(.statementCacheHit)
            statement = cached
        } else {
            statement = try prepare(entry.parameters.text(of: shape, dialect))
            entry.notePrepared(statement)
        }
        do {
            try bind(statement, values)
        } catch {
            entry.giveBack(statement, shape: shape)
            throw error
        }
        let resultSet = ResultSet(statement, entry: entry, shape: shape, connection: self)
        open.append(Unmanaged.passUnretained(resultSet))
        return resultSet
    }

    /// Returns the parsed text of a statement from the statement cache, and its ``ResultSet/checkedKey``.
    /// - Throws: ``DatabaseError`` with the code `parameter` for a text that cannot be parsed.
    package func parsed(_ sql: String) throws -> (parameters: Parameters, checkedKey: String?) {
        let entry = try cache.entry(for: sql)
        return (entry.parameters, entry.checkedKey)
    }

    /// Runs a statement to its end.
    /// - Returns: The number of changed rows; on MariaDB, the number of rows that matched the condition of the
    ///   statement.
    /// - Throws: ``DatabaseError``.
    @discardableResult
    public func execute(_ sql: String, _ arguments: Arguments = [:]) throws -> Int {
        let resultSet = try query(sql, arguments)
        defer { resultSet.close() }
        while try resultSet.next() {}
        return resultSet.changes
    }

    /// Starts several queries at once. On MariaDB, the queries are sent together, so that all of them take one round
    /// trip. On SQLite, which has no round trips, each query starts when its first row is read.
    ///
    /// The queries can be read in any order. Unread rows that precede the rows of another query are buffered in memory.
    /// - Throws: ``DatabaseError`` if the connection is lost. If one of the statements fails, its result set throws the
    ///   error.
    public func start(_ resultSets: [ResultSet]) throws {
        guard case .mariaDB(let connection) = backend else { return }
        for resultSet in resultSets { try resultSet.start() }
        try connection.flush()
    }

    /// Runs a text of several statements without parameters, such as a schema.
    /// - Throws: ``DatabaseError``. On MariaDB each `CREATE` commits the statements before it.
    public func executeScript(_ script: String) throws {
        for statement in try SQLScript(script).statements {
            try checkTransaction(statement)
            guard mode != .reading else {
                throw DatabaseError(.readOnly, "a script needs a write transaction", statement: statement)
            }
            do {
                switch backend {
                case .sqlite(let connection): try connection.run(statement)
                case .mariaDB(let connection): try connection.run(statement)
                }
            } catch {
                note(error)
                throw error
            }
        }
    }

    /// Runs a statement that returns no rows.
    func run(_ statement: PreparedStatement, values: [SQLValue]) throws {
        try checkTransaction(statement.sql)
        let startedAt = noteStart()
        defer { statement.reset() }
        do {
            try bind(statement, values)
            switch statement {
            case .sqlite(let statement):
                statement.start()
                _ = try statement.step()
            case .mariaDB(let statement):
                enqueue(statement)
                _ = try statement.step()
            }
        } catch {
            noteEnd(statement, rows: 0, startedAt: startedAt, failed: true)
            note(error)
            throw error
        }
        noteEnd(statement, rows: 0, startedAt: startedAt, failed: false)
    }

    private func bind(_ statement: PreparedStatement, _ values: [SQLValue]) throws {
        switch statement {
        case .sqlite(let statement):
            if mode == .reading, !statement.isReadOnly {
                throw DatabaseError(.readOnly, "a read transaction cannot write", statement: statement.sql)
            }
            try statement.bind(values)
        case .mariaDB(let statement): try statement.bind(values)
        }
    }

    /// Runs a closure during which SQLite refuses to prepare a statement that needs a collation of another program.
    /// Otherwise such a statement fails only when it compares values by the collation.
    package func refusingUnknownCollations<Value>(_ body: () throws -> Value) throws -> Value {
        switch backend {
        case .sqlite(let connection): try connection.refusingUnknownCollations(body)
        case .mariaDB: try body()
        }
    }

    /// Throws if the backend has rolled back the transaction, the job was canceled, or the job's deadline has passed.
    private func checkTransaction(_ sql: String) throws {
        if let reason = interrupt.reason { throw reason.error }
        var isAborted = isAborted
        if case .sqlite(let connection) = backend, mode != .idle, connection.isAutocommit { isAborted = true }
        if isAborted {
            throw DatabaseError(
                .failed, "an earlier error has rolled back the transaction, so no statement can follow", statement: sql
            )
        }
    }

    /// Marks the transaction as aborted if the error is a deadlock. In this case, the server has rolled back the whole
    /// transaction, not only the statement (mariadb.com/kb/en/innodb-lock-modes).
    func note(_ error: any Error) {
        if (error as? DatabaseError)?.isDeadlock == true { isAborted = true }
    }

    func prepare(_ sql: String) throws -> PreparedStatement {
        observer?(.statementCacheMiss(sql: sql))
        switch backend {
        case .sqlite(let connection): return .sqlite(try connection.prepare(sql))
        case .mariaDB(let connection): return .mariaDB(try connection.prepare(sql))
        }
    }

    // MARK: Reports of result sets

    func enqueue(_ statement: MariaDBStatement) {
        if case .mariaDB(let connection) = backend { connection.enqueue(statement) }
    }

    func changes(by statement: PreparedStatement) -> Int {
        switch (statement, backend) {
        case (.mariaDB(let statement), _): statement.changes
        case (.sqlite(let statement), .sqlite(let connection)): statement.isReadOnly ? 0 : connection.changes
        case (.sqlite, .mariaDB): 0
        }
    }

    func report(_ observation: DatabaseObservation) { observer?(observation) }

    func noteStart() -> UInt64 {
        statementCount += 1
        return observer == nil && trace == nil ? 0 : Interrupt.now
    }

    func noteEnd(_ statement: PreparedStatement, rows: Int, startedAt: UInt64, failed: Bool) {
        guard observer != nil || trace != nil else { return }
        let nanoseconds = Interrupt.now &- startedAt
        observer?(
            .statement(sql: statement.sql, rows: rows, nanoseconds: nanoseconds, failed: failed, origin: origin))
        trace?.note(statement, rows: rows, startedAt: startedAt, nanoseconds: nanoseconds, failed: failed)
    }

    func forget(_ resultSet: ResultSet) {
        let pointer = Unmanaged.passUnretained(resultSet).toOpaque()
        if let index = open.lastIndex(where: { $0.toOpaque() == pointer }) { open.remove(at: index) }
    }

    // MARK: Transactions

    /// - Parameter timeout: The timeout of each statement of this transaction.
    func begin(_ mode: Mode, timeout: StatementTimeout) throws {
        statementCount = 0
        isAborted = false
        self.mode = mode
        switch backend {
        case .sqlite(let connection):
            connection.statementTimeout = timeout.nanoseconds(standard: standardTimeout)
            // A write transaction takes the lock when it begins. A transaction that begins as a read and writes later
            // can fail without waiting for the lock (SQLITE_BUSY_SNAPSHOT, 517).
            try connection.control(mode == .writing ? .beginImmediate : .begin)
        case .mariaDB(let connection):
            connection.setStatementTimeout(timeout.nanoseconds(standard: standardTimeout))
            connection.enqueue(
                mode == .writing
                    ? "START TRANSACTION" : "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY")
        }
    }

    /// Begins a read transaction on SQLite. A statement that exceeds the budget throws an error with the code
    /// `timeout`.
    func begin(within budget: ReadBudget, _ deadline: Deadline) throws {
        if case .sqlite(let connection) = backend { connection.bound(by: budget, deadline) }
        try begin(.reading, timeout: .standard)
    }

    /// Sets the budget of the next read in a transaction that an earlier read has begun.
    func resume(within budget: ReadBudget, _ deadline: Deadline) {
        statementCount = 0
        if case .sqlite(let connection) = backend { connection.bound(by: budget, deadline) }
    }

    /// Commits a transaction that may have used up its budget.
    func commitDirectly() throws {
        if case .sqlite(let connection) = backend { connection.unbound() }
        try commit()
    }

    /// Rolls back a transaction that may have used up its budget.
    func rollbackDirectly() throws {
        if case .sqlite(let connection) = backend { connection.unbound() }
        try rollback()
    }

    func commit() throws {
        endResultSets()
        // The closure has caught the error of a statement, but the earlier writes of the transaction are lost. Without
        // the error below, the caller would assume that the writes are committed.
        if mode == .writing, isAborted { throw DatabaseError(.failed, "an error has rolled back the transaction") }
        switch backend {
        case .sqlite(let connection):
            do {
                try Self.commit(on: connection)
            } catch let error as DatabaseError where mode == .reading && error.code == .corrupt {
                // SQLite does not commit after a statement has found damage. A read has nothing to commit.
                try rollback()
            }
        case .mariaDB(let connection):
            if mode == .reading {
                // No caller needs the answer to the COMMIT of a read. The connection reads this answer before the
                // answer to the next request.
                try connection.send("COMMIT")
            } else {
                try Self.commit(on: connection)
            }
        }
        mode = .idle
    }

    /// Commits a write. If the connection is lost before COMMIT is sent, nothing is written. If the connection is lost
    /// between COMMIT and its answer, it is unknown whether the server has committed.
    private static func commit(on connection: MariaDBConnection) throws {
        try connection.send("COMMIT")
        do {
            try connection.readAllAnswers()
        } catch let error as DatabaseError where error.isConnectionLost || error.backendCode?.hasSuffix("/1180") == true
        {
            // Error 1180, "Got error … during COMMIT", does not say whether the transaction was committed.
            throw error.duringCommit
        }
    }

    /// Commits a transaction. If the last sync of the write-ahead log fails, the log may already contain the commit,
    /// and a later recovery may apply the commit. After any other error the transaction is rolled back.
    private static func commit(on connection: SQLiteConnection) throws {
        do {
            try connection.control(.commit)
        } catch let error as DatabaseError where error.isFailedSync {
            throw error.duringCommit
        }
    }

    func rollback() throws {
        endResultSets()
        mode = .idle
        switch backend {
        case .sqlite(let connection):
            // Some errors, such as a full disk, have already rolled back the transaction.
            if !connection.isAutocommit { try connection.control(.rollback) }
        case .mariaDB(let connection): try connection.run("ROLLBACK")
        }
    }

    /// Closes all result sets, because a statement that has not reached its end holds the snapshot.
    func endResultSets() {
        while let last = open.last { last.takeUnretainedValue().close() }
    }

    /// Closes the connection without reading the server's remaining answers.
    func abandon() {
        if case .mariaDB(let connection) = backend { connection.abandon() }
    }

    /// The server's ID of the connection, for `KILL`; 0 on SQLite.
    var threadID: UInt {
        if case .mariaDB(let connection) = backend { connection.threadID } else { 0 }
    }

    func ping() throws {
        if case .mariaDB(let connection) = backend { try connection.ping() }
    }

    /// The state that the pool's watchdog observes; nil on SQLite, which has no server to wait for.
    var watch: ConnectionWatch? {
        if case .mariaDB(let connection) = backend { connection.watch } else { nil }
    }

    /// True if SQLite opened the file read-only because the file was not writable at that moment.
    var cannotWrite: Bool {
        if case .sqlite(let connection) = backend { connection.isReadOnly } else { false }
    }

    /// True if the database's path no longer refers to the file that this connection has open.
    var isReplaced: Bool {
        if case .sqlite(let connection) = backend { connection.isReplaced } else { false }
    }
}
