/// Inserts many rows into one table, in their order. A row can lack values; it then gets the default values of the
/// database.
///
/// On SQLite, each row is inserted at once, with one prepared statement for all rows with values in the same columns.
/// On MariaDB, where each statement takes a round trip, one statement inserts many rows.
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
    private var pending: [SQLValue] = []
    /// For each column of the pending rows, true if the row has a value.
    private var shapes: [Bool] = []
    /// The number of rows that ``flush()`` would insert.
    package private(set) var pendingRows = 0
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

    /// True if each row has its own statement.
    private var insertsSingly: Bool { connection.dialect.isEmbedded || columns.isEmpty }

    /// Creates an inserter.
    /// - Parameter table: The table as the target of an `INSERT`. It is part of the SQL text.
    package init(_ connection: Connection, into table: String, columns: [Column]) {
        self.connection = connection
        target = table
        self.columns = columns
    }

    /// True if the pending rows must be inserted before the next row is appended.
    package var isFull: Bool {
        // A row without values is a part of the statement, too.
        insertsSingly || shapes.count + columns.count > Self.maximumValues || pendingBytes >= Self.maximumBytes
    }

    /// Returns true if the pending rows must be inserted before a row is appended, because one statement cannot have
    /// rows with and rows without a value in an automatic column.
    package func excludes(_ values: [SQLValue?]) -> Bool {
        pendingRows > 0 && columns.indices.contains { columns[$0].isAutomatic && shapes[$0] != (values[$0] != nil) }
    }

    /// Adds a row, which has a value or nil for each column.
    package func append(_ values: [SQLValue?]) {
        for value in values {
            guard let value else {
                shapes.append(false)
                continue
            }
            shapes.append(true)
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
    /// - Throws: ``DatabaseError``. None of the pending rows is then inserted, and there are no pending rows.
    package func flush() throws {
        guard pendingRows > 0 else { return }
        defer {
            pending.removeAll(keepingCapacity: true)
            shapes.removeAll(keepingCapacity: true)
            pendingRows = 0
            pendingBytes = 0
        }
        try connection.run(try statement(), values: pending)
    }

    private func statement() throws -> any PreparedStatement {
        if let latest, latest.shapes == shapes { return latest.statement }
        let isSingle = pendingRows == 1
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
        guard !given.isEmpty else { return "INSERT INTO \(target)\(connection.dialect.emptyRow)" }
        let names = given.map(\.name).joined(separator: ", ")
        return "INSERT INTO \(target) (\(names)) VALUES (\(given.map(\.expression).joined(separator: ", ")))"
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
        return "INSERT INTO \(target) (\(names)) VALUES \(rows.joined(separator: ", "))"
    }
}

@available(*, unavailable)
extension RowInserter: Sendable {}
