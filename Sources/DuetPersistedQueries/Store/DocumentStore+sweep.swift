internal import DuetSQLDatabase

extension DocumentStore {
    /// The bounds of a sweep.
    struct Bounds: Sendable {
        /// The time in milliseconds since 1970 that separates expired documents from other documents. A document whose
        /// last use is at or before this time is expired.
        let expiry: Int64
        let rows: Int
        let bytes: Int
    }

    /// The result of a sweep.
    struct Sweep: Sendable {
        var expired = 0
        var evicted = 0
        /// The number of remaining rows and the size of their documents; nil if they were not counted.
        var size: Size?
        /// True if the sweep stopped at the limit of one transaction.
        var isPartial = false
        /// True if the store has little or no room for further reused documents; nil if the rows were not counted.
        var isInNeed: Bool?
        /// True if the sweep did not remove excess documents, because their last uses were not yet written.
        var needsUses = false
    }

    /// The number of rows and the size of their documents in bytes.
    struct Size: Sendable {
        var rows = 0
        var bytes = 0
    }

    /// A row that could be removed.
    private struct Candidate {
        let hash: SQLValue
        let usedAt: Int64
        let bytes: Int
    }

    /// The maximum number of rows that one statement changes. The transaction of a sweep has at most three such
    /// statements. This limits the time that other writers wait.
    private static var batch: Int { 500 }

    /// Removes expired rows and rows that exceed the bounds. Rows without a lookup are removed before rows with
    /// lookups. Within each of these groups, the least recently used rows are removed first. Rows with lookups can use
    /// four fifths of the bounds. If they exceed this share, the least recently used of them are treated as rows
    /// without a lookup from now on. This is a segmented LRU: even a large number of new documents does not evict
    /// documents that are used repeatedly.
    /// - Parameter usesAreWritten: True if this process wrote all its uses to the store. If false, and the rows with
    ///   lookups exceed their share, only expired rows are removed.
    func sweep(_ bounds: Bounds, usesAreWritten: Bool) async throws -> Sweep {
        try await write { connection in
            let expired = try Self.candidates(
                connection, "is_reused IN (0, 1) AND used_at <= :expiry", ["expiry": .integer(bounds.expiry)])
            var sweep = Sweep(expired: try Self.remove(expired, connection))
            // If further expired rows may exist, the next transaction removes them before any other rows.
            sweep.isPartial = expired.count == Self.batch
            if sweep.isPartial { return sweep }

            let new = try Self.size(connection, isReused: false)
            let reused = try Self.size(connection, isReused: true)
            let room = Size(rows: bounds.rows - bounds.rows / 5, bytes: bounds.bytes - bounds.bytes / 5)
            // The thresholds are two percent below the limits, because another process may have just removed rows.
            sweep.isInNeed =
                reused.rows > room.rows - bounds.rows / 50 || reused.bytes > room.bytes - bounds.bytes / 50
            sweep.needsUses = !usesAreWritten && (reused.rows > room.rows || reused.bytes > room.bytes)
            if sweep.needsUses { return sweep }
            let tooManyReused = try Self.candidates(connection, "is_reused = 1", beyond: room, of: reused)
            try Self.demote(tooManyReused, connection)

            var size = Size(rows: new.rows + reused.rows, bytes: new.bytes + reused.bytes)
            let tooMany = try Self.candidates(
                connection, "is_reused IN (0, 1)", beyond: Size(rows: bounds.rows, bytes: bounds.bytes), of: size)
            sweep.evicted = try Self.remove(tooMany, connection)
            size.rows -= sweep.evicted
            size.bytes -= tooMany.reduce(0) { $0 + $1.bytes }
            sweep.size = size
            sweep.isPartial = tooManyReused.count == Self.batch || tooMany.count == Self.batch
            return sweep
        }
    }

    /// Returns the rows to remove, in the order of removal, so that the remaining rows are within the bounds. Returns
    /// at most ``batch`` rows.
    private static func candidates(
        _ connection: Connection, _ condition: String, _ arguments: Arguments = [:],
        beyond bounds: Size = Size(rows: 0, bytes: 0), of size: Size = Size(rows: .max, bytes: .max)
    ) throws -> [Candidate] {
        var size = size
        var candidates: [Candidate] = []
        guard size.rows > bounds.rows || size.bytes > bounds.bytes else { return [] }
        let rows = try connection.query(
            """
            SELECT hash, used_at, bytes FROM duet_persisted_queries WHERE \(condition)
            ORDER BY is_reused, used_at LIMIT \(batch)
            """, arguments)
        defer { rows.close() }
        while size.rows > bounds.rows || size.bytes > bounds.bytes, try rows.next() {
            let bytes = Int(rows.integer(at: 2))
            candidates.append(Candidate(hash: rows.value(at: 0), usedAt: rows.integer(at: 1), bytes: bytes))
            size.rows -= 1
            size.bytes -= bytes
        }
        return candidates
    }

    private static func size(_ connection: Connection, isReused: Bool) throws -> Size {
        let rows = try connection.query(
            """
            SELECT COUNT(*), CAST(COALESCE(SUM(bytes), 0) AS INTEGER) FROM duet_persisted_queries
            WHERE is_reused = \(isReused ? 1 : 0)
            """)
        return try rows.next() ? Size(rows: Int(rows.integer(at: 0)), bytes: Int(rows.integer(at: 1))) : Size()
    }

    private static func remove(_ candidates: [Candidate], _ connection: Connection) throws -> Int {
        try change(candidates, "DELETE FROM duet_persisted_queries", connection)
    }

    private static func demote(_ candidates: [Candidate], _ connection: Connection) throws {
        try change(candidates, "UPDATE duet_persisted_queries SET is_reused = 0", connection)
    }

    @discardableResult
    private static func change(_ candidates: [Candidate], _ statement: String, _ connection: Connection) throws -> Int {
        guard let latest = candidates.map(\.usedAt).max() else { return 0 }
        // On MariaDB, another process may have written a use after this transaction read the row. Such a row is not
        // changed.
        return try connection.execute(
            "\(statement) WHERE hash IN (:hashes) AND used_at <= :latest",
            ["hashes": .list(candidates.map(\.hash)), "latest": .integer(latest)])
    }
}
