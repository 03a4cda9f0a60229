/// A prepared statement of a ``BackendConnection``.
protocol PreparedStatement: AnyObject {
    /// The text, with `?` placeholders.
    var sql: String { get }
    var columns: [Column] { get }
    var parameterCount: Int { get }
    /// True if the connection must refuse the statement in a read transaction, because it writes and the database
    /// itself would permit it.
    var isRefusedInReads: Bool { get }
    /// True if the columns have changed since the statement was prepared, so that it cannot be used again.
    var hasOtherColumns: Bool { get }
    /// The number of changed rows, after the statement has run.
    var changes: Int { get }

    /// Binds a value to each placeholder.
    func bind(_ values: ArraySlice<SQLValue>) throws
    /// Starts the bound statement. A backend with a server only queues it; see ``BackendConnection/flush()``.
    func start()
    /// - Returns: True if the statement has returned a row; false at the end.
    func step() throws -> Bool
    /// Returns the value of a column of the current row without copying it. The value is valid until the next call of
    /// ``step()`` or ``reset()``.
    func column(_ index: Int) -> ColumnValue
    /// See ``ResultSet/forEachRow(_:into:_:)``.
    /// - Parameter rows: The number of rows that were read is added to it.
    func forEachRow(
        _ columns: UnsafeBufferPointer<Int>, into values: UnsafeMutablePointer<ColumnValue>, counting rows: inout Int,
        _ body: () -> Bool
    ) throws -> Bool
    /// Ends the execution, and prepares for the next one.
    func reset()
    /// Ends the execution, and prepares for the next one, which has the rest of the same time limit.
    func rewind()
}

extension PreparedStatement {
    var isRefusedInReads: Bool { false }
    var hasOtherColumns: Bool { false }

    func bind(_ values: [SQLValue]) throws { try bind(values[...]) }

    func rewind() { reset() }

    func forEachRow(
        _ columns: UnsafeBufferPointer<Int>, into values: UnsafeMutablePointer<ColumnValue>, counting rows: inout Int,
        _ body: () -> Bool
    ) throws -> Bool {
        while try step() {
            rows += 1
            for index in 0..<columns.count { (values + index).initialize(to: column(columns[index])) }
            guard body() else { return false }
        }
        return true
    }
}
