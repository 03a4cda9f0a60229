internal import CDuetSQLite
import Foundation

/// A connection to a SQLite file. Only one task at a time may use it.
final class SQLiteFile {
    /// The content of a file, for the messages of errors.
    enum Content {
        /// A cache, whose data can be fetched again.
        case cache
        /// Writes without an answer, which cannot be restored.
        case pendingWrites
    }

    private let handle: OpaquePointer
    private let path: String
    private let content: Content

    /// Opens a file, or creates it.
    /// - Throws: ``CacheError``.
    init(path: String, content: Content = .cache) throws(CacheError) {
        self.path = path
        self.content = content
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let status = sqlite3_open_v2(path, &opened, flags, nil)
        guard status == SQLITE_OK, let opened else {
            let error = Self.error(status, opened, path, content)
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        // Transactions of other processes take a few milliseconds, so a timeout of 5 seconds is sufficient.
        sqlite3_busy_timeout(handle, 5_000)
    }

    deinit { sqlite3_close_v2(handle) }

    /// Runs statements without parameters and ignores their rows.
    func run(_ sql: String) throws(CacheError) {
        try check(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    func prepare(_ sql: String) throws(CacheError) -> Statement {
        var pointer: OpaquePointer?
        try check(sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &pointer, nil))
        guard let pointer else { throw CacheError(.unavailable, "SQLite did not prepare a statement.") }
        return Statement(pointer, self)
    }

    /// Returns the number in the first column of the first row, or 0 if there is no row.
    func number(_ sql: String) throws(CacheError) -> Int64 {
        let statement = try prepare(sql)
        return try statement.step() ? statement.number(0) : 0
    }

    /// Begins a write transaction, which blocks the write transactions of other processes.
    func begin() throws(CacheError) { try run("BEGIN IMMEDIATE") }

    /// Rolls back the current transaction, if there is one.
    func rollBack() {
        // After some errors, the transaction has already ended.
        if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
    }

    /// Runs a closure in the current transaction or, if there is none, in a new transaction. Commits the transaction if
    /// the closure returns, and rolls it back if the closure throws.
    func write(_ body: () throws(CacheError) -> Void) throws(CacheError) {
        if sqlite3_get_autocommit(handle) != 0 { try begin() }
        do throws(CacheError) {
            try body()
            try run("COMMIT")
        } catch {
            rollBack()
            throw error
        }
    }

    private func check(_ status: Int32) throws(CacheError) {
        guard status == SQLITE_OK else { throw Self.error(status, handle, path, content) }
    }

    private static func error(
        _ status: Int32, _ handle: OpaquePointer?, _ path: String, _ content: Content
    ) -> CacheError {
        let detail = handle.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(status))
        let full = CacheError(
            .full, "The disk has no space for the \(content.name) \(path) (\(detail)). \(content.remedyIfFull)")
        // SQLITE_IOERR_SHMSIZE: SQLite cannot enlarge the shared-memory index of the write-ahead log when it opens the
        // file.
        if status == SQLITE_IOERR | (19 << 8) || handle.map(sqlite3_system_errno) == ENOSPC { return full }
        switch status & 0xFF {
        case SQLITE_CORRUPT, SQLITE_NOTADB:
            return CacheError(.corrupt, content.messageIfCorrupt(path, detail))
        case SQLITE_FULL: return full
        case SQLITE_BUSY, SQLITE_LOCKED:
            return CacheError(
                .busy,
                "Another process has locked the \(content.name) \(path) (\(detail)). Try again, or use a different file."
            )
        default:
            return CacheError(
                .unavailable,
                "The \(content.name) \(path) cannot be used (\(detail)). Check that its folder exists and is writable.")
        }
    }

    /// A prepared statement.
    final class Statement {
        private let pointer: OpaquePointer
        /// The file. The statement retains it, because SQLite requires an open connection until the statement is
        /// finalized.
        private let file: SQLiteFile

        fileprivate init(_ pointer: OpaquePointer, _ file: SQLiteFile) {
            self.pointer = pointer
            self.file = file
        }

        deinit { sqlite3_finalize(pointer) }

        /// Resets the statement, so that it can be run again.
        func reset() { sqlite3_reset(pointer) }

        func bind(_ index: Int32, _ value: Int64) throws(CacheError) {
            try file.check(sqlite3_bind_int64(pointer, index, value))
        }

        func bind(_ index: Int32, text: String) throws(CacheError) {
            try file.check(sqlite3_bind_text(pointer, index, text, Int32(text.utf8.count), Self.copied))
        }

        func bind(_ index: Int32, _ bytes: [UInt8]) throws(CacheError) {
            let status = bytes.withUnsafeBytes {
                sqlite3_bind_blob64(pointer, index, $0.baseAddress, UInt64($0.count), Self.copied)
            }
            try file.check(status)
        }

        /// Advances to the next row.
        /// - Returns: False after the last row. In this case, the statement is reset and can run again.
        func step() throws(CacheError) -> Bool {
            let status = sqlite3_step(pointer)
            if status == SQLITE_ROW { return true }
            sqlite3_reset(pointer)
            guard status == SQLITE_DONE else { throw SQLiteFile.error(status, file.handle, file.path, file.content) }
            return false
        }

        func number(_ column: Int32) -> Int64 { sqlite3_column_int64(pointer, column) }

        func text(_ column: Int32) -> String {
            guard let text = sqlite3_column_text(pointer, column) else { return "" }
            let count = Int(sqlite3_column_bytes(pointer, column))
            return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
        }

        /// Calls a closure with the bytes of a column. The bytes are valid until the next step.
        func withBytes<Value>(
            _ column: Int32, _ body: (UnsafeRawBufferPointer) throws(CacheError) -> Value
        ) throws(CacheError) -> Value {
            let start = sqlite3_column_blob(pointer, column)
            return try body(
                UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(pointer, column))))
        }

        /// `SQLITE_TRANSIENT`, a C macro that is not available in Swift. SQLite copies the bytes.
        private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }
}

extension SQLiteFile.Content {
    fileprivate var name: String {
        switch self {
        case .cache: "cache"
        case .pendingWrites: "file of pending writes"
        }
    }

    fileprivate var remedyIfFull: String {
        switch self {
        case .cache: "Free disk space, or clear the cache."
        case .pendingWrites: "Free disk space."
        }
    }

    fileprivate func messageIfCorrupt(_ path: String, _ detail: String) -> String {
        switch self {
        case .cache:
            "The cache \(path) is damaged or is not a cache (\(detail)). Remove it with SQLiteNormalizedCache.remove(at:) and open it again. The data is then fetched again."
        case .pendingWrites:
            "The file \(path) is damaged or has no pending writes (\(detail)). Remove it with SQLitePendingWriteStore.remove(at:) and open it again. The writes in it are then lost."
        }
    }
}
