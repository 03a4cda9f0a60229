import DuetSQLDatabase
import Foundation
import Synchronization

/// The records of idempotency keys in the table ``IdempotencyTable``.
///
/// A record is written in the transaction of the write itself. So it exists only if the write has taken effect.
package final class IdempotencyStore: Sendable {
    /// The time for which a record is kept, in milliseconds.
    private let lifetime: Int64
    /// The number of writes with a key.
    private let uses = Atomic<Int>(0)

    /// The default of the time for which a record is kept.
    package static let defaultLifetime: Duration = .seconds(86_400)
    /// The number of writes with a key after which expired records are removed.
    private static let usesPerSweep = 50
    /// The maximum number of records that are removed together. It exceeds the number of writes between two removals,
    /// so the number of expired records decreases.
    private static let sweptRecords = 100

    /// Creates a store.
    /// - Parameter lifetime: The time for which a record is kept.
    package init(lifetime: Duration = defaultLifetime) {
        self.lifetime = lifetime.components.seconds * 1_000 + lifetime.components.attoseconds / 1_000_000_000_000_000
    }

    /// The time in milliseconds since 1970.
    private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    /// Begins a write with a key, as the first statement of its transaction.
    ///
    /// The row of the new record is locked until the end of the transaction. On MariaDB, an insert of the same row by
    /// another transaction fails at once. A locking read before the insert would lock the gap between two rows, and
    /// writes with other keys would wait for each other. On SQLite, the transaction has already waited for the other
    /// one.
    /// - Returns: The record of the earlier request with the key; nil if this is the first one.
    /// - Throws: ``ServiceError`` if another request with the key is running, or had another payload, or if the table
    ///   does not exist; `DatabaseError`.
    func begin(_ key: IdempotencyKey, on connection: Connection) throws -> IdempotencyRecord? {
        let now = Self.now
        do {
            let count = try connection.execute(
                connection.dialect.insertIfAbsent(
                    "INTO \(IdempotencyTable.name) (hash, payload, created_at) VALUES (:hash, :payload, :now)"),
                ["hash": .value(.blob(key.hash)), "payload": .value(.blob(key.payload)), "now": .integer(now)])
            if count > 0 { return nil }
        } catch let error as DatabaseError where error.isTransient && !error.isDeadlock {
            throw ServiceError.idempotencyKeyInUse
        } catch let error as DatabaseError where error.code == .missingTable {
            throw ServiceError.idempotencyUnavailable
        }
        let rows = try connection.query(
            "SELECT created_at, payload, contract, result, answers FROM \(IdempotencyTable.name) WHERE hash = :hash",
            ["hash": .value(.blob(key.hash))])
        defer { rows.close() }
        guard try rows.next() else { throw DatabaseError(.failed, "the record of an idempotency key does not exist") }
        if rows.integer(at: 0) > now - lifetime {
            guard rows.value(at: 1) == .blob(key.payload) else { throw ServiceError.idempotencyKeyReused }
            // The write has taken effect, so it must not be performed again.
            guard
                let record = IdempotencyRecord(
                    contract: rows.value(at: 2), result: rows.value(at: 3), answers: rows.value(at: 4))
            else { throw ServiceError.idempotencyRecordUnreadable }
            return record
        }
        rows.close()
        try connection.execute(
            """
            UPDATE \(IdempotencyTable.name)
            SET payload = :payload, contract = NULL, result = NULL, answers = NULL, created_at = :now
            WHERE hash = :hash
            """, ["hash": .value(.blob(key.hash)), "payload": .value(.blob(key.payload)), "now": .integer(now)])
        return nil
    }

    /// Ends a write with a key, as the last statement of its transaction.
    func end(_ key: IdempotencyKey, _ record: IdempotencyRecord, on connection: Connection) throws {
        try connection.execute(
            """
            UPDATE \(IdempotencyTable.name) SET contract = :contract, result = :result, answers = :answers
            WHERE hash = :hash
            """,
            [
                "hash": .value(.blob(key.hash)), "contract": .value(record.contractValue),
                "result": .value(record.resultValue), "answers": .value(record.answersValue),
            ])
    }

    /// Removes some of the expired records, after a certain number of writes with a key. An error is ignored, because a
    /// later call removes the records.
    func sweep(_ database: Database) async {
        let uses = uses.wrappingAdd(1, ordering: .relaxed).newValue
        guard uses.isMultiple(of: Self.usesPerSweep) else { return }
        let expiry = Self.now - lifetime
        // The response to the write waits for the removal.
        try? await database.write(deadline: .after(.seconds(1))) { connection in
            let rows = try connection.query(
                """
                SELECT hash FROM \(IdempotencyTable.name) WHERE created_at <= :expiry
                ORDER BY created_at LIMIT \(Self.sweptRecords)
                """, ["expiry": .integer(expiry)])
            var hashes: [SQLValue] = []
            while try rows.next() { hashes.append(rows.value(at: 0)) }
            rows.close()
            guard !hashes.isEmpty else { return }
            // By the key, so that MariaDB locks no gap between rows, into which other requests insert.
            try connection.execute(
                "DELETE FROM \(IdempotencyTable.name) WHERE hash IN (:hashes) AND created_at <= :expiry",
                ["hashes": .list(hashes), "expiry": .integer(expiry)])
        }
    }
}
