/// Inserts many rows into one table. On MariaDB each statement takes a round trip, so one statement inserts many rows.
/// On SQLite a statement takes no round trip, so one prepared statement inserts one row at a time.
public final class BulkInserter {
    private let connection: Connection
    private let table: String
    private let columns: [String]
    private let rowsPerStatement: Int
    private var pending: [SQLValue] = []
    /// The statement that inserts ``rowsPerStatement`` rows.
    private var statement: (any PreparedStatement)?

    init(_ connection: Connection, table: String, columns: [String]) {
        self.connection = connection
        self.table = table
        self.columns = columns
        rowsPerStatement = connection.dialect.isEmbedded ? 1 : max(1, 1_024 / max(1, columns.count))
        pending.reserveCapacity(rowsPerStatement * columns.count)
    }

    /// Adds a row. It has one value for each column, in the order of the columns.
    /// - Throws: ``DatabaseError``, which may be caused by an earlier row, because rows are inserted in groups.
    public func append(_ values: [SQLValue]) throws {
        guard values.count == columns.count else {
            throw DatabaseError(.parameter, "a row of \(table) has \(columns.count) values, not \(values.count)")
        }
        pending.append(contentsOf: values)
        if pending.count == rowsPerStatement * columns.count { try insert(rows: rowsPerStatement) }
    }

    /// Adds a row of Swift values. It has one value for each column, in the order of the columns. `nil` is NULL.
    /// - Throws: ``DatabaseError``, which may be caused by an earlier row, because rows are inserted in groups.
    @_disfavoredOverload
    public func append(_ values: [(any SQLValueConvertible)?]) throws {
        try append(values.map { $0?.sqlValue ?? .null })
    }

    /// Inserts the remaining rows. Call this function after the last row.
    /// - Throws: ``DatabaseError``.
    public func finish() throws {
        if !pending.isEmpty { try insert(rows: pending.count / columns.count) }
    }

    private func insert(rows: Int) throws {
        // After an error, the rows of the failed statement are not inserted again.
        defer { pending.removeAll(keepingCapacity: true) }
        if rows == rowsPerStatement, let statement {
            try connection.run(statement, values: pending)
        } else {
            let row = "(" + columns.map { _ in "?" }.joined(separator: ", ") + ")"
            let prepared = try connection.prepare(
                "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES "
                    + Array(repeating: row, count: rows).joined(separator: ", "))
            try connection.run(prepared, values: pending)
            if rows == rowsPerStatement { statement = prepared }
        }
    }
}

extension Connection {
    /// Inserts rows into a table, on MariaDB with few statements.
    ///
    ///     try connection.bulkInsert(into: "books", columns: ["id", "title"]) { books in
    ///         for book in library { try books.append([book.id, book.title]) }
    ///     }
    /// - Parameters:
    ///   - table: The name of the table. It is part of the SQL text, so it must never come from a client.
    ///   - columns: The names of the columns. They are part of the SQL text, so they must never come from a client.
    ///   - body: A closure that appends the rows. The rows that remain when it returns are then inserted.
    /// - Throws: ``DatabaseError``, or the error of the body.
    public func bulkInsert(into table: String, columns: [String], _ body: (BulkInserter) throws -> Void) throws {
        let inserter = BulkInserter(self, table: table, columns: columns)
        try body(inserter)
        try inserter.finish()
    }

    /// Creates an inserter for a table. Call ``BulkInserter/finish()`` after the last row;
    /// ``bulkInsert(into:columns:_:)`` calls it automatically. The names of the table and the columns are part of the
    /// SQL text, so they must never come from a client.
    public func bulkInserter(into table: String, columns: [String]) throws -> BulkInserter {
        BulkInserter(self, table: table, columns: columns)
    }
}
