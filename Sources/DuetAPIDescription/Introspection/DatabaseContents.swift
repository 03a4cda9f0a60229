import DuetResourceService
public import DuetSQLDatabase

/// The kinds of the values in the rows of a database whose declared types are only hints, such as SQLite. Introspection
/// determines the types of fields from rows, too.
///
/// The rows that are read depend only on the database, so the same database has the same contents on each machine. The
/// contents have counts of values, but no values.
public struct DatabaseContents: Sendable {
    /// The number of rows that are read.
    public enum Rows: Sendable, Hashable {
        /// At most this number of rows of each table. If a table with row IDs has more rows, they are read at ten
        /// places of the table. Of a view, and of a table without row IDs, the first rows are read.
        case some(Int)
        /// All rows.
        case all
    }

    /// The default number of rows of each table.
    public static let defaultRows = Rows.some(10_000)

    /// The contents of the tables, keyed by name.
    private(set) var tables: [String: TableContents] = [:]

    /// The reason why only a part of a table's rows, or none, was read.
    public enum Failure: Sendable, Hashable, CustomStringConvertible {
        /// The maximum time for the table, or for all tables, had passed.
        case timeLimit
        /// The rows cannot be read. The value is the message of the database.
        case error(String)

        /// A noun with its article: `the time limit`.
        public var description: String {
            switch self {
            case .timeLimit: "the time limit"
            case .error(let message): "an error: \(message)"
            }
        }
    }

    /// The tables of which only a part of the rows, or none, was read, keyed by name.
    public var failures: [String: Failure] { tables.compactMapValues(\.failure) }

    /// Returns true if all rows that were read have a type that introspection can choose or suggest for the column.
    func fit(_ field: Field, _ column: TableColumn, of table: SchemaTable) -> Bool {
        guard let index = table.columns.firstIndex(of: column), let contents = tables[table.name] else { return false }
        return contents.columns[index].fit(field)
    }

    /// Creates contents without rows.
    public init() {}

    /// Reads rows of all tables, and then of all views. For a database that enforces the declared types, such as
    /// MariaDB, the contents are empty.
    ///
    /// A place of a table is read in a transaction of its own, so that other programs can write in between.
    /// - Parameters:
    ///   - database: The database.
    ///   - schema: The schema of the database.
    ///   - rows: The number of rows of each table.
    ///   - limit: The maximum time for a table or view.
    ///   - total: The maximum time for all tables and views; nil for no limit.
    /// - Throws: `DatabaseError` if the database cannot be read.
    public static func read(
        _ database: Database, _ schema: DatabaseSchema, rows: Rows = defaultRows, limit: Duration = .seconds(10),
        total: Duration? = nil
    ) async throws -> DatabaseContents {
        var contents = DatabaseContents()
        guard !schema.dialect.enforcesTypes else { return contents }
        let readable = schema.tables.filter { $0.failure == nil && !$0.columns.isEmpty }
        let end = total.map { ContinuousClock.now + $0 }
        for table in readable.filter({ $0.kind == .table }) + readable.filter({ $0.kind == .view }) {
            let remaining = end.map { max(.zero, $0 - ContinuousClock.now) } ?? limit
            contents.tables[table.name] = try await TableContents(
                of: table, rows, database, deadline: .after(min(limit, remaining)))
        }
        return contents
    }
}
