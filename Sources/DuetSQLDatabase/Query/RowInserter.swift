/// Inserts many rows into one table, in their order. A row can lack values; it then gets the default values of the
/// database.
///
/// On SQLite, each row has its own execution of a prepared statement for rows with values in the same columns. On
/// MariaDB, where each statement takes a round trip, one statement inserts many rows.
package final class RowInserter {
    /// A column of the table.
    package struct Column: Sendable {
        /// The quoted name.
        let name: String
        /// The expression of the value, which contains one `?`.
        let expression: String
        /// True if the database generates the value of a row that has none. `DEFAULT` is not this value: for an
        /// automatic key of MariaDB, it is 0.
        let isAutomatic: Bool

        /// Creates a column. Both texts are part of the SQL text, so they must never come from a client.
        package init(quoted name: String, expression: String = "?", isAutomatic: Bool = false) {
            self.name = name
            self.expression = expression
            self.isAutomatic = isAutomatic
        }
    }

    private let connection: Connection
    private let target: String
    private let columns: [Column]
    /// The quoted names of the columns whose values in the new rows are returned.
    private let returning: [String]
    private var pending: [SQLValue] = []
    /// For each column of the pending rows, true if the row has a value. If each row has its own statement, all pending
    /// rows have values in the same columns, and the list has only those of the first row.
    private var shapes: [Bool] = []
    /// The number of rows that ``flush()`` would insert.
    package private(set) var pendingRows = 0
    /// The number of rows that the latest ``flush()`` has inserted.
    package private(set) var insertedRows = 0
    /// The values of the returned columns in the rows that the latest ``flush()`` has inserted, in their order.
    package private(set) var returned: [[SQLValue]] = []
    private var pendingBytes = 0
    private var statements: [[Bool]: any PreparedStatement] = [:]
    /// The shapes of the latest statement, and the statement.
    private var latest: (shapes: [Bool], statement: any PreparedStatement)?

    /// The maximum number of prepared statements.
    private static let maximumStatements = 32
    /// The maximum number of values in a statement.
    private static let maximumValues = 1_024
    /// The number of bytes from which a statement is complete. It is much smaller than the default of MariaDB's
    /// `max_allowed_packet`.
    private static let maximumBytes = 256 << 10
    /// The maximum number of executions that are one statement for the time limit, the observer and the trace.
    private static let maximumExecutions = 64

    /// True if each row has its own statement. If ``flush()`` then fails, it has inserted the rows before the faulty
    /// row; otherwise, it has inserted none.
    package let insertsSingly: Bool

    /// Creates an inserter.
    /// - Parameters:
    ///   - table: The table as the target of an `INSERT`. It is part of the SQL text.
    ///   - returning: The quoted names of the columns whose values in the new rows are returned.
    package init(
        _ connection: Connection, into table: String, columns: [Column], returning: [String] = []
    ) {
        self.returning = returning
        self.connection = connection
        target = table
        self.columns = columns
        insertsSingly = connection.dialect.isEmbedded || columns.isEmpty
    }

    /// True if the pending rows must be inserted before the next row is appended.
    package var isFull: Bool {
        // A row without values is a part of the statement, too.
        (insertsSingly
            ? pendingRows >= Self.maximumExecutions : shapes.count + columns.count > Self.maximumValues)
            || pendingBytes >= Self.maximumBytes
    }

    /// Returns true if the pending rows must be inserted before a row is appended. The rows of one statement have
    /// values in the same columns; on MariaDB, only in the same automatic columns.
    package func excludes(_ values: [SQLValue?]) -> Bool {
        guard pendingRows > 0 else { return false }
        for index in columns.indices where insertsSingly || columns[index].isAutomatic {
            let hasValue = if case .some = values[index] { true } else { false }
            if hasValue != shapes[index] { return true }
        }
        return false
    }

    /// Adds a row, which has a value or nil for each column.
    package func append(_ values: [SQLValue?]) {
        let addsShape = !insertsSingly || pendingRows == 0
        for value in values {
            guard let value else {
                if addsShape { shapes.append(false) }
                continue
            }
            if addsShape { shapes.append(true) }
            pending.append(value)
            switch value {
            case .text(let text): pendingBytes += text.utf8.count
            case .blob(let bytes): pendingBytes += bytes.count
            default: pendingBytes += 8
            }
        }
        pendingRows += 1
    }

    /// Inserts the pending rows.
    /// - Throws: ``DatabaseError``. There are then no pending rows; ``insertedRows`` is the number of inserted rows.
    package func flush() throws {
        insertedRows = 0
        returned.removeAll(keepingCapacity: true)
        guard pendingRows > 0 else { return }
        defer {
            pending.removeAll(keepingCapacity: true)
            shapes.removeAll(keepingCapacity: true)
            pendingRows = 0
            pendingBytes = 0
        }
        let statement = try statement()
        var completed = 0
        defer { insertedRows = insertsSingly ? completed : completed * pendingRows }
        try connection.run(
            statement, values: pending, times: insertsSingly ? pendingRows : 1, completed: &completed
        ) { if !returning.isEmpty { returned.append(returning.indices.map { statement.column($0).copied() }) } }
    }

    /// The clause that returns columns of the new rows.
    private var returningClause: String {
        returning.isEmpty ? "" : " RETURNING \(returning.joined(separator: ", "))"
    }

    private func statement() throws -> any PreparedStatement {
        if let latest, latest.shapes == shapes { return latest.statement }
        let isSingle = insertsSingly || pendingRows == 1
        let known = isSingle ? statements[shapes] : nil
        let statement = try known ?? connection.prepare(insertsSingly ? single : several)
        if isSingle, known == nil {
            if statements.count == Self.maximumStatements { statements.removeAll() }
            statements[shapes] = statement
        }
        latest = (shapes, statement)
        return statement
    }

    /// The statement for one row with values in some of the columns.
    private var single: String {
        let given = zip(columns, shapes).filter(\.1).map(\.0)
        guard !given.isEmpty else { return "INSERT INTO \(target)\(connection.dialect.emptyRow)\(returningClause)" }
        let names = given.map(\.name).joined(separator: ", ")
        let values = given.map(\.expression).joined(separator: ", ")
        return "INSERT INTO \(target) (\(names)) VALUES (\(values))\(returningClause)"
    }

    /// The statement for all pending rows.
    private var several: String {
        // All rows have a value in an automatic column, or none of them has.
        let named = columns.indices.filter { shapes[$0] || !columns[$0].isAutomatic }
        let rows = stride(from: 0, to: shapes.count, by: columns.count).map { start in
            let values = named.map { shapes[start + $0] ? columns[$0].expression : "DEFAULT" }
            return "(\(values.joined(separator: ", ")))"
        }
        let names = named.map { columns[$0].name }.joined(separator: ", ")
        return "INSERT INTO \(target) (\(names)) VALUES \(rows.joined(separator: ", "))\(returningClause)"
    }
}

@available(*, unavailable)
extension RowInserter: Sendable {}
