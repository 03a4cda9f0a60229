internal import CDuetSQLite
import Foundation

/// A `sqlite3` handle. Only one thread at a time uses it, so it is opened without SQLite's mutexes.
final class SQLiteConnection: BackendConnection {
    let handle: OpaquePointer
    private let interrupt: Interrupt
    private let progress: ProgressHandler
    private let unknownCollations = UnknownCollations()
    /// The path of the file, or the URI of a database in memory.
    private let path: String
    private let isInMemory: Bool
    private let access: DatabaseAccess
    /// The identity of the file at the time when the connection was opened.
    private var identity: FileIdentity?

    /// The time limit of a statement in nanoseconds; nil is no limit.
    private var statementTimeout: UInt64?
    /// The end of the transaction's time on the clock of ``Interrupt``; nil is no limit.
    private var transactionDeadline: UInt64?

    /// - Parameter waitsForLocks: False if a statement must fail with `busy` immediately when the database is locked.
    /// - Throws: ``DatabaseError``: `unavailable` for a missing file, `corrupt` for a file that is not a database.
    convenience init(
        path: String, configuration: DatabaseConfiguration, interrupt: Interrupt, waitsForLocks: Bool = true
    ) throws {
        try self.init(path, isInMemory: false, configuration, interrupt, waitsForLocks: waitsForLocks)
    }

    /// Opens a database in memory. If no database with this name exists, it is created.
    /// - Parameters:
    ///   - name: The URI of the database.
    ///   - waitsForLocks: False if a statement must fail with `busy` immediately when the database is locked.
    /// - Throws: ``DatabaseError``.
    convenience init(
        inMemory name: String, configuration: DatabaseConfiguration, interrupt: Interrupt, waitsForLocks: Bool
    ) throws {
        try self.init(name, isInMemory: true, configuration, interrupt, waitsForLocks: waitsForLocks)
    }

    private init(
        _ path: String, isInMemory: Bool, _ configuration: DatabaseConfiguration, _ interrupt: Interrupt,
        waitsForLocks: Bool
    ) throws {
        self.interrupt = interrupt
        progress = ProgressHandler(interrupt)
        self.isInMemory = isInMemory
        self.path = path
        access = configuration.access
        statementTimeout = configuration.statementTimeout?.nanoseconds
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        var opened: OpaquePointer?
        var name = path
        switch access {
        case .readWrite where isInMemory, .existing where isInMemory:
            flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI
        case .readWrite:
            flags |= SQLITE_OPEN_READWRITE
            if configuration.createsMissingFile { flags |= SQLITE_OPEN_CREATE }
            Self.restoreWritePermission(beside: path)
        case .existing: flags |= SQLITE_OPEN_READWRITE
        case .readOnly: flags |= SQLITE_OPEN_READONLY
        case .immutable:
            flags |= SQLITE_OPEN_READONLY
            if let immutable = Self.immutable(path) {
                name = immutable
                flags |= SQLITE_OPEN_URI
            }
        }
        if !isInMemory, let obstacle = Self.obstacle(path, configuration) {
            throw DatabaseError(
                .unavailable, "the SQLite file \(path) \(obstacle)", backendCode: String(SQLITE_CANTOPEN))
        }
        // The identity is read before the file is opened. If the file is replaced between the two calls, ``isReplaced``
        // is then true and the connection is not used.
        let found = isInMemory ? nil : FileIdentity(path)
        let result = sqlite3_open_v2(name, &opened, flags, nil)
        guard result == SQLITE_OK, let opened else {
            let error = DatabaseError.sqlite(result, opened)
            sqlite3_close_v2(opened)
            guard !isInMemory else { throw error }
            throw DatabaseError(
                error.code, "the SQLite file \(path) cannot be opened: \(error.message)", backendCode: error.backendCode
            )
        }
        handle = opened
        do {
            try configure(configuration, waitsForLocks: waitsForLocks)
        } catch let error as DatabaseError where error.code == .readOnly && !configuration.isReadOnly {
            sqlite3_close_v2(opened)
            throw DatabaseError(
                .readOnly,
                "the SQLite file \(path) cannot be written; make the file and the folder of its log writable",
                backendCode: error.backendCode)
        } catch let error as DatabaseError {
            sqlite3_close_v2(opened)
            throw isInMemory ? error : Self.opening(path, failedWith: error)
        }
        identity = isInMemory ? nil : found ?? FileIdentity(path)
    }

