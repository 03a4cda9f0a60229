internal import CDuetSQLite

/// One prepared statement of SQLite.
final class SQLiteStatement: PreparedStatement {
    let sql: String
    let columns: [Column]
    /// The kinds of the columns. Unlike ``columns``, this array can be read without reference counting.
    private let kinds: [Column.Kind]
    let parameterCount: Int
    let isRefusedInReads: Bool
    private let handle: OpaquePointer
    private unowned let connection: SQLiteConnection
    /// The end of the statement's time on the clock of ``Interrupt``; 0 for none.
    private var deadline: UInt64 = 0
    /// True if the columns have been checked since the statement was started; see ``checkColumns()``.
    private var isChecked = false
    /// SQLite's count of repeated preparations at the last comparison of the columns.
    private var preparations: Int32 = 0
    /// True if a change of a table has changed the columns. The statement must then be discarded.
    private(set) var hasOtherColumns = false
    /// The work of the current execution. It is in memory of its own, because the progress handler reads it during a
    /// step.
    private let counts: UnsafeMutablePointer<ScanCounts>
    /// ``counts`` if the current execution has a limit.
    private var limited: UnsafeMutablePointer<ScanCounts>?

    /// `SQLITE_TRANSIENT`, the destructor value that makes SQLite copy the bound bytes.
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    init(_ sql: String, on connection: SQLiteConnection) throws {
        self.sql = sql
        self.connection = connection
        connection.count(nil)
        var prepared: OpaquePointer?
        var text = sql
        let (result, hasMore) = text.withUTF8 { bytes -> (Int32, Bool) in
            bytes.withMemoryRebound(to: CChar.self) { characters -> (Int32, Bool) in
                var tail: UnsafePointer<CChar>?
                let result = sqlite3_prepare_v3(
                    connection.handle, characters.baseAddress, Int32(characters.count),
                    UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, &tail)
                let consumed = tail.flatMap { tail in characters.baseAddress.map { tail - $0 } } ?? characters.count
                let rest = bytes[min(consumed, bytes.count)...]
                return (result, rest.contains { $0 > 0x20 && $0 != UInt8(ascii: ";") })
            }
        }
        guard result == SQLITE_OK else { throw connection.failure(result, statement: sql) }
        guard let prepared else { throw DatabaseError(.syntax, "the statement is empty", statement: sql) }
        handle = prepared
        parameterCount = Int(sqlite3_bind_parameter_count(prepared))
        isRefusedInReads = sqlite3_stmt_readonly(prepared) == 0
        columns = Self.columns(of: prepared)
        kinds = columns.map(\.kind)
        counts = .allocate(capacity: 1)
        counts.initialize(to: ScanCounts(prepared, columns: columns.count))
        // All stored properties are set, so an error thrown from here on runs `deinit`, which finalizes the statement.
        if hasMore {
            throw DatabaseError(
                .syntax, "the text contains more than one statement; run several statements with executeScript",
                statement: sql)
        }
    }

    deinit {
        counts.deallocate()
        sqlite3_finalize(handle)
    }

    private static func columns(of handle: OpaquePointer) -> [Column] {
        (0..<sqlite3_column_count(handle)).map { index in
            Column(
                name: sqlite3_column_name(handle, index).map { String(cString: $0) } ?? "",
                kind: kind(declared: sqlite3_column_decltype(handle, index).map { String(cString: $0) }))
        }
    }

