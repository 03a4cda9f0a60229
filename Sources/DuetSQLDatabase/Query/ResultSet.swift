/// The rows of a query, read one after the other; only the current row is in memory.
///
/// It begins when the first row is read, or when ``Connection/start(_:)`` starts several at once. It belongs to
/// the closure that was given the connection, and ends with it.
public final class ResultSet {
    private let statement: PreparedStatement
    private let entry: StatementCache.Entry
    private let shape: [Parameters.ListShape]
    private unowned let connection: Connection
    private var isStarted = false
    private var isFinished = false
    private var startedAt: UInt64 = 0
    private var hasFailed = false
    /// Rows read so far.
    public private(set) var rowsRead = 0

    init(
        _ statement: PreparedStatement, entry: StatementCache.Entry, shape: [Parameters.ListShape],
        connection: Connection
    ) {
        self.statement = statement
        self.entry = entry
        self.shape = shape
        self.connection = connection
        columns = statement.columns
    }

    deinit {
        finish()
    }

    /// The columns, known before the first row.
    public let columns: [Column]

    /// The text the backend runs, with `?` placeholders.
    public var sql: String { statement.sql }

    /// The number of the first column with that label, from 0.
    /// - Parameter start: The number of columns at the beginning that are ignored.
    /// - Throws: ``DatabaseError`` with code `failed` that lists the columns there are.
    public func index(of name: String, from start: Int = 0) throws -> Int {
        if let index = columns.dropFirst(start).firstIndex(where: { $0.name == name }) { return index }
        let names = columns.map(\.name).joined(separator: ", ")
        throw DatabaseError(.failed, "no column is called \(name); there are \(names)", statement: sql)
    }

    /// True if no row has been read, and it has not been closed.
    package var isUnread: Bool { !isFinished && rowsRead == 0 }

    /// Moves to the next row.
    /// - Returns: `false` after the last one.
    /// - Throws: ``DatabaseError``; also when the server ended the rows early, so a cut result never looks whole.
    @inline(__always)
    public func next() throws -> Bool {
        guard !isFinished else { return false }
        if !isStarted { try start() }
        do {
            let hasRow: Bool =
                switch statement {
                case .sqlite(let statement): try statement.step()
                case .mariaDB(let statement): try statement.step()
                }
            if hasRow {
                rowsRead += 1
                return true
            }
        } catch {
            fail(error)
            throw error
        }
        changes = connection.changes(by: statement)
        finish()
        return false
    }

    /// The value in the current row, borrowed: valid until the next row.
    @inline(__always)
    public func column(_ index: Int) -> ColumnValue {
        switch statement {
        case .sqlite(let statement): statement.column(index)
        case .mariaDB(let statement): statement.column(index)
        }
    }

    /// Reads row after row, to the end or until the body has enough: what ``next()`` and ``column(_:)`` do, without
    /// asking for each row what is the same for all of them.
    /// - Parameters:
    ///   - columns: the positions of the columns to read.
    ///   - values: memory for as many values; the body finds the row there, borrowed until it returns.
    ///   - body: returns whether it wants another row. It must not touch the statements of this connection.
    /// - Returns: whether the end was reached.
    /// - Throws: ``DatabaseError``, as ``next()`` does.
    package func forEachRow(
        _ columns: UnsafeBufferPointer<Int>, into values: UnsafeMutablePointer<ColumnValue>, _ body: () -> Bool
    ) throws -> Bool {
        guard !isFinished else { return true }
        if !isStarted { try start() }
        var rows = 0
        let isAtEnd: Bool
        do {
            isAtEnd =
                switch statement {
                case .sqlite(let statement): try statement.forEachRow(columns, into: values, counting: &rows, body)
                case .mariaDB(let statement): try statement.forEachRow(columns, into: values, counting: &rows, body)
                }
        } catch {
            rowsRead += rows
            fail(error)
            throw error
        }
        rowsRead += rows
        if isAtEnd { finish() }
        return isAtEnd
    }

    /// A copy of the value in the current row.
    public func value(at index: Int) -> SQLValue { column(index).copied() }

    /// The integer in the current row; 0 where the column holds something else.
    public func integer(at index: Int) -> Int64 {
        switch column(index) {
        case .integer(let value): value
        case .double(let value): Int64(exactly: value) ?? 0
        default: 0
        }
    }

    /// The text in the current row; empty where the column holds none.
    public func text(at index: Int) -> String {
        if case .text(let value) = value(at: index) { value } else { "" }
    }

    /// The date in the current row; `nil` where the column holds none. A SQLite expression without a declared type
    /// gives its text, which is read as `YYYY-MM-DD`.
    public func date(at index: Int) -> CalendarDate? {
        switch column(index) {
        case .date(let value): value
        case .text(let bytes): CalendarDate(isoBytes: bytes)
        default: nil
        }
    }

    /// Returns true if the value in the current row is NULL.
    public func isNull(at index: Int) -> Bool {
        if case .null = column(index) { true } else { false }
    }

    /// Rows changed, once the statement has run.
    private(set) var changes = 0

    /// Hands the statement to the backend. On MariaDB it is queued; see ``Connection/start(_:)``.
    func start() throws {
        guard !isStarted else { return }
        isStarted = true
        startedAt = connection.noteStart()
        switch statement {
        case .sqlite(let statement): statement.start()
        case .mariaDB(let statement): connection.enqueue(statement)
        }
    }

    /// Reports that values of dates were read as NULL, because they are no dates of the calendar.
    package func reportZeroDates(_ count: Int) { connection.report(.zeroDates(count: count, sql: statement.sql)) }

    /// Ends early: the statement goes back to its cache.
    public func close() { finish() }

    private func fail(_ error: any Error) {
        hasFailed = true
        connection.note(error)
        finish()
    }

    private func finish() {
        guard !isFinished else { return }
        isFinished = true
        statement.reset()
        if isStarted {
            connection.noteEnd(statement, rows: rowsRead, startedAt: startedAt, failed: hasFailed)
        }
        connection.forget(self)
        entry.giveBack(statement, shape: shape)
    }
}

extension ResultSet {
    /// A place where a layer above keeps what it has worked out about these columns, as long as the statement lives.
    package var memo: AnyObject? {
        get { entry.memo }
        set { entry.memo = newValue }
    }

    /// The name of a list parameter for which the caller has checked the text of the statement; nil before the check. The statement's cache
    /// entry stores it, so that each text is checked once.
    package var checkedKey: String? {
        get { entry.checkedKey }
        set { entry.checkedKey = newValue }
    }
}