    /// Returns the error for a file that cannot be opened. It has no statement, because the caller has not sent one.
    private static func opening(_ path: String, failedWith error: DatabaseError) -> DatabaseError {
        var error = error
        error.statement = nil
        switch error.backendCode.flatMap({ Int32($0) }) {
        case SQLITE_NOTADB: error.message = "the SQLite file \(path) is not a SQLite database, or it is encrypted"
        case SQLITE_BUSY where error.code == .busy:
            error.message =
                "the SQLite file \(path) is locked by another program; end that program, or use a copy of the file"
        default: break
        }
        return error
    }

    /// Returns the rest of an error message if there is no file at the path that can be a database; nil otherwise.
    private static func obstacle(_ path: String, _ configuration: DatabaseConfiguration) -> String? {
        var file = stat()
        if stat(path, &file) == 0 {
            switch file.st_mode & S_IFMT {
            case S_IFREG: break
            case S_IFDIR: return "is a directory; name a file in it"
            // Opening a pipe or a device could wait forever.
            default: return "is not a regular file"
            }
            return faccessat(AT_FDCWD, path, R_OK, 0) == 0 || errno != EACCES
                ? nil : "cannot be opened: this process has no permission to read it"
        }
        switch errno {
        case ENOENT: return missing(path, configuration)
        case ELOOP: return "cannot be opened: its symbolic links lead in a circle"
        case ENOTDIR: return "cannot be opened: a part of its path is a file and not a directory"
        case EACCES: return "cannot be opened: this process has no permission for a directory of its path"
        case ENAMETOOLONG: return "cannot be opened: its path is too long"
        default: return nil
        }
    }

    /// Returns the rest of an error message for a path without a file; nil if the file can be created.
    private static func missing(_ path: String, _ configuration: DatabaseConfiguration) -> String? {
        // SQLite creates a missing file at the destination of a link.
        if !configuration.createsMissingFile,
            let destination = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
        {
            return "cannot be opened: it is a symbolic link to \(destination), which does not exist"
        }
        let directory = (path as NSString).deletingLastPathComponent
        if !directory.isEmpty, faccessat(AT_FDCWD, directory, F_OK, 0) != 0, errno == ENOENT {
            return "cannot be opened: the directory \(directory) does not exist"
        }
        if configuration.createsMissingFile { return nil }
        return "does not exist"
            + (configuration.isReadOnly ? "" : "; to create it, set DatabaseConfiguration.createsMissingFile to true")
    }

    /// Makes the write-ahead log and its index writable for their owner, if this process is the owner.
    ///
    /// SQLite creates both files with the permissions of the database file (sqlite.org/wal.html §7). If the database
    /// file was read-only at that moment, the log is read-only, too, and prevents all later connections from writing. A
    /// read-only index prevents this process from writing as long as it has any connection to the file.
    private static func restoreWritePermission(beside path: String) {
        var file = stat()
        guard stat(path, &file) == 0 else { return }
        for (suffix, isNeeded) in [("-wal", file.st_mode & S_IWUSR != 0), ("-shm", true)] where isNeeded {
            var beside = stat()
            guard stat(path + suffix, &beside) == 0, beside.st_mode & S_IWUSR == 0, beside.st_uid == geteuid() else {
                continue
            }
            // A failure is ignored, because the first write then reports that the file is read-only.
            chmod(path + suffix, beside.st_mode & 0o777 | S_IWUSR)
        }
    }

    /// True if the path no longer refers to the file that this connection has open. Writes to this file would be lost.
    var isReplaced: Bool { !isInMemory && FileIdentity(path) != identity }

    /// Returns the URI that opens a file with the parameter `immutable`, so that SQLite creates no other files
    /// (sqlite.org/uri.html). Without this parameter, reading a file in WAL mode creates a log, even if the file is
    /// opened read-only (sqlite.org/wal.html §9).
    /// - Returns: `nil` if a log or a journal exists, because it is part of the database's content and SQLite would
    ///   ignore it.
    private static func immutable(_ path: String) -> String? {
        let files = FileManager.default
        guard !files.fileExists(atPath: path + "-wal"), !files.fileExists(atPath: path + "-journal"),
            let encoded = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
        else { return nil }
        return "file:\(encoded)?immutable=1"
    }

