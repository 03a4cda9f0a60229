import DuetAPIDescription
import Synchronization

@testable import DuetSQLDatabase

/// A third backend: a list of texts in memory. It knows three statements: `SELECT text FROM notes`, also in the form in
/// which the planner writes it, `SELECT COUNT(*) FROM notes AS t`, and `INSERT INTO notes VALUES (:text)`.
final class ToyBackend: Backend {
    struct State {
        var notes: [String] = []
        var connections = 0
        /// True if the next statement loses its connection.
        var losesConnection = false
    }

    let state = Mutex(State())
    let dialect = Dialect("toy", title: "Toy")

    func connect(
        _ configuration: DatabaseConfiguration, _ interrupt: Interrupt, waitsForLocks: Bool
    ) throws -> any BackendConnection {
        state.withLock { $0.connections += 1 }
        return ToyConnection(self)
    }
}

private final class ToyConnection: BackendConnection {
    let backend: ToyBackend
    /// The notes of the current transaction.
    var notes: [String] = []

    init(_ backend: ToyBackend) { self.backend = backend }

    func prepare(_ sql: String) throws -> any PreparedStatement { try ToyStatement(sql, self) }
    func run(_ sql: String) throws { throw DatabaseError(.syntax, "a toy has no scripts", statement: sql) }

    func begin(_ mode: TransactionMode, statementTimeout: UInt64?) throws {
        notes = backend.state.withLock { $0.notes }
    }
    func commit(_ mode: TransactionMode) throws {
        guard mode == .writing else { return }
        backend.state.withLock { $0.notes = notes }
    }
    func rollback() throws { notes = [] }
}

private final class ToyStatement: PreparedStatement {
    let sql: String
    let columns: [Column]
    let parameterCount: Int
    private unowned let connection: ToyConnection
    private var values: [SQLValue] = []
    private let isCount: Bool
    private var rows: [[UInt8]] = []
    private var position = -1
    private(set) var changes = 0

    init(_ sql: String, _ connection: ToyConnection) throws {
        let isQuery =
            sql.wholeMatch(of: /SELECT (t\.`text` AS )?`?text`? FROM notes( AS t)?( LIMIT \?)?/) != nil
        isCount = sql == "SELECT COUNT(*) FROM notes AS t"
        guard isQuery || isCount || sql == "INSERT INTO notes VALUES (?)" else {
            throw DatabaseError(.syntax, "a toy does not know this statement", statement: sql)
        }
        self.sql = sql
        self.connection = connection
        columns =
            isQuery ? [Column(name: "text", kind: .text)] : isCount ? [Column(name: "count", kind: .integer)] : []
        parameterCount = sql.count { $0 == "?" }
    }

    var isRefusedInReads: Bool { columns.isEmpty }

    func bind(_ values: ArraySlice<SQLValue>) throws { self.values = Array(values) }

    func start() {
        changes = 0
        rows = connection.notes.map { Array($0.utf8) }
        if isCount { rows = [[]] }
        if case .integer(let limit)? = values.last { rows = Array(rows.prefix(Int(limit))) }
        position = -1
        for case .text(let text) in values {
            connection.notes.append(text)
            changes += 1
        }
    }

    func step() throws -> Bool {
        let isLost = connection.backend.state.withLock { state in
            defer { state.losesConnection = false }
            return state.losesConnection
        }
        if isLost { throw DatabaseError(.connectionLost, "the toy is lost", statement: sql) }
        position += 1
        return !columns.isEmpty && position < rows.count
    }

    func column(_ index: Int) -> ColumnValue {
        guard !isCount else { return .integer(Int64(connection.notes.count)) }
        return rows[position].withUnsafeBytes { bytes in
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
            copy.copyMemory(from: bytes)
            copies.append(copy)
            return .text(UnsafeRawBufferPointer(copy))
        }
    }

    /// The values that the current execution has returned.
    private var copies: [UnsafeMutableRawBufferPointer] = []

    func reset() {
        for copy in copies { copy.deallocate() }
        copies = []
        values = []
    }

    deinit { reset() }
}

/// Reads the schema of the toy, which has one table.
struct ToySchemaReader: SchemaReader {
    let connection: Connection

    func tables() -> [SchemaTable] {
        let text = TableColumn(name: "text", declaredType: "text", type: .text(maximumLength: nil), isNullable: false)
        return [SchemaTable(name: "notes", columns: [text])]
    }

    func collations() -> [String: Set<String>] { [:] }
}
