/// A connection that a function of ``Database``, such as ``Database/read(timeout:deadline:origin:_:)``, passes to a
/// closure inside one transaction.
///
/// A connection must not leave the closure. All calls block the thread on which the closure runs. This is a thread of
/// the pool, or the thread that calls ``Database/readDirectly(within:deadline:origin:_:)``.
public final class Connection {
    private let backend: any BackendConnection
    /// The SQL dialect of this connection.
    public let dialect: Dialect
    let cache: StatementCache
    private let observer: DatabaseObserver?
    private let standardTimeout: Duration?
    private let interrupt: Interrupt
    /// True if the backend has rolled back the transaction itself. Later statements would run outside the transaction.
    private var isAborted = false
    /// The kind of the current transaction; nil outside a transaction.
    private(set) var mode: TransactionMode?
    /// True if the connection must not be used again because its transaction could not be ended.
    var isBroken = false
    /// The open result sets, each of which holds a statement. The connection closes them at the end of the transaction.
    private var open: [Unmanaged<ResultSet>] = []
    /// The origin of the transaction, for the observer.
    var origin = TransactionOrigin.unspecified
    /// The trace that records the statements of the transaction; nil if no trace is requested.
    var trace: StatementTrace?
    /// The spans of the statements of the transaction; nil without a tracer, and outside a span.
    var spans: StatementSpans?
    /// The arguments of the parameters for which a query has no argument. They are removed when a transaction begins.
    package var sharedArguments = Arguments()
    /// The number of statements since the transaction began, without BEGIN and COMMIT.
    public private(set) var statementCount = 0
    /// The number of values that were written as null since the connection was opened, because they do not have the
    /// declared type of their field.
    package var nullifiedValues = 0
    /// See ``limitScans(to:)``.
    private var maximumScan: Int?
    /// The tables that the statements of the write transaction have changed.
    private(set) var changedTables = ChangedTables()
    /// The records of the program's own commits; nil if no one watches for commits.
    var ownCommits: OwnCommits?

    init(
        _ backend: any BackendConnection, _ dialect: Dialect, configuration: DatabaseConfiguration,
        interrupt: Interrupt, observer: DatabaseObserver?
    ) {
        self.backend = backend
        self.dialect = dialect
        self.interrupt = interrupt
        self.observer = observer
        standardTimeout = configuration.statementTimeout
        cache = StatementCache(capacity: configuration.statementCacheCapacity)
    }

