/// One connection, lent to a closure of ``Database/read(_:)`` or ``Database/write(_:)`` inside one transaction.
///
/// It must not leave the closure. All calls block the thread that they are made on: one of the pool's, or that of a direct read.
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
    /// Whether the backend has rolled the transaction back by itself, so that what follows would stand alone.
    private var isAborted = false
    private(set) var mode = Mode.idle
    /// Whether it must not be used again: its transaction could not be ended.
    var isBroken = false
    /// Result sets that hold a statement; ended with the transaction.
    private var open: [Unmanaged<ResultSet>] = []
    /// Of the transaction, for the observer.
    var origin = TransactionOrigin.unspecified
    /// Is told the transaction's statements; none unless somebody debugs.
    var trace: StatementTrace?
    /// Statements run since the transaction began, without BEGIN and COMMIT.
    public private(set) var statementCount = 0

    init(
        _ backend: Backend, configuration: DatabaseConfiguration, interrupt: Interrupt, observer: DatabaseObserver?
    ) {
        self.backend = backend
        self.interrupt = interrupt
        self.observer = observer
        standardTimeout = configuration.statementTimeout
        cache = StatementCache(capacity: configuration.statementCacheCapacity)
    }

    /// The dialect of SQL of this connection.
    public var dialect: Dialect {
        switch backend {
        case .sqlite: .sqlite
        case .mariaDB: .mariaDB
        }
    }

    /// Writes followed by a wait for an answer since the connection was opened; always 0 on SQLite.
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
    /// - Throws: ``DatabaseError``: `parameter`, `syntax`, or `read-only` for a statement that writes in a read.
    public func query(_ sql: String, _ arguments: Arguments = [:]) throws -> ResultSet {
        try checkTransaction(sql)
        let entry = try cache.entry(for: sql)
        let parameters = entry.parameters
        var shape: [Parameters.ListShape] = []
        let values = try parameters.values(for: arguments) { shape.append($0) }
        let statement: PreparedStatement
        if let cached = entry.take(shape) {
            observer?(.statementCacheHit)
            statement = cached
        } else {
            statement = try prepare(parameters.text(of: shape, dialect))
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

    /// The names of a statement's parameters. A text that is run often is parsed once.
    /// - Throws: ``DatabaseError`` with code `parameter` for a text that cannot be parsed.
    package func parameterNames(of sql: String) throws -> [String] { try cache.entry(for: sql).parameters.names }

    /// Runs a statement to its end.
    /// - Returns: The number of rows that it changed (on MariaDB: matched).
    /// - Throws: ``DatabaseError``.
    @discardableResult
    public func execute(_ sql: String, _ arguments: Arguments = [:]) throws -> Int {
        let resultSet = try query(sql, arguments)
        defer { resultSet.close() }
        while try resultSet.next() {}
        return resultSet.changes
    }

    /// Starts several queries at once: on MariaDB they travel in one packet burst, so that together they cost one round
    /// trip. On SQLite, where there is nothing to wait for, they start when read.
    ///
    /// They may be read in any order; rows that are in the way of others are kept in memory until they are read.
    /// - Throws: ``DatabaseError`` if the connection is lost; a statement's own failure comes from its result set.
    public func start(_ resultSets: [ResultSet]) throws {
        guard case .mariaDB(let connection) = backend else { return }
        for resultSet in resultSets { try resultSet.start() }
        try connection.flush()
    }

    /// Runs a text of several statements without parameters, such as a schema.
    /// - Throws: ``DatabaseError``. On MariaDB each `CREATE` commits what came before it.
    public func executeScript(_ script: String) throws {
        for statement in try SQLScript(script).statements {
            try checkTransaction(statement)
            guard mode != .reading else {
                throw DatabaseError(.readOnly, "a read transaction takes no script", statement: statement)
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

    /// Runs a statement that gives no rows.
    func run(_ statement: PreparedStatement, values: [SQLValue]) throws {
        try checkTransaction(statement.sql)
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
            note(error)
            throw error
        }
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

    /// Makes sure that a statement would still be part of the transaction, and that somebody waits for it.
    private func checkTransaction(_ sql: String) throws {
        if let reason = interrupt.reason { throw reason.error }
        var isAborted = isAborted
        if case .sqlite(let connection) = backend, mode != .idle, connection.isAutocommit { isAborted = true }
        if isAborted {
            throw DatabaseError(
                .failed, "an earlier error has rolled the transaction back, so nothing can follow in it", statement: sql
            )
        }
    }

    /// A deadlock's victim has lost its whole transaction, not only the statement
    /// (mariadb.com/kb/en/innodb-lock-modes).
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

    // MARK: What result sets tell

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

    /// - Parameter timeout: for each statement of this transaction.
    func begin(_ mode: Mode, timeout: StatementTimeout) throws {
        statementCount = 0
        isAborted = false
        self.mode = mode
        switch backend {
        case .sqlite(let connection):
            connection.statementTimeout = timeout.nanoseconds(standard: standardTimeout)
            // A write takes the lock at once: a read that turns into a write can fail without waiting (517).
            try connection.control(mode == .writing ? .beginImmediate : .begin)
        case .mariaDB(let connection):
            connection.setStatementTimeout(timeout.nanoseconds(standard: standardTimeout))
            connection.enqueue(
                mode == .writing
                    ? "START TRANSACTION" : "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY")
        }
    }

    /// Begins a read transaction on SQLite that ends with an error of the code `timeout` if it exceeds a budget.
    func begin(within budget: ReadBudget) throws {
        if case .sqlite(let connection) = backend { connection.bound(by: budget) }
        try begin(.reading, timeout: .standard)
    }

    /// Bounds the next read of a transaction that an earlier read has begun.
    func resume(within budget: ReadBudget) {
        statementCount = 0
        if case .sqlite(let connection) = backend { connection.bound(by: budget) }
    }

    /// Commits a transaction that may be at the end of its budget.
    func commitDirectly() throws {
        if case .sqlite(let connection) = backend { connection.bound(by: nil) }
        try commit()
    }

    /// Rolls back a transaction that may be at the end of its budget.
    func rollbackDirectly() throws {
        if case .sqlite(let connection) = backend { connection.bound(by: nil) }
        try rollback()
    }

    func commit() throws {
        endResultSets()
        // The closure has swallowed the error: it must not look as if its writes were there.
        if mode == .writing, isAborted { throw DatabaseError(.failed, "an error has rolled the transaction back") }
        switch backend {
        case .sqlite(let connection): try Self.commit(on: connection)
        case .mariaDB(let connection):
            if mode == .reading {
                // Nothing hangs on the answer of a read's COMMIT, so nobody waits for it: it is read before the next.
                try connection.send("COMMIT")
            } else {
                try Self.commit(on: connection)
            }
        }
        mode = .idle
    }

    /// Commits a write. If the connection is lost before COMMIT has been sent, nothing is written; if it is lost between that
    /// and the answer, the server may have committed or not.
    private static func commit(on connection: MariaDBConnection) throws {
        try connection.send("COMMIT")
        do {
            try connection.readAllAnswers()
        } catch let error as DatabaseError where error.isConnectionLost || error.backendCode?.hasSuffix("/1180") == true
        {
            // 1180, "Got error … during COMMIT", does not say how far the server came.
            throw error.duringCommit
        }
    }

    /// Commits. If the last sync of the write-ahead log fails, the log may hold the commit already, and a later recovery may
    /// apply it; after any other error the transaction is rolled back.
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
            // Some errors (disk full, for one) have rolled back already.
            if !connection.isAutocommit { try connection.control(.rollback) }
        case .mariaDB(let connection): try connection.run("ROLLBACK")
        }
    }

    /// Statements still at a row would keep the snapshot.
    func endResultSets() {
        while let last = open.last { last.takeUnretainedValue().close() }
    }

    /// Breaks the connection off without reading what the server still has to say.
    func abandon() {
        if case .mariaDB(let connection) = backend { connection.abandon() }
    }

    /// The server's number of the connection, for `KILL`; 0 on SQLite.
    var threadID: UInt {
        if case .mariaDB(let connection) = backend { connection.threadID } else { 0 }
    }

    func ping() throws {
        if case .mariaDB(let connection) = backend { try connection.ping() }
    }

    /// What the pool's watchdog looks at; none on SQLite, which hangs on nobody.
    var watch: ConnectionWatch? {
        if case .mariaDB(let connection) = backend { connection.watch } else { nil }
    }

    /// Returns true if the file was opened for reading only, because it could not be written at that moment.
    var cannotWrite: Bool {
        if case .sqlite(let connection) = backend { connection.isReadOnly } else { false }
    }

    /// Whether what it has open is no longer what stands at the database's path.
    var isReplaced: Bool {
        if case .sqlite(let connection) = backend { connection.isReplaced } else { false }
    }
}
