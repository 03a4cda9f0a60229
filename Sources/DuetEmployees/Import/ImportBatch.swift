import DuetSQLDatabase

/// Rows that have been read but not yet written, with their locations in the file.
///
/// A batch is written after a savepoint. If the database rejects a row of the batch, the transaction is rolled back to
/// the savepoint. The rows of the batch are then written one by one to find the invalid row.
struct ImportBatch {
    private static let capacity = 2_048

    private let table: EmployeeTable
    private let connection: Connection
    private var rows: [(location: LoadError.Location, values: [SQLValue])] = []

    init(of table: EmployeeTable, for connection: Connection) {
        self.table = table
        self.connection = connection
        rows.reserveCapacity(Self.capacity)
    }

    /// Adds a row, and writes the batch if it is full.
    /// - Throws: ``LoadError`` with the code `rejectedRow` and the location of the row, or the database's error.
    mutating func append(_ values: [SQLValue], from location: LoadError.Location) throws {
        rows.append((location, values))
        if rows.count == Self.capacity { try flush() }
    }

    /// Writes the remaining rows.
    mutating func flush() throws {
        guard !rows.isEmpty else { return }
        try connection.executeScript("SAVEPOINT import_batch")
        do {
            let inserter = try table.inserter(connection)
            for row in rows { try inserter.append(row.values) }
            try inserter.finish()
        } catch let error as DatabaseError where Self.isRowsFault(error) {
            try connection.executeScript("ROLLBACK TO SAVEPOINT import_batch")
            try findFault()
            throw error
        }
        try connection.executeScript("RELEASE SAVEPOINT import_batch")
        rows.removeAll(keepingCapacity: true)
    }

    private func findFault() throws {
        for row in rows {
            do {
                let inserter = try table.inserter(connection)
                try inserter.append(row.values)
                try inserter.finish()
            } catch let error as DatabaseError where Self.isRowsFault(error) {
                throw LoadError(
                    .rejectedRow, "the database rejected a row of \(table.rawValue): \(Self.reason(error))",
                    at: row.location, underlying: error)
            }
        }
    }

    private static func isRowsFault(_ error: DatabaseError) -> Bool {
        [.uniqueViolation, .foreignKeyViolation, .constraintViolation].contains(error.code)
    }

    private static func reason(_ error: DatabaseError) -> String {
        switch error.code {
        case .uniqueViolation: "its key already exists; expected each key once"
        case .foreignKeyViolation: "it refers to an employee or a department that does not exist"
        default: "a value is not valid for its column"
        }
    }
}