    /// The number of network round trips since the connection was opened. A round trip is one or more writes to the
    /// socket and the wait for the answer. Always 0 on SQLite.
    package var roundTrips: Int { backend.roundTrips }

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
        if mode != .reading { changedTables.add(entry.parameters.target) }
        var shape: [Parameters.ListShape] = []
        let values = try entry.parameters.values(for: arguments, sharedArguments) { shape.append($0) }
        let statement: any PreparedStatement
        if let cached = entry.take(shape) {
            observer?(.statementCacheHit)
            statement = cached
        } else {
            statement = try prepare(entry.parameters.text(of: shape, dialect))
            entry.notePrepared(statement)
        }
        do {
            try bind(statement, values[...])
        } catch {
            entry.giveBack(statement, shape: shape)
            throw error
        }
        let resultSet = ResultSet(statement, entry: entry, shape: shape, connection: self)
        open.append(Unmanaged.passUnretained(resultSet))
        return resultSet
    }

    /// Returns the parsed text of a statement from the statement cache.
    /// - Throws: ``DatabaseError`` with the code `parameter` for a text that cannot be parsed.
    package func parameters(of sql: String) throws -> Parameters { try cache.entry(for: sql).parameters }

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

    /// Runs a statement that returns a text in its first column.
    /// - Returns: The text of the first row; nil without a row, and for a value that is not a text.
    /// - Throws: ``DatabaseError``.
    func text(_ sql: String) throws -> String? {
        let row = try query(sql)
        defer { row.close() }
        guard try row.next(), case .text(let text) = row.value(at: 0) else { return nil }
        return text
    }

    /// Starts several queries at once. On MariaDB, the queries are sent together, so that all of them take one round
    /// trip. On SQLite, which has no round trips, each query starts when its first row is read.
    ///
    /// The queries can be read in any order. Unread rows that precede the rows of another query are buffered in memory.
    /// - Throws: ``DatabaseError`` if the connection is lost. If one of the statements fails, its result set throws the
    ///   error.
    public func start(_ resultSets: [ResultSet]) throws {
        guard !dialect.isEmbedded else { return }
        for resultSet in resultSets { try resultSet.start() }
        try backend.flush()
    }

    /// Runs a text of several statements without parameters, such as a schema.
    /// - Throws: ``DatabaseError``. On MariaDB each `CREATE` commits the statements before it.
    public func executeScript(_ script: String) throws {
        for statement in try SQLScript(script).statements { try executeUnparsed(statement) }
    }

    /// Runs one statement without parameters, whose text is not parsed. It can contain semicolons, as the definition of
    /// a trigger does.
    /// - Throws: ``DatabaseError``.
    package func executeUnparsed(_ statement: String) throws {
        try checkTransaction(statement)
        guard mode != .reading else {
            throw DatabaseError(.readOnly, "a script needs a write transaction", statement: statement)
        }
        changedTables.add(.unknown)
        do {
            try backend.run(statement)
        } catch {
            note(error)
            throw error
        }
    }

    /// Runs a statement that returns no rows.
    func run(_ statement: any PreparedStatement, values: [SQLValue]) throws {
        var completed = 0
        try run(statement, values: values, times: 1, completed: &completed)
    }

    /// Runs a statement several times, each time with the next values. For the time limit, the observer and the trace,
    /// the executions are one statement.
    /// - Parameters:
    ///   - completed: Is increased with each execution that has ended without an error.
    ///   - row: Is called for each row that the statement returns.
    func run(
        _ statement: any PreparedStatement, values: [SQLValue], times: Int, completed: inout Int,
        row: () -> Void = {}
    ) throws {
        try checkTransaction(statement.sql)
        if mode != .reading { changedTables.add(StatementTarget(of: statement.sql)) }
        let startedAt = noteStart()
        var rows = 0
        defer { statement.reset() }
        do {
            let count = statement.parameterCount
            for execution in 0..<times {
                if execution > 0 {
                    if let reason = interrupt.reason { throw reason.error }
                    statement.rewind()
                }
                let start = execution * count
                try bind(statement, times == 1 ? values[...] : values[start..<start + count])
                statement.start()
                while try statement.step() {
                    rows += 1
                    row()
                }
                completed += 1
            }
        } catch {
            noteEnd(statement, of: nil, rows: rows, startedAt: startedAt, error: error)
            note(error)
            throw error
        }
        noteEnd(statement, of: nil, rows: rows, startedAt: startedAt, error: nil)
    }

    private func bind(_ statement: any PreparedStatement, _ values: ArraySlice<SQLValue>) throws {
        if mode == .reading, statement.isRefusedInReads {
            throw DatabaseError(.readOnly, "a read transaction cannot write", statement: statement.sql)
        }
        try statement.bind(values)
    }

    /// Checks the constraints that a commit of the current transaction checks, such as deferred foreign keys.
    /// - Throws: ``DatabaseError``, the error of the commit.
    package func checkDeferredConstraints() throws { try backend.checkDeferredConstraints() }

    /// Runs a closure during which SQLite refuses to prepare a statement that needs a collation of another program.
    /// Otherwise such a statement fails only when it compares values by the collation.
    package func refusingUnknownCollations<Value>(_ body: () throws -> Value) throws -> Value {
        try backend.refusingUnknownCollations(body)
    }

    /// Throws if the backend has rolled back the transaction, the job was canceled, or the job's deadline has passed.
    private func checkTransaction(_ sql: String) throws {
        if let reason = interrupt.reason { throw reason.error }
        if isAborted || (mode != nil && backend.hasLostTransaction) {
            throw DatabaseError(
                .failed, "an earlier error has rolled back the transaction, so no statement can follow", statement: sql
            )
        }
    }

    /// Marks the transaction as aborted if the server has rolled back the whole transaction, not only the statement
    /// (mariadb.com/kb/en/innodb-lock-modes).
    func note(_ error: any Error) {
        if (error as? DatabaseError)?.endsTransaction == true { isAborted = true }
    }

    func prepare(_ sql: String) throws -> any PreparedStatement {
        observer?(.statementCacheMiss(sql: sql))
        do {
            return try backend.prepare(sql)
        } catch {
            note(error)
            throw error
        }
    }

    // MARK: Reports of result sets

    func report(_ observation: DatabaseObservation) { observer?(observation) }

    func noteStart() -> UInt64 {
        statementCount += 1
        return observer == nil && trace == nil && spans == nil ? 0 : Interrupt.now
    }

    /// - Parameters:
    ///   - entry: The cached text of the statement; nil if the text is not cached.
    ///   - error: The error that ended the statement; nil if it has succeeded.
    func noteEnd(
        _ statement: any PreparedStatement, of entry: StatementCache.Entry?, rows: Int, startedAt: UInt64,
        error: (any Error)?
    ) {
        guard observer != nil || trace != nil || spans != nil else { return }
        let nanoseconds = Interrupt.now &- startedAt
        let failed = error != nil
        observer?(
            .statement(sql: statement.sql, rows: rows, nanoseconds: nanoseconds, failed: failed, origin: origin))
        trace?.note(statement, rows: rows, startedAt: startedAt, nanoseconds: nanoseconds, failed: failed)
        spans?.add(statement, of: entry, nanoseconds: nanoseconds, error: error)
    }

    func forget(_ resultSet: ResultSet) {
        let pointer = Unmanaged.passUnretained(resultSet).toOpaque()
        if let index = open.lastIndex(where: { $0.toOpaque() == pointer }) { open.remove(at: index) }
    }

    // MARK: Transactions

    /// - Parameter timeout: The timeout of each statement of this transaction.
    func begin(_ mode: TransactionMode, timeout: StatementTimeout) throws {
        statementCount = 0
        isAborted = false
        changedTables = ChangedTables()
        if !sharedArguments.isEmpty { sharedArguments = Arguments() }
        limitScans(to: nil)
        self.mode = mode
        try backend.begin(mode, statementTimeout: timeout.nanoseconds(standard: standardTimeout))
    }

    /// Sets the maximum number of rows that each statement which starts from now on can examine without returning them.
    /// A statement that examines more rows fails with the code `scan-too-large`. The limit holds until the next call or
    /// the end of the transaction. A write transaction has no limit, except in ``limitingScans(to:_:)``.
    ///
    /// The verdict depends only on the statement, the schema and the rows, not on time or on estimates.
    /// - Parameter count: The maximum number; nil for no limit.
    package func limitScans(to count: Int?) {
        maximumScan = mode == .reading ? count : nil
        backend.limitScans(to: maximumScan)
    }

    /// Runs a closure with a maximum number of rows that each of its statements can examine without returning them. The
    /// limit also holds in a write transaction. See ``limitScans(to:)``.
    /// - Parameter count: The maximum number; nil for no limit.
    package func limitingScans<Value>(to count: Int?, _ body: () throws -> Value) rethrows -> Value {
        backend.limitScans(to: count)
        defer { backend.limitScans(to: maximumScan) }
        return try body()
    }

    /// Starts a statement with a maximum number of examined rows of its own.
    /// - Parameter count: The maximum number; nil for no limit.
    func start(_ statement: any PreparedStatement, limitingScansTo count: Int?) {
        guard mode == .reading else { return statement.start() }
        backend.limitScans(to: count)
        defer { backend.limitScans(to: maximumScan) }
        statement.start()
    }

    /// Returns the way in which the database reads the rows of a statement. The statement is not executed.
    /// - Parameter statement: The text with placeholders, as in ``DatabaseError/statement``.
    /// - Returns: nil if the database does not report it without the arguments of the statement.
    package func explain(_ statement: String) -> ScanExplanation? { try? backend.explain(statement) }

    /// Begins a read transaction. A statement that exceeds the budget throws an error with the code `timeout`.
    func begin(within budget: ReadBudget, _ deadline: Deadline) throws {
        backend.bound(by: budget, deadline)
        try begin(.reading, timeout: .standard)
    }

    /// Sets the budget of the next read in a transaction that an earlier read has begun.
    func resume(within budget: ReadBudget, _ deadline: Deadline) {
        statementCount = 0
        if !sharedArguments.isEmpty { sharedArguments = Arguments() }
        limitScans(to: nil)
        backend.bound(by: budget, deadline)
    }

    /// Commits a transaction that may have used up its budget.
    func commitDirectly() throws {
        backend.unbound()
        try commit()
    }

    /// Rolls back a transaction that may have used up its budget.
    func rollbackDirectly() throws {
        backend.unbound()
        try rollback()
    }

    func commit() throws {
        endResultSets()
        // The closure has caught the error of a statement, but the earlier writes of the transaction are lost. Without
        // the error below, the caller would assume that the writes are committed.
        if mode == .writing, isAborted { throw DatabaseError(.failed, "an error has rolled back the transaction") }
        if let mode {
            // Without a changed table, the watch must report the commit, because a function of the database may have
            // written.
            if mode == .writing, let ownCommits, changedTables.names != [] {
                try ownCommits.recording(backend.writtenPages) { try backend.commit(mode) }
            } else {
                try backend.commit(mode)
            }
        }
        mode = nil
    }

    func rollback() throws {
        endResultSets()
        mode = nil
        isAborted = false
        try backend.rollback()
    }

    /// Closes all result sets, because a statement that has not reached its end holds the snapshot.
    func endResultSets() {
        while let last = open.last { last.takeUnretainedValue().close() }
    }

    /// Closes the connection without reading the server's remaining answers.
    func abandon() { backend.abandon() }

    /// The server's ID of the connection, for ``Backend/kill(_:_:)``; 0 without a server.
    var threadID: UInt { backend.threadID }

    func ping() throws { try backend.ping() }

    /// The state that the pool's watchdog observes; nil without a server to wait for.
    var watch: ConnectionWatch? { backend.watch }

    /// True if the file was opened read-only because it was not writable at that moment.
    var cannotWrite: Bool { backend.isReadOnly }

    /// True if the database's path no longer refers to the file that this connection has open.
    var isReplaced: Bool { backend.isReplaced }
}