    /// Checks, once for each execution, that the columns are still ``columns``. If a table has changed, the first step
    /// prepares the statement again, and `*` can then select other columns.
    /// - Throws: `DatabaseError` with the code `failed`.
    @inline(__always)
    private func checkColumns() throws {
        guard !isChecked else { return }
        isChecked = true
        try checkScan()
        let preparations = sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 0)
        if preparations != self.preparations { try compareColumns(preparations) }
    }

    /// Compares the number of examined rows with the limit of the execution.
    /// - Throws: `DatabaseError` with the code `scan-too-large`.
    @inline(__always)
    private func checkScan() throws {
        if let limited, limited.pointee.check() {
            throw DatabaseError.scanTooLarge(limit: limited.pointee.limit, statement: sql)
        }
    }

    @inline(never)
    private func compareColumns(_ preparations: Int32) throws {
        self.preparations = preparations
        guard Self.columns(of: handle) != columns else { return }
        hasOtherColumns = true
        throw DatabaseError.otherColumns(than: columns, statement: sql)
    }

    /// Returns the kind of a column with a declared type. SQLite has no storage class for dates and Booleans, so only
    /// the declared type identifies such columns.
    private static func kind(declared: String?) -> Column.Kind {
        guard let declared = declared?.uppercased() else { return .any }
        if declared == "DATE" { return .date }
        if declared == "BOOLEAN" || declared == "BOOL" { return .boolean }
        if declared.contains("INT") { return .integer }
        if declared.contains("CHAR") || declared.contains("TEXT") || declared.contains("CLOB") { return .text }
        if declared.contains("REAL") || declared.contains("DOUB") || declared.contains("FLOA") { return .double }
        if declared.contains("BLOB") { return .blob }
        return .any
    }

    func bind(_ values: ArraySlice<SQLValue>) throws {
        guard values.count == parameterCount else {
            throw DatabaseError(
                .parameter, "the statement takes \(parameterCount) values, not \(values.count)", statement: sql)
        }
        var position: Int32 = 0
        for value in values {
            position += 1
            let result: Int32
            switch value {
            case .null: result = sqlite3_bind_null(handle, position)
            case .integer(let integer): result = sqlite3_bind_int64(handle, position, integer)
            case .double(let double): result = sqlite3_bind_double(handle, position, double)
            case .text(let text): result = bind(text, at: position)
            case .date(let date):
                result = withUnsafeTemporaryAllocation(byteCount: 10, alignment: 1) { bytes in
                    guard let base = bytes.baseAddress else { return SQLITE_NOMEM }
                    return sqlite3_bind_text64(
                        handle, position, base.assumingMemoryBound(to: CChar.self), UInt64(date.writeISO(to: base)),
                        Self.transient, UInt8(SQLITE_UTF8))
                }
            case .blob(let bytes):
                result = bytes.withUnsafeBytes {
                    // A nil pointer would bind NULL.
                    guard let base = $0.baseAddress, !$0.isEmpty else {
                        return sqlite3_bind_zeroblob(handle, position, 0)
                    }
                    return sqlite3_bind_blob64(handle, position, base, UInt64($0.count), Self.transient)
                }
            case .unsigned(let integer): result = bind(String(integer), at: position)
            case .decimal(let digits):
                _ = try DecimalDigits(digits, statement: sql)
                // SQLite converts a text with a fraction to a floating-point number before it compares the text with a
                // number. An integer remains exact.
                result = bind(DecimalDigits.withoutZeroFraction(digits), at: position)
            }
            guard result == SQLITE_OK else { throw connection.failure(result, statement: sql) }
        }
    }

    var changes: Int { isRefusedInReads ? connection.changes : 0 }

    /// Starts the clock of the statement's time limit, unless the time of an earlier execution continues.
    func start() {
        let connection = connection
        start(connection, maximumScan: connection.maximumScan)
    }

    /// Starts a statement that examines no rows, such as `COMMIT`.
    func startControl() { start(connection, maximumScan: nil) }

    private func start(_ connection: SQLiteConnection, maximumScan: Int?) {
        if deadline == 0 { deadline = connection.deadline }
        isChecked = false
        limited = maximumScan == nil ? nil : counts
        if maximumScan != nil { counts.pointee.begin(limit: maximumScan) }
    }

    private func bind(_ text: String, at position: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                // A nil pointer would bind NULL, so an empty text needs an address.
                guard let base = $0.baseAddress else {
                    return sqlite3_bind_text(handle, position, "", 0, Self.transient)
                }
                return sqlite3_bind_text64(
                    handle, position, base, UInt64($0.count), Self.transient, UInt8(SQLITE_UTF8))
            }
        }
    }

    /// - Returns: True if the statement has returned a row; false at the end.
    @inline(__always)
    func step() throws -> Bool {
        connection.obey(deadline, counting: limited)
        let result = sqlite3_step(handle)
        guard result == SQLITE_ROW || result == SQLITE_DONE else { throw connection.failure(result, statement: sql) }
        if result == SQLITE_ROW { counts.pointee.returned &+= 1 } else { try checkScan() }
        try checkColumns()
        try connection.checkCollations(statement: sql)
        return result == SQLITE_ROW
    }

    /// See ``ResultSet/forEachRow(_:into:_:)``.
    func forEachRow(
        _ columns: UnsafeBufferPointer<Int>, into values: UnsafeMutablePointer<ColumnValue>, counting rows: inout Int,
        _ body: () -> Bool
    ) throws -> Bool {
        connection.obey(deadline, counting: limited)
        let (handle, kinds, counts) = (handle, kinds, counts)
        while true {
            let result = sqlite3_step(handle)
            guard result == SQLITE_ROW || result == SQLITE_DONE else {
                throw connection.failure(result, statement: sql)
            }
            counts.pointee.returned &+= 1
            try checkColumns()
            try connection.checkCollations(statement: sql)
            if result == SQLITE_DONE {
                counts.pointee.returned &-= 1
                try checkScan()
                return true
            }
            rows += 1
            for index in 0..<columns.count {
                let column = columns[index]
                (values + index).initialize(to: Self.value(handle, column, isDate: kinds[column] == .date))
            }
            guard body() else { return false }
        }
    }

    /// Resets the statement. Without a reset, a statement that has not reached its end would hold the snapshot, and the
    /// write-ahead log could not be truncated.
    func reset() {
        // The result is ignored, because it repeats the error of the last step, which has already been thrown.
        sqlite3_reset(handle)
        if limited != nil { connection.count(nil) }
        deadline = 0
    }

    func rewind() { sqlite3_reset(handle) }

    /// Returns the value of a column of the current row without copying it. The value is valid until the next
    /// ``step()`` or ``reset()``.
    @inline(__always)
    func column(_ index: Int) -> ColumnValue {
        Self.value(handle, index, isDate: kinds[index] == .date)
    }

    @inline(__always)
    private static func value(_ handle: OpaquePointer, _ index: Int, isDate: Bool) -> ColumnValue {
        let position = Int32(truncatingIfNeeded: index)
        switch sqlite3_column_type(handle, position) {
        case SQLITE_INTEGER:
            return .integer(sqlite3_column_int64(handle, position))
        case SQLITE_TEXT:
            let text = sqlite3_column_text(handle, position)
            let bytes = UnsafeRawBufferPointer(start: text, count: Int(sqlite3_column_bytes(handle, position)))
            if isDate, let date = CalendarDate(isoBytes: bytes) { return .date(date) }
            return .text(bytes)
        case SQLITE_FLOAT:
            return .double(sqlite3_column_double(handle, position))
        case SQLITE_BLOB:
            let blob = sqlite3_column_blob(handle, position)
            return .blob(UnsafeRawBufferPointer(start: blob, count: Int(sqlite3_column_bytes(handle, position))))
        default:
            return .null
        }
    }
}
