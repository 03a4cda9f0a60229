import DuetEmployees
import DuetPersistedDocuments
import DuetPersistedQueries
import DuetResourceService
import DuetSQLDatabase
import Foundation
import Synchronization
import TestSupport
import Testing

/// A clock in milliseconds since 1970 that a test advances.
final class TestClock: Sendable {
    private let time = Atomic<Int64>(1_750_000_000_000)

    var now: Int64 { time.load(ordering: .relaxed) }

    func advance(by duration: Duration) {
        time.add(duration.components.seconds * 1_000, ordering: .relaxed)
    }
}

/// Records the observations of ``PersistedQueries``.
final class Observations: Sendable {
    private let kept = Mutex<[PersistedQueryObservation]>([])

    func add(_ observation: PersistedQueryObservation) { kept.withLock { $0.append(observation) } }

    var all: [PersistedQueryObservation] { kept.withLock { $0 } }

    func clear() { kept.withLock { $0.removeAll() } }

    /// The level, memory or store, on which each lookup found its document, or nil if it found none.
    var lookups: [PersistedQueryObservation.Level?] {
        all.compactMap {
            switch $0 {
            case .hit(let level): .some(level)
            case .miss: .some(nil)
            default: nil
            }
        }
    }

    var registrations: Int {
        all.count { if case .registered = $0 { true } else { false } }
    }

    func evicted(from level: PersistedQueryObservation.Level) -> Int {
        all.reduce(0) { if case .evicted(let count, level) = $1 { $0 + count } else { $0 } }
    }

    func expired(from level: PersistedQueryObservation.Level) -> Int {
        all.reduce(0) { if case .expired(let count, level) = $1 { $0 + count } else { $0 } }
    }

    var failures: [(purpose: PersistedQueryObservation.Purpose, error: any Error)] {
        all.compactMap { if case .storeFailed(let purpose, let error) = $0 { (purpose, error) } else { nil } }
    }
}

/// Counts the statements with a given prefix.
final class StatementCounter: Sendable {
    private let beginning: String
    private let found = Atomic<Int>(0)

    init(_ beginning: String) {
        self.beginning = beginning
    }

    var count: Int { found.load(ordering: .relaxed) }

    var observer: DatabaseObserver {
        { [self] observation in
            guard case .statement(let sql, _, _, _, _) = observation, sql.hasPrefix(beginning) else { return }
            found.add(1, ordering: .relaxed)
        }
    }
}

/// Counts the statements that fail.
final class FailedStatementCounter: Sendable {
    private let found = Atomic<Int>(0)

    var count: Int { found.load(ordering: .relaxed) }

    var observer: DatabaseObserver {
        { [self] observation in
            guard case .statement(_, _, _, true, _) = observation else { return }
            found.add(1, ordering: .relaxed)
        }
    }
}

/// A simulated process that shares a database with others: it has its own memory and records its observations.
struct Process {
    let queries: PersistedQueries
    let observations = Observations()

    init(
        _ database: Database?, clock: TestClock = TestClock(), manifest: PersistedQueryManifest = .init(),
        _ configure: (inout PersistedQueriesConfiguration) -> Void = { _ in }
    ) {
        var configuration = PersistedQueriesConfiguration()
        // The machine can be under load. Tests of the timeout set a shorter value.
        configuration.storeTimeout = .seconds(60)
        configure(&configuration)
        queries = PersistedQueries(
            configuration, database: database, manifest: manifest, now: { clock.now },
            observe: { [observations] in observations.add($0) })
    }

    /// Registers a document under the hash of its text.
    func register(_ document: String) async {
        await queries.register(document, as: DocumentHash(of: document))
    }

    /// Returns the document with the hash of a text.
    func find(_ document: String) async -> String? {
        await queries.document(DocumentHash(of: document))
    }

    /// Expects that the store reported no failure.
    func expectNoFailure(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(observations.failures.isEmpty, "\(observations.failures)", sourceLocation: sourceLocation)
    }
}

/// A row of the table.
struct StoredRow: Equatable {
    let hash: String
    let bytes: Int64
    let usedAt: Int64
    let isReused: Bool
}

extension Database {
    /// Returns all rows in the order of their last use.
    func storedRows() async throws -> [StoredRow] {
        try await read { connection in
            let rows = try connection.query(
                "SELECT HEX(hash), bytes, used_at, is_reused FROM duet_persisted_queries ORDER BY used_at, hash")
            var stored: [StoredRow] = []
            while try rows.next() {
                stored.append(
                    StoredRow(
                        hash: rows.text(at: 0).lowercased(), bytes: rows.integer(at: 1), usedAt: rows.integer(at: 2),
                        isReused: rows.integer(at: 3) != 0))
            }
            return stored
        }
    }

    /// Returns true if no transaction has locked the row of a hash. MariaDB only.
    func isFree(_ hash: DocumentHash) async throws -> Bool {
        do {
            try await write {
                try $0.execute("SELECT 1 FROM duet_persisted_queries WHERE hash = X'\(hash)' FOR UPDATE NOWAIT")
            }
            return true
        } catch let error as DatabaseError where error.code == .busy {
            return false
        }
    }

    func hasRow(of document: String) async throws -> Bool {
        let hash = DocumentHash(of: document).description
        return try await storedRows().contains { $0.hash == hash }
    }
}

/// Calls a closure with a second pool on the same database, as in another process.
func withSecondDatabase(_ first: Database, _ body: (Database) async throws -> Void) async throws {
    var configuration = DatabaseConfiguration(poolSize: 2)
    // All suites run concurrently, so the wait for a connection can be long. It should not fail a test.
    configuration.acquireTimeout = .seconds(120)
    let second = Database(first.url, configuration: configuration)
    do {
        try await body(second)
    } catch {
        await second.close()
        throw error
    }
    await second.close()
}
