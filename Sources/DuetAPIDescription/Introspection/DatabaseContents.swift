public import DuetDatabaseSchema
import DuetResourceService
public import DuetSQLDatabase

/// The kinds of the values in the rows of a SQLite database. The declared types of SQLite are only hints, so
/// introspection determines the types of fields from rows, too.
///
/// The rows that are read depend only on the database, so the same database has the same contents on each machine. The
/// contents have counts of values, but no values.
public struct DatabaseContents: Sendable {
    /// The number of rows that are read.
    public enum Rows: Sendable, Hashable {
        /// At most this number of rows of each table. If a table has more rows, they are read at ten places of the
        /// table at equal distances.
        case some(Int)
        /// All rows.
        case all
    }

    /// The default number of rows of each table.
    public static let defaultRows = Rows.some(10_000)

    /// The contents of the tables that were read.
    private(set) var tables: [String: TableContents] = [:]
    /// The names of the tables whose rows were not read because of the time limit.
    public private(set) var unreadTables: [String] = []

    /// Creates contents without rows.
    public init() {}

    /// Reads rows of all tables. For MariaDB, the contents are empty, because MariaDB enforces the declared types.
    ///
    /// Each table is read in a transaction of its own, so that other programs can write in between. A table that cannot
    /// be read has no contents.
    /// - Parameters:
    ///   - database: The database.
    ///   - schema: The schema of the database.
    ///   - rows: The number of rows of each table.
    ///   - deadline: The moment at which the function stops. The remaining tables are then ``unreadTables``.
    /// - Throws: `DatabaseError` if the database cannot be read.
    public static func read(
        _ database: Database, _ schema: DatabaseSchema, rows: Rows = defaultRows, deadline: Deadline = .never
    ) async throws -> DatabaseContents {
        var contents = DatabaseContents()
        guard schema.dialect == .sqlite else { return contents }
        var isTimedOut = false
        for table in schema.tables where table.failure == nil && !table.columns.isEmpty {
            guard !isTimedOut else {
                contents.unreadTables.append(table.name)
                continue
            }
            do {
                contents.tables[table.name] = try await database.read(timeout: .none, deadline: deadline) {
                    try TableContents(of: table, rows, $0)
                }
            } catch let error as DatabaseError where error.code == .timeout && deadline != .never {
                contents.unreadTables.append(table.name)
                isTimedOut = true
            } catch let error as DatabaseError where error.isOfStatement {
                continue
            }
        }
        return contents
    }
}

/// The kinds of the values in the rows of a table.
struct TableContents: Sendable {
    /// The number of rows that were read.
    private(set) var rows = 0
    /// True if all rows were read.
    private(set) var isComplete = true
    /// The contents of the columns, in the order of the table.
    private(set) var columns: [ColumnContents]

    private static let places = 10

    /// Reads rows of a table.
    /// - Throws: `DatabaseError`.
    init(of table: Table, _ limit: DatabaseContents.Rows, _ connection: Connection) throws {
        let isCoreData = table.columns.contains { $0.name == "Z_PK" }
        columns = table.columns.map {
            ColumnContents(declared: FieldType(declaredIn: $0), isCoreData: isCoreData)
        }
        let list = table.columns.map { SQLIdentifier.quoted($0.name) }.joined(separator: ", ")
        let name = SQLIdentifier.quoted(table.name)
        guard case .some(let limit) = limit else {
            try read("SELECT \(list) FROM \(name)", [:], connection)
            return
        }
        let rowID = try Self.rowID(of: table, limit, connection)
        guard let rowID else {
            try read("SELECT \(list) FROM \(name) LIMIT :limit", ["limit": .integer(limit + 1)], connection)
            isComplete = rows <= limit
            return
        }
        isComplete = false
        let width = rowID.range.upperBound.subtractingReportingOverflow(rowID.range.lowerBound)
        let step = width.overflow ? Int64.max / Int64(Self.places) * 2 : width.partialValue / Int64(Self.places) + 1
        for place in 0..<Self.places {
            let first = rowID.range.lowerBound + Int64(place) * step
            try read(
                "SELECT \(list) FROM \(name) WHERE \(rowID.column) >= :first AND \(rowID.column) <= :last ORDER BY \(rowID.column) LIMIT :limit",
                [
                    "first": .value(.integer(first)),
                    "last": .value(.integer(place == Self.places - 1 ? rowID.range.upperBound : first + step - 1)),
                    "limit": .integer(max(1, limit / Self.places)),
                ], connection)
        }
    }

    /// Returns the row IDs of a table with more rows than the limit; nil for any other table.
    private static func rowID(
        of table: Table, _ limit: Int, _ connection: Connection
    ) throws -> (column: String, range: ClosedRange<Int64>)? {
        let names = Set(table.columns.map { $0.name.lowercased() })
        guard table.kind == .table, let column = ["rowid", "_rowid_", "oid"].first(where: { !names.contains($0) })
        else {
            return nil
        }
        let name = SQLIdentifier.quoted(table.name)
        do {
            let count = try connection.query(
                "SELECT COUNT(*) FROM (SELECT 1 FROM \(name) LIMIT :limit)", ["limit": .integer(limit + 1)])
            guard try count.next(), count.integer(at: 0) > limit else { return nil }
            count.close()
            let range = try connection.query("SELECT MIN(\(column)), MAX(\(column)) FROM \(name)")
            defer { range.close() }
            guard try range.next(), !range.isNull(at: 0) else { return nil }
            return (column, range.integer(at: 0)...range.integer(at: 1))
        } catch let error as DatabaseError where error.code == .missingColumn {
            // A table WITHOUT ROWID.
            return nil
        }
    }

    private mutating func read(_ sql: String, _ arguments: Arguments, _ connection: Connection) throws {
        let result = try connection.query(sql, arguments)
        defer { result.close() }
        while try result.next() {
            rows += 1
            for index in columns.indices { columns[index].add(result.column(index)) }
        }
    }
}