    private func configure(_ configuration: DatabaseConfiguration, waitsForLocks: Bool) throws {
        progress.install(on: handle)
        if waitsForLocks { try waitForLocks(Unmanaged.passUnretained(interrupt).toOpaque()) }
        try SQLiteFunctions.add(to: handle)
        try SQLiteAggregates.add(to: handle)
        try run("PRAGMA foreign_keys = ON")
        // These options limit the memory independently of the size of the file: a connection caches at most 2 MiB of
        // pages, and the file is not mapped, because mapped pages would remain in memory.
        try run("PRAGMA cache_size = -2048")
        try run("PRAGMA mmap_size = 0")
        // A sort or a grouping of many rows uses temporary files. In memory, SQLite would sort a list whose elements
        // are spread over hundreds of megabytes, which takes four times as long.
        try run("PRAGMA temp_store = \(TemporaryFiles.folder == nil ? "MEMORY" : "DEFAULT")")
        if access.isReadOnly {
            try unknownCollations.add(to: handle)
            try run("PRAGMA query_only = ON")
        } else if access == .readWrite, !isInMemory {
            // The write-ahead log allows reads during a write (sqlite.org/wal.html).
            try switchToWriteAheadLog(within: waitsForLocks ? configuration.connectTimeout : .zero)
            try run("PRAGMA synchronous = FULL")
        }
    }

    /// Makes statements wait for the locks of other connections in steps of a few milliseconds, so that a deadline or a
    /// cancellation can end the wait.
    private func waitForLocks(_ context: UnsafeMutableRawPointer) throws {
        let status = sqlite3_busy_handler(
            handle,
            { context, attempts in
                guard let context, attempts < 2_000 else { return 0 }
                if Unmanaged<Interrupt>.fromOpaque(context).takeUnretainedValue().mustStop { return 0 }
                sqlite3_sleep(attempts < 10 ? 1 : 5)
                return 1
            }, context)
        guard status == SQLITE_OK else { throw DatabaseError.sqlite(status, handle) }
    }

    /// Switches the file to WAL mode permanently. The switch needs exclusive access to the file, and SQLite does not
    /// wait for this access, so the function retries until the timeout. If several connections try to switch at the
    /// same time, one connection switches and the others detect the new mode.
    private func switchToWriteAheadLog(within timeout: Duration) throws {
        let end = Interrupt.now + timeout.nanoseconds
        while try journalMode() != "wal" {
            do {
                try run("PRAGMA journal_mode = WAL")
                return
            } catch let error as DatabaseError where error.code == .busy && Interrupt.now < end {
                sqlite3_sleep(Int32.random(in: 5...25))
            }
        }
    }

    /// Returns the journal mode of the file in lower case: `wal`, `delete` and so on.
    func journalMode() throws -> String {
        let statement = try SQLiteStatement("PRAGMA journal_mode", on: self)
        statement.start()
        defer { statement.reset() }
        guard try statement.step(), case .text(let bytes) = statement.column(0) else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    deinit {
        // The connection's statements are finalized later. `sqlite3_close_v2` therefore defers the release of the
        // handle until the last statement is finalized.
        sqlite3_close_v2(handle)
    }

    /// Runs SQL text without parameters and discards its rows.
    func run(_ sql: String) throws {
        obey(deadline)
        let result = sqlite3_exec(handle, sql, nil, nil, nil)
        guard result == SQLITE_OK else { throw failure(result, statement: sql) }
    }

    func prepare(_ sql: String) throws -> any PreparedStatement { try SQLiteStatement(sql, on: self) }

    func begin(_ mode: TransactionMode, statementTimeout: UInt64?) throws {
        self.statementTimeout = statementTimeout
        // A write transaction takes the lock when it begins. A transaction that begins as a read and writes later can
        // fail without waiting for the lock (SQLITE_BUSY_SNAPSHOT, 517).
        try control(mode == .writing ? .beginImmediate : .begin)
    }

    /// Commits a transaction. If the last sync of the write-ahead log fails, the log may already contain the commit,
    /// and a later recovery may apply the commit. After any other error the transaction is rolled back.
    func commit(_ mode: TransactionMode) throws {
        do {
            try control(.commit)
        } catch let error as DatabaseError where error.isFailedSync {
            throw error.duringCommit
        } catch let error as DatabaseError where mode == .reading && error.code == .corrupt {
            // SQLite does not commit after a statement has found damage. A read has nothing to commit.
            try rollback()
        }
    }

    func rollback() throws {
        // Some errors, such as a full disk, have already rolled back the transaction.
        if !hasLostTransaction { try control(.rollback) }
    }

    func checkDeferredConstraints() throws {
        var (current, highest) = (Int32(0), Int32(0))
        // The value is zero if and only if no foreign key is violated (sqlite.org/c3ref/c_dbstatus_options.html).
        guard sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0) == SQLITE_OK,
            current > 0
        else { return }
        throw DatabaseError(
            .foreignKeyViolation, "FOREIGN KEY constraint failed", backendCode: String(Self.foreignKeyConstraint),
            statement: Control.commit.rawValue)
    }

