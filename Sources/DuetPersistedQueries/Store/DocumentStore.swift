internal import DuetJSON
import DuetPersistedDocuments
internal import DuetSQLDatabase

/// The table `duet_persisted_queries`. Each method is one transaction with a timeout.
struct DocumentStore: Sendable {
    let database: Database
    let timeout: Duration

    /// A store with a longer timeout, for work that does not delay a request.
    var patient: DocumentStore { DocumentStore(database: database, timeout: timeout * 5) }

    /// Returns a store whose timeout does not end after a deadline; nil if the deadline has passed. Without a deadline,
    /// the function returns the store itself.
    func limited(to deadline: ContinuousClock.Instant?) -> DocumentStore? {
        guard let deadline else { return self }
        let left = deadline - .now
        return left > .zero ? DocumentStore(database: database, timeout: min(timeout, left)) : nil
    }

    /// A row that was read.
    struct Row: Sendable {
        let document: UTF8Text
        /// Milliseconds since 1970.
        let usedAt: Int64
        /// True if the document was looked up after its registration.
        let isReused: Bool
    }

    /// A row to write.
    struct Record: Sendable {
        let hash: DocumentHash
        let document: UTF8Text
        let usedAt: Int64
        let isReused: Bool
    }

    /// Returns the row of a document, even if it is expired.
    /// - Throws: `DatabaseError`, or ``DamagedDocumentError`` if the text in the row has another hash.
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

    /// Returns the time of the last use in a document's row; nil if the document has no row.
    func lastUse(of hash: DocumentHash) async throws -> Int64? {
        try await read { connection in
            let rows = try connection.query(
                "SELECT used_at FROM duet_persisted_queries WHERE hash = :hash", ["hash": .value(hash.value)])
            return try rows.next() ? rows.integer(at: 0) : nil
        }
    }

    /// Writes a row. If the row already exists, because another process wrote it first or because the row is damaged,
    /// its text is replaced, and its last use becomes the later of the two times.
    func save(_ record: Record) async throws {
        try await write { connection in
            let upsert = connection.dialect.upsert
            func greater(_ column: String) -> String { "\(upsert.greatest)(\(column), \(upsert.newValue(column)))" }
            try connection.execute(
                """
                INSERT INTO duet_persisted_queries (hash, document, bytes, used_at, is_reused)
                VALUES (:hash, :document, :bytes, :usedAt, :isReused) \(upsert.clause("hash")) \
                document = \(upsert.newValue("document")), bytes = \(upsert.newValue("bytes")),
                    used_at = \(greater("used_at")), is_reused = \(greater("is_reused"))
                """,
                [
                    "hash": .value(record.hash.value), "document": .text(record.document.string),
                    "bytes": .integer(record.document.string.utf8.count), "usedAt": .integer(record.usedAt),
                    "isReused": .integer(record.isReused ? 1 : 0),
                ])
        }
    }

    /// Updates the last uses of documents that were looked up, and marks the documents as reused.
    /// - Returns: The documents without a row.
    func touch(_ uses: [(hash: DocumentHash, usedAt: Int64)]) async throws -> [DocumentHash] {
        try await write { connection in
            try uses.filter { use in
                // MariaDB returns the number of matching rows, even if an update does not change them.
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
            try await Self.outsideOfSession { try await database.read(timeout: .limit(timeout), body) }
        }
    }

    /// Performs a transaction. If the transaction was the victim of a deadlock with another process, it is repeated up
    /// to three times.
    func write<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value) async throws -> Value {
        try await withDeadline(timeout) { [database, timeout] in
            try await Self.outsideOfSession {
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

    /// Runs a transaction on the primary. The server of the request's session may not yet have a document that was
    /// registered a moment ago, and the registration of a document is not a write of the client.
    private static func outsideOfSession<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        try await DatabaseSession.$current.withValue(nil) { try await body() }
    }
}

extension DocumentHash {
    /// The value of the column `hash`.
    var value: SQLValue { .blob(bytes) }
}
