internal import DuetJSON
import DuetPersistedDocuments
internal import DuetSQLDatabase

/// The table `duet_persisted_queries`. Each method is one transaction, and waits no longer than its time-out.
struct DocumentStore: Sendable {
    let database: Database
    let timeout: Duration

    /// The same for work that no request waits for.
    var patient: DocumentStore { DocumentStore(database: database, timeout: timeout * 5) }

    /// The same for what must have ended at a moment; `nil` if that has come. Without a moment, the same.
    func limited(to deadline: ContinuousClock.Instant?) -> DocumentStore? {
        guard let deadline else { return self }
        let left = deadline - .now
        return left > .zero ? DocumentStore(database: database, timeout: min(timeout, left)) : nil
    }

    /// A row as it was found.
    struct Row: Sendable {
        let document: UTF8Text
        /// Milliseconds since 1970.
        let usedAt: Int64
        /// Whether it was looked up since it was registered.
        let isReused: Bool
    }

    /// A row to be written.
    struct Record: Sendable {
        let hash: DocumentHash
        let document: UTF8Text
        let usedAt: Int64
        let isReused: Bool
    }

    /// The row of a document, expired or not.
    /// - Throws: `DatabaseError`, or ``DamagedDocumentError`` if its text has another hash.
    func row(_ hash: DocumentHash) async throws -> Row? {
        try await read { connection in
            let rows = try connection.query(
                "SELECT document, used_at, is_reused FROM duet_persisted_queries WHERE hash = :hash",
                ["hash": .value(hash.value)])
            guard try rows.next() else { return nil }
            let document = rows.text(at: 0)
            guard DocumentHash(of: document) == hash else { throw DamagedDocumentError(hash: hash) }
            return Row(
                document: UTF8Text(document), usedAt: rows.integer(at: 1), isReused: rows.integer(at: 2) != 0)
        }
    }

    /// When a document was last used, as far as the store knows; `nil` without a row.
    func lastUse(of hash: DocumentHash) async throws -> Int64? {
        try await read { connection in
            let rows = try connection.query(
                "SELECT used_at FROM duet_persisted_queries WHERE hash = :hash", ["hash": .value(hash.value)])
            return try rows.next() ? rows.integer(at: 0) : nil
        }
    }

    /// Writes a row. One that is there, because another process was faster or because it was damaged, has the text
    /// afterwards, and the later use.
    func save(_ record: Record) async throws {
        try await write { connection in
            let conflict =
                switch connection.dialect {
                case .sqlite:
                    """
                    ON CONFLICT (hash) DO UPDATE SET document = excluded.document, bytes = excluded.bytes,
                        used_at = MAX(used_at, excluded.used_at), is_reused = MAX(is_reused, excluded.is_reused)
                    """
                case .mariaDB:
                    """
                    ON DUPLICATE KEY UPDATE document = VALUES(document), bytes = VALUES(bytes),
                        used_at = GREATEST(used_at, VALUES(used_at)), is_reused = GREATEST(is_reused, VALUES(is_reused))
                    """
                }
            try connection.execute(
                """
                INSERT INTO duet_persisted_queries (hash, document, bytes, used_at, is_reused)
                VALUES (:hash, :document, :bytes, :usedAt, :isReused) \(conflict)
                """,
                [
                    "hash": .value(record.hash.value), "document": .text(record.document.string),
                    "bytes": .integer(record.document.string.utf8.count), "usedAt": .integer(record.usedAt),
                    "isReused": .integer(record.isReused ? 1 : 0),
                ])
        }
    }

    /// Moves the last use of documents forward. They were looked up, and from now on count as used again.
    /// - Returns: Those that have no row.
    func touch(_ uses: [(hash: DocumentHash, usedAt: Int64)]) async throws -> [DocumentHash] {
        try await write { connection in
            try uses.filter { use in
                // MariaDB counts what it has found, whether it changed or not.
                try connection.execute(
                    """
                    UPDATE duet_persisted_queries
                    SET used_at = CASE WHEN used_at < :usedAt THEN :usedAt ELSE used_at END, is_reused = 1
                    WHERE hash = :hash
                    """, ["hash": .value(use.hash.value), "usedAt": .integer(use.usedAt)]) == 0
            }.map(\.hash)
        }
    }

    // MARK: Transactions

    private func read<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value) async throws -> Value {
        try await withDeadline(timeout) { [database, timeout] in
            try await database.read(timeout: .limit(timeout), body)
        }
    }

    /// The loser of a deadlock with another process tries again.
    func write<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value) async throws -> Value {
        try await withDeadline(timeout) { [database, timeout] in
            for _ in 0..<3 {
                do {
                    return try await database.write(timeout: .limit(timeout), body)
                } catch let error as DatabaseError where error.isDeadlock {
                    continue
                }
            }
            return try await database.write(timeout: .limit(timeout), body)
        }
    }
}

extension DocumentHash {
    /// As the column `hash` holds it.
    var value: SQLValue { .blob(bytes) }
}
