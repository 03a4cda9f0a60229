/// The rows of a query, read one at a time. Only the current row is in memory. On MariaDB, the unread rows are also in
/// memory if the connection runs another statement before they are read.
///
/// The query starts when the first row is read, or when ``Connection/start(_:)`` starts several queries at once. The
/// result set must not be used outside the closure that received the connection.
public final class ResultSet {
    private let statement: any PreparedStatement
    private let entry: StatementCache.Entry
    private let shape: [Parameters.ListShape]
    private unowned let connection: Connection
    private var isStarted = false
    private var isFinished = false
    private var startedAt: UInt64 = 0
    private var failure: (any Error)?
    private var isDiscarded = false
    /// The maximum number of examined rows of this query, if it differs from that of the transaction; 0 for no limit.
    package var maximumScan: Int?
    /// The number of rows that have been read.
    public private(set) var rowsRead = 0

    init(
        _ statement: any PreparedStatement, entry: StatementCache.Entry, shape: [Parameters.ListShape],
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

    /// The columns of the result. They are available before the first row is read. On MariaDB, the list is empty for
    /// the first execution of a statement with `RETURNING`.
    public let columns: [Column]

    /// The statement text for the backend, with `?` placeholders.
    public var sql: String { statement.sql }

    /// Returns the zero-based index of the first column with a label.
    /// - Parameters:
    ///   - name: The label.
    ///   - start: The number of columns at the beginning that are ignored.
    /// - Throws: ``DatabaseError`` with the code `failed` if no column has the label. The message lists the existing
    ///   columns.
    public func index(of name: String, from start: Int = 0) throws -> Int {
        if let index = columns.dropFirst(start).firstIndex(where: { $0.name == name }) { return index }
        discardStatement()
        let names = columns.map(\.name).joined(separator: ", ")
        throw DatabaseError(.failed, "no column is called \(name); the columns are \(names)", statement: sql)
    }

    /// True if the last call of ``next()`` returned a row.
    var hasCurrentRow: Bool { rowsRead > 0 && !isFinished }

    /// True if no row has been read and the result set has not been closed.
    package var isUnread: Bool { !isFinished && rowsRead == 0 }

    /// Moves to the next row.
    /// - Returns: `false` after the last row.
    /// - Throws: ``DatabaseError``. If the server ends the rows early, the function throws instead of returning
    ///   `false`, so the caller can distinguish a truncated result from a complete result.
    @inline(__always)
    public func next() throws -> Bool {
        guard !isFinished else { return false }
        if !isStarted { try start() }
        do {
            if try statement.step() {
                rowsRead += 1
                return true
            }
        } catch {
            fail(error)
            throw error
        }
        changes = statement.changes
        finish()
        return false
    }

    /// Returns the value of a column in the current row without copying it. The value is valid only until the next row
    /// is read.
    @inline(__always)
    public func column(_ index: Int) -> ColumnValue { statement.column(index) }

    /// Reads rows until the end or until the body returns false. The function is equivalent to a loop over ``next()``
    /// and ``column(_:)``, but it does the work that does not depend on the row only once.
    /// - Parameters:
    ///   - columns: The indices of the columns to read.
    ///   - values: Memory for the values of these columns. The values are not copied and are valid only until the body
    ///     returns.
    ///   - body: A closure that returns true to read another row. It must not use the statements of this connection.
    /// - Returns: True if the end was reached.
    /// - Throws: ``DatabaseError``; see ``next()``.
    package func forEachRow(
        _ columns: UnsafeBufferPointer<Int>, into values: UnsafeMutablePointer<ColumnValue>, _ body: () -> Bool
    ) throws -> Bool {
        guard !isFinished else { return true }
        if !isStarted { try start() }
        var rows = 0
        let isAtEnd: Bool
        do {
            isAtEnd = try statement.forEachRow(columns, into: values, counting: &rows, body)
        } catch {
            rowsRead += rows
            fail(error)
            throw error
        }
        rowsRead += rows
        if isAtEnd { finish() }
        return isAtEnd
    }

    /// Returns a copy of the value of a column in the current row.
    public func value(at index: Int) -> SQLValue { column(index).copied() }

    /// Returns the integer of a column in the current row; 0 if the value is not an integer.
    /// ``decode(_:at:)`` throws instead.
    public func integer(at index: Int) -> Int64 {
        switch column(index) {
        case .integer(let value): value
        case .double(let value): Int64(exactly: value) ?? 0
        default: 0
        }
    }

    /// Returns the text of a column in the current row; an empty string if the value is not a text.
    /// ``decode(_:at:)`` throws instead.
    public func text(at index: Int) -> String {
        if case .text(let value) = value(at: index) { value } else { "" }
    }

    /// Returns the date of a column in the current row; `nil` if the value is not a date. A text, for example of a
    /// SQLite expression without a declared type, is parsed as `YYYY-MM-DD`.
    public func date(at index: Int) -> CalendarDate? {
        switch column(index) {
        case .date(let value): value
        case .text(let bytes): CalendarDate(isoBytes: bytes)
        default: nil
        }
    }

    /// Returns true if the value of a column in the current row is NULL.
    public func isNull(at index: Int) -> Bool {
        if case .null = column(index) { true } else { false }
    }

    /// The number of changed rows, after the statement has run.
    private(set) var changes = 0

    /// Starts the statement. On MariaDB the statement is only queued; see ``Connection/start(_:)``.
    func start() throws {
        guard !isStarted else { return }
        isStarted = true
        startedAt = connection.noteStart()
        if let maximumScan {
            connection.start(statement, limitingScansTo: maximumScan == 0 ? nil : maximumScan)
        } else {
            statement.start()
        }
    }

    /// Reports to the observer that values of date columns were read as NULL because they are not valid dates.
    package func reportNullifiedValues(_ count: Int) {
        connection.nullifiedValues += count
        connection.report(.nullifiedValues(count: count, sql: statement.sql))
    }

    package func reportZeroDates(_ count: Int) { connection.report(.zeroDates(count: count, sql: statement.sql)) }

    /// Ends the query early and returns the statement to its cache.
    public func close() { finish() }

    private func fail(_ error: any Error) {
        failure = error
        connection.note(error)
        finish()
    }

    private func finish() {
        guard !isFinished else { return }
        isFinished = true
        statement.reset()
        if isStarted {
            connection.noteEnd(statement, of: entry, rows: rowsRead, startedAt: startedAt, error: failure)
        }
        connection.forget(self)
        if isDiscarded { entry.discardStatements() } else { entry.giveBack(statement, shape: shape) }
    }
}

extension ResultSet {
    /// Removes the statement from the cache after its use. A caller calls this function if the columns are not the
    /// expected ones: if a table has changed since the statement was prepared, a new statement has other columns.
    package func discardStatement() { isDiscarded = true }

