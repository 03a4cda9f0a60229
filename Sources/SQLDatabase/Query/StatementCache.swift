/// The statements a connection keeps prepared, by the text they were written with. Bounded; the one used longest ago
/// goes first. A statement in use is out of the cache, so that the same text can run twice at once.
final class StatementCache {
    /// A text, its parameters, and a prepared statement for each shape its lists have had.
    final class Entry {
        let parameters: Parameters
        fileprivate(set) var lastUse: UInt64 = 0
        /// See ``ResultSet/memo``.
        var memo: AnyObject?
        fileprivate var variants: [(shape: [Parameters.ListShape], statement: PreparedStatement)] = []

        init(_ parameters: Parameters) {
            self.parameters = parameters
        }

        func take(_ shape: [Parameters.ListShape]) -> PreparedStatement? {
            guard let index = variants.firstIndex(where: { $0.shape == shape }) else { return nil }
            return variants.remove(at: index).statement
        }

        func giveBack(_ statement: PreparedStatement, shape: [Parameters.ListShape]) {
            // One is enough: a second one was needed only while the first was in use.
            guard !variants.contains(where: { $0.shape == shape }) else { return }
            variants.append((shape, statement))
        }
    }

    private let capacity: Int
    private var entries: [String: Entry] = [:]
    private var clock: UInt64 = 0

    /// - Parameter capacity: most texts.
    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    func entry(for sql: String) throws -> Entry {
        clock += 1
        if let entry = entries[sql] {
            entry.lastUse = clock
            return entry
        }
        let entry = Entry(try Parameters(parsing: sql))
        entry.lastUse = clock
        if entries.count >= capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })?.key {
            entries[oldest] = nil
        }
        entries[sql] = entry
        return entry
    }

    func removeAll() {
        entries.removeAll()
    }
}

/// A prepared statement of either backend.
enum PreparedStatement {
    case sqlite(SQLiteStatement)
    case mariaDB(MariaDBStatement)

    var columns: [Column] {
        switch self {
        case .sqlite(let statement): statement.columns
        case .mariaDB(let statement): statement.columns
        }
    }

    var sql: String {
        switch self {
        case .sqlite(let statement): statement.sql
        case .mariaDB(let statement): statement.sql
        }
    }

    var parameterCount: Int {
        switch self {
        case .sqlite(let statement): statement.parameterCount
        case .mariaDB(let statement): statement.parameterCount
        }
    }

    func reset() {
        switch self {
        case .sqlite(let statement): statement.reset()
        case .mariaDB(let statement): statement.reset()
        }
    }
}