    /// The statements that control a transaction. Each of them is prepared only once per connection, because every
    /// transaction uses some of them.
    private enum Control: String {
        case begin = "BEGIN"
        case beginImmediate = "BEGIN IMMEDIATE"
        case commit = "COMMIT"
        case rollback = "ROLLBACK"
    }

    private var controls: [Control: SQLiteStatement] = [:]

    private func control(_ control: Control) throws {
        let statement: SQLiteStatement
        if let prepared = controls[control] {
            statement = prepared
        } else {
            statement = try SQLiteStatement(control.rawValue, on: self)
            controls[control] = statement
        }
        statement.startControl()
        defer { statement.reset() }
        _ = try statement.step()
    }

    /// The number of rows changed by the last statement that changes rows.
    var changes: Int { Int(sqlite3_changes64(handle)) }

    /// True if this connection cannot write the file, although write access was requested. SQLite opens a file without
    /// write permission read-only (sqlite.org/c3ref/open.html), and the connection remains read-only. If the
    /// permissions have changed, a new connection can write.
    var isReadOnly: Bool { !access.isReadOnly && sqlite3_db_readonly(handle, "main") == 1 }

    /// True if the connection is outside any transaction.
    /// Each commit that changes the file writes at least one page.
    var writtenPages: Int {
        var (pages, highest): (CInt, CInt) = (0, 0)
        sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &pages, &highest, 0)
        return Int(pages)
    }

    var hasLostTransaction: Bool { sqlite3_get_autocommit(handle) != 0 }

    /// Sets the budget and the deadline of the statements that follow. They apply until the next call, or until a call
    /// of ``unbound()``.
    func bound(by budget: ReadBudget, _ deadline: Deadline) {
        transactionDeadline = min(Interrupt.now + budget.time.nanoseconds, deadline.uptimeNanoseconds)
        interrupt.setLooks(budget.steps / ProgressHandler.interval)
    }

    /// Removes the budget and the deadline.
    func unbound() {
        transactionDeadline = nil
        interrupt.setLooks(.max)
    }

    /// The deadline of a statement that begins now, on the clock of ``Interrupt``; 0 for none.
    var deadline: UInt64 { transactionDeadline ?? statementTimeout.map { Interrupt.now + $0 } ?? 0 }

    /// Sets the deadline that applies while a statement is executed. Several statements with different deadlines may be
    /// open, so each step sets the deadline of its statement.
    /// - Parameter scan: The counts of the statement that is executed next; nil for a statement without a limit.
    @inline(__always)
    func obey(_ deadline: UInt64, counting scan: UnsafeMutablePointer<ScanCounts>? = nil) {
        count(scan)
        guard deadline != obeyed else { return }
        obeyed = deadline
        interrupt.setStatementDeadline(deadline)
    }

    private var obeyed: UInt64 = 0

    /// The maximum number of rows that a statement which begins now may examine without returning them; nil for no
    /// limit.
    private(set) var maximumScan: Int?

    func limitScans(to count: Int?) { maximumScan = count }

    func explain(_ statement: String) throws -> ScanExplanation? {
        let plan = try SQLiteStatement("EXPLAIN QUERY PLAN " + statement, on: self)
        plan.start()
        defer { plan.reset() }
        var explanation = ScanExplanation()
        // The text of a step is in the last column (sqlite.org/eqp.html).
        while try plan.step() {
            guard case .text(let bytes) = plan.column(3) else { continue }
            let step = String(decoding: bytes, as: UTF8.self)
            if step.hasPrefix("SCAN ") { explanation.scansTables = true }
            if step.hasPrefix("USE TEMP B-TREE"), step.hasSuffix("ORDER BY") { explanation.sorts = true }
        }
        return explanation
    }

    /// Sets the counts of the statement that is executed next; nil for a statement without a limit.
    @inline(__always)
    func count(_ scan: UnsafeMutablePointer<ScanCounts>?) {
        if progress.scan != scan { progress.scan = scan }
    }

    /// Checks that no values have been compared by an unknown collation.
    /// - Throws: ``DatabaseError``.
    @inline(__always)
    func checkCollations(statement: String) throws {
        if unknownCollations.compared != nil { try failComparison(statement) }
    }

    /// Runs a closure during which statements that need an unknown collation are refused.
    func refusingUnknownCollations<Value>(_ body: () throws -> Value) throws -> Value {
        let (value, mustReload) = try unknownCollations.suspend(on: handle, body)
        // This pragma makes SQLite read the schema again (sqlite.org/pragma.html#pragma_writable_schema).
        if mustReload { try run("PRAGMA writable_schema = RESET") }
        return value
    }

    @inline(never)
    private func failComparison(_ statement: String) throws {
        guard let name = unknownCollations.compared else { return }
        unknownCollations.reset()
        // The message and the code are those of SQLite for a connection without stand-ins.
        throw DatabaseError(
            .syntax, "no such collation sequence: \(name)", backendCode: String(SQLITE_ERROR), statement: statement)
    }

    func failure(_ result: Int32, statement: String?) -> DatabaseError {
        var error = DatabaseError.sqlite(result, handle, statement: statement)
        let base = result & 0xFF
        if access.isReadOnly, let obstacle = obstacle(to: error) {
            error.code = .unavailable
            error.message = obstacle
        }
        if base == SQLITE_INTERRUPT || base == SQLITE_BUSY {
            error.waitedForLock = base == SQLITE_BUSY
            if let reason = interrupt.reason {
                error.code = reason == .cancelled ? .cancelled : .timeout
                error.message = "the statement was stopped"
            } else if base == SQLITE_INTERRUPT, let scan = progress.scan?.pointee, scan.isExceeded {
                error = .scanTooLarge(limit: scan.limit, statement: statement)
            } else if interrupt.isStatementOverdue || interrupt.isExhausted {
                error.code = .timeout
                error.message = "the statement exceeded its time limit"
            } else if base == SQLITE_BUSY, isInMemory {
                error.message +=
                    "; a read or a stream of this database in memory is in progress; end it before the write, or use a file"
            }
        }
        return error
    }

    /// The path of the file after resolving symbolic links. SQLite creates the journal and the log in the directory of
    /// this file.
    var fileName: String { sqlite3_db_filename(handle, "main").map { String(cString: $0) } ?? path }

    /// Returns a message with the reason for which a file cannot be opened read-only, and the remedy; `nil` for any
    /// other error.
    private func obstacle(to error: DatabaseError) -> String? {
        switch error.backendCode.flatMap({ Int32($0) }) {
        case Self.readOnlyRollback:
            "the SQLite file \(path) cannot be read: a program has ended in the middle of a transaction, and its "
                + "journal \(fileName)-journal must be rolled back; open the file once with a program that may write it"
        case Self.readOnlyRecovery, Self.readOnlyCannotInitialize:
            "the SQLite file \(path) cannot be read: its write-ahead log \(fileName)-wal must be recovered; "
                + "open the file once with a program that may write it"
        case SQLITE_CANTOPEN, Self.readOnlyDirectory:
            "the SQLite file \(path) cannot be read: this user may not read or create \(fileName)-wal and "
                + "\(fileName)-shm, which WAL mode needs; allow this user to write the folder, or keep the file "
                + "open with a program that may write it, or leave WAL mode (PRAGMA journal_mode = DELETE)"
        default: nil
        }
    }

    /// `SQLITE_CONSTRAINT_FOREIGNKEY`.
    private static let foreignKeyConstraint: Int32 = 787
    /// `SQLITE_READONLY_ROLLBACK`.
    private static let readOnlyRollback: Int32 = 776
    /// `SQLITE_READONLY_RECOVERY`.
    private static let readOnlyRecovery: Int32 = 264
    /// `SQLITE_READONLY_DIRECTORY`.
    private static let readOnlyDirectory: Int32 = 1544
    /// `SQLITE_READONLY_CANTINIT`.
    private static let readOnlyCannotInitialize: Int32 = 1288
}