    /// Data that the caller derives from the columns. The data is stored as long as the statement is in the statement
    /// cache.
    package var memo: AnyObject? {
        get { entry.memo }
        set { entry.memo = newValue }
    }
}

/// A column of a result set.
public struct Column: Sendable, Hashable {
    /// The type that the backend reports for the values of a column.
    public enum Kind: Sendable, Hashable {
        /// Unknown, or values of several types: for example a SQLite expression.
        case any
        /// Integers. On SQLite, the declared type of the column contains `INT`. On MariaDB, `YEAR` and `BIT` are
        /// included.
        case integer
        /// Floating-point numbers. On SQLite, the declared type contains `REAL`, `DOUB` or `FLOA`.
        case double
        /// Texts. On SQLite, the declared type contains `CHAR`, `CLOB` or `TEXT`. On MariaDB, decimal numbers, times,
        /// and dates with times are included; the values are texts.
        case text
        /// Dates without a time. The declared type is `DATE`.
        case date
        /// Bytes. On SQLite, the declared type contains `BLOB`. On MariaDB, the column has the character set `binary`.
        case blob
        /// A column that is declared as `BOOLEAN` or `BOOL`; on MariaDB these are aliases of `TINYINT(1)`. The values
        /// are the integers 0 and 1, or other integers if a program has written them.
        case boolean
    }

    /// The label of the column: the `AS` name if the statement has one.
    public let name: String
    /// The kind of the column's values.
    public let kind: Kind
}
