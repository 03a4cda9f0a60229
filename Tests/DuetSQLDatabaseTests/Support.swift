import DuetSQLDatabase
import Foundation
import Synchronization
import TestSupport
import Testing

/// Records the observations of a database.
final class Recorder: Sendable {
    private let kept = Mutex<[DatabaseObservation]>([])

    var observer: DatabaseObserver {
        { [self] observation in kept.withLock { $0.append(observation) } }
    }

    func clear() { kept.withLock { $0.removeAll() } }

    var all: [DatabaseObservation] { kept.withLock { $0 } }

    var opened: Int {
        all.count { if case .connectionOpened = $0 { true } else { false } }
    }

    var closeReasons: [String] {
        all.compactMap { if case .connectionClosed(let reason) = $0 { reason } else { nil } }
    }

    var hits: Int {
        all.count { if case .statementCacheHit = $0 { true } else { false } }
    }

    /// The texts of the statements that were prepared.
    var prepared: [String] {
        all.compactMap { if case .statementCacheMiss(let sql) = $0 { sql } else { nil } }
    }

    /// The texts of the statements that ended, successfully or with an error.
    var statements: [String] {
        all.compactMap { if case .statement(let sql, _, _, _, _) = $0 { sql } else { nil } }
    }

    /// The origins of the statements that ended, successfully or with an error.
    var origins: [TransactionOrigin] {
        all.compactMap { if case .statement(_, _, _, _, let origin) = $0 { origin } else { nil } }
    }

    /// The URLs of the servers that became the primary.
    var primaries: [String] {
        all.compactMap { if case .primaryChanged(let url) = $0 { url } else { nil } }
    }

    var retries: Int {
        all.count { if case .readRetried = $0 { true } else { false } }
    }
}

/// Calls a closure with a database without tables, and with a recorder of its observations.
func withRecorder(
    _ backend: TestBackend, _ configuration: DatabaseConfiguration = DatabaseConfiguration(poolSize: 1),
    _ body: (Database, Recorder) async throws -> Void
) async throws {
    let recorder = Recorder()
    try await TestDatabase.with(
        backend, schema: false, configuration: configuration, observer: recorder.observer
    ) { try await body($0, recorder) }
}

/// A value that several threads can change.
final class Shared<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    init(_ value: Value) {
        mutex = Mutex(value)
    }

    var value: Value { mutex.withLock { $0 } }

    func change(_ body: (inout Value) -> Void) {
        mutex.withLock { body(&$0) }
    }
}

/// An event that occurs once. Tasks and threads can wait for it.
final class Event: Sendable {
    private struct State {
        var hasHappened = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let semaphore = DispatchSemaphore(value: 0)

    func happen() {
        let waiters = state.withLock { state in
            state.hasHappened = true
            defer { state.waiters = [] }
            return state.waiters
        }
        semaphore.signal()
        for waiter in waiters { waiter.resume() }
    }

    var hasHappened: Bool { state.withLock { $0.hasHappened } }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.hasHappened { state.waiters.append(continuation) }
                return state.hasHappened
            }
            if isOver { continuation.resume() }
        }
    }

    /// Blocks the current thread until the event. Closures on the pool's threads call it, because they cannot suspend.
    func block() {
        semaphore.wait()
        semaphore.signal()
    }
}

/// Returns the error that a closure throws.
func failure<Value>(_ body: () async throws -> Value) async -> DatabaseError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? DatabaseError
    }
}

/// Expects that a statement without a time limit returns its result, which shows that its connection is usable.
func expectAnswer(
    from database: Database, writing: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    let body: @Sendable (Connection) throws -> [[SQLValue]] = { try $0.query("SELECT 1 AS n").rows() }
    let rows =
        writing ? try await database.write(timeout: .none, body) : try await database.read(timeout: .none, body)
    #expect(rows == [[1]], sourceLocation: sourceLocation)
}

extension ResultSet {
    /// Returns the remaining rows.
    func rows() throws -> [[SQLValue]] {
        var rows: [[SQLValue]] = []
        while try next() { rows.append(columns.indices.map { value(at: $0) }) }
        return rows
    }
}

extension TestBackend {
    /// A query for the numbers from 1 to `:last`, which the database generates.
    var numbers: String {
        switch self {
        case .sqlite:
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :last) "
                + "SELECT i FROM n WHERE i <= :last"
        case .mariaDB: "SELECT seq FROM seq_1_to_100000 WHERE seq <= :last"
        }
    }

    /// A query that runs for hours.
    var endless: String {
        switch self {
        case .sqlite: "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        case .mariaDB: "SELECT count(*) FROM seq_1_to_1000000 a, seq_1_to_1000000 b, seq_1_to_1000 c"
        }
    }

    /// A query that returns rows immediately, and then runs for hours without another row.
    var stalling: String {
        switch self {
        case .sqlite:
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
            SELECT i, '----------------------------------------' FROM n WHERE i <= 50000
            """
        case .mariaDB:
            """
            SELECT b.seq, '----------------------------------------' FROM seq_1_to_1000000 a
            JOIN seq_1_to_1000000 b ON a.seq = 1 OR b.seq < 0 WHERE a.seq = 1 AND b.seq <= 50000 OR a.seq + b.seq < 0
            """
        }
    }

    /// The type of a column for any `Int64`.
    var integerType: String { self == .sqlite ? "INTEGER" : "BIGINT" }
    var textType: String { self == .sqlite ? "TEXT" : "LONGTEXT" }
    var blobType: String { self == .sqlite ? "BLOB" : "LONGBLOB" }
}
