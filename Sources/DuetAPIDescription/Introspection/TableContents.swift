import DuetResourceService
import DuetSQLDatabase

/// The kinds of the values in the rows of a table or view.
struct TableContents: Sendable {
    /// The number of rows that were read.
    private(set) var rows = 0
    /// True if all rows were read.
    private(set) var isComplete = false
    /// The reason why rows were not read; nil if no reading failed.
    private(set) var failure: DatabaseContents.Failure?
    /// The contents of the columns, in the order of the table.
    private(set) var columns: [ColumnContents]

    private static let places = 10

    /// The number of rows above which a limit has no effect.
    private static let maximumRows = 1 << 40

    /// Reads rows of a table. Each place of a large table is read in a transaction of its own.
    /// - Parameter deadline: The moment at which the function stops. The rows before it remain in the contents.
    /// - Throws: `DatabaseError` if the database cannot be read.
    init(
        of table: SchemaTable, _ limit: DatabaseContents.Rows, _ database: Database, deadline: Deadline
    ) async throws {
        let isCoreData = table.columns.contains { $0.name == "Z_PK" }
        columns = table.columns.map {
            ColumnContents(
                declared: FieldType(declaredIn: $0), isText: $0.storesDigitsAsNumbers, isCoreData: isCoreData)
        }
        do {
            try await read(table, limit, database, deadline)
        } catch let error as DatabaseError where error.code == .timeout && deadline != .never {
            failure = .timeLimit
        } catch let error as DatabaseError where error.isOfTable {
            failure = .error(error.message)
        }
    }

    private mutating func read(
        _ table: SchemaTable, _ limit: DatabaseContents.Rows, _ database: Database, _ deadline: Deadline
    ) async throws {
        let maximum: Int
        switch limit {
        case .all: maximum = Self.maximumRows
        case .some(let count): maximum = min(max(1, count), Self.maximumRows)
        }
        let places =
            maximum == Self.maximumRows
            ? nil
            : try await database.read(timeout: .none, deadline: deadline) { try Places(of: table, maximum, $0) }
        guard let places else {
            isComplete = try await read(Part(of: table), maximum, database, deadline).isAtEnd
            return
        }
        // A place has no rows if the row IDs are not evenly distributed. The remaining rows are read after the first
        // place.
        var next = places.range.lowerBound
        var afterFirst: Int64?
        for start in places.starts {
            guard let part = Part(of: table, places.column, from: max(start, next)) else { break }
            let size = max(1, maximum / places.starts.count)
            guard let last = try await read(part, size, database, deadline).last else { continue }
            if afterFirst == nil { afterFirst = last }
            guard last < .max else { break }
            next = last + 1
        }
        if let afterFirst, afterFirst < .max, rows < maximum, places.starts.count > 1,
            let part = Part(of: table, places.column, from: afterFirst + 1)
        {
            _ = try await read(part, maximum - rows, database, deadline)
        }
    }

    /// The places of a table from which rows are read.
    private struct Places: Sendable {
        let column: String
        let range: ClosedRange<Int64>
        /// The first row ID of each place.
        let starts: [Int64]

        /// Returns nil for a table without row IDs, and for a table that has at most `limit` rows.
        init?(of table: SchemaTable, _ limit: Int, _ connection: Connection) throws {
            let names = Set(table.columns.map { $0.name.lowercased() })
            guard table.kind == .table, let column = ["rowid", "_rowid_", "oid"].first(where: { !names.contains($0) })
            else { return nil }
            let name = SQLIdentifier.quoted(table.name)
            do {
                let count = try connection.query(
                    "SELECT COUNT(*) FROM (SELECT 1 FROM \(name) LIMIT :limit)", ["limit": .integer(limit + 1)])
                guard try count.next(), count.integer(at: 0) > limit else { return nil }
                count.close()
                // SQLite finds one of the two in the index, but scans the table for both.
                let ends = try connection.query(
                    "SELECT (SELECT MIN(\(column)) FROM \(name)), (SELECT MAX(\(column)) FROM \(name))")
                defer { ends.close() }
                guard try ends.next(), !ends.isNull(at: 0) else { return nil }
                self.column = column
                range = ends.integer(at: 0)...ends.integer(at: 1)
            } catch let error as DatabaseError where error.code == .missingColumn {
                // A table WITHOUT ROWID.
                return nil
            }
            // The difference of two row IDs can be greater than the greatest Int64.
            let count = UInt64(min(TableContents.places, limit))
            let step = UInt64(bitPattern: range.upperBound &- range.lowerBound) / count
            let first = range.lowerBound
            starts = (0..<count).map { first &+ Int64(bitPattern: $0 * step) }
        }
    }

    /// A statement that reads rows.
    private struct Part: Sendable {
        let sql: String
        let first: Int64?

        init(of table: SchemaTable) {
            sql = "SELECT 0, \(Self.list(table)) FROM \(SQLIdentifier.quoted(table.name)) LIMIT :limit"
            first = nil
        }

        /// Returns nil if there is no such row ID.
        init?(of table: SchemaTable, _ column: String, from first: Int64) {
            sql =
                "SELECT \(column), \(Self.list(table)) FROM \(SQLIdentifier.quoted(table.name)) WHERE \(column) >= :first ORDER BY \(column) LIMIT :limit"
            self.first = first
        }

        private static func list(_ table: SchemaTable) -> String {
            table.columns.map { SQLIdentifier.quoted($0.name) }.joined(separator: ", ")
        }
    }

    /// Reads at most `limit` rows, and adds their values.
    /// - Returns: The first column of the last row; nil without rows. `isAtEnd` is true if no more rows exist.
    private mutating func read(
        _ part: Part, _ limit: Int, _ database: Database, _ deadline: Deadline
    ) async throws -> (last: Int64?, isAtEnd: Bool) {
        let (columns, rows) = (self.columns, self.rows)
        let found = try await database.read(timeout: .none, deadline: deadline) { connection in
            var (columns, rows, last) = (columns, rows, Int64?.none)
            var arguments: Arguments = ["limit": .integer(limit + 1)]
            if let first = part.first { arguments["first"] = .value(.integer(first)) }
            let result = try connection.query(part.sql, arguments)
            defer { result.close() }
            let end = rows + limit
            while try result.next() {
                guard rows < end else { return (columns, rows, last, false) }
                rows += 1
                last = result.integer(at: 0)
                for index in columns.indices { columns[index].add(result.column(index + 1)) }
            }
            return (columns, rows, last, true)
        }
        (self.columns, self.rows) = (found.0, found.1)
        return (found.2, found.3)
    }
}
