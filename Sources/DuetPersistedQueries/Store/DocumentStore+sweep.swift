internal import DuetSQLDatabase

extension DocumentStore {
    /// What may stay.
    struct Bounds: Sendable {
        /// What was last used at this moment, in milliseconds since 1970, or before has expired.
        let expiry: Int64
        let rows: Int
        let bytes: Int
    }

    /// What a sweep has done, and what is left.
    struct Sweep: Sendable {
        var expired = 0
        var evicted = 0
        /// How many rows are left, and how long their documents are together; none if they were not counted.
        var size: Size?
        /// Whether it ended because it had done enough at once.
        var isPartial = false
        /// Whether there is no room for all documents that are used again, or hardly any; none if they were not
        /// counted.
        var isInNeed: Bool?
        /// Whether it has left those that are too many, as it was not known when they were last used.
        var needsUses = false
    }

    /// A number of rows, and the bytes of their documents.
    struct Size: Sendable {
        var rows = 0
        var bytes = 0
    }

    /// What is known of a row that may have to go.
    private struct Candidate {
        let hash: SQLValue
        let usedAt: Int64
        let bytes: Int
    }

    /// So many rows are changed in one transaction, so that others who want to write do not wait for long.
    private static var batch: Int { 500 }

    /// Removes what has expired, and what is too much: rows that were never looked up first, and of each kind those
    /// first that were last used longest ago. Rows that were looked up may fill four fifths of the store; beyond that,
    /// the least recently used of them count as never looked up. This is a segmented LRU: new documents, however many,
    /// displace none that is used again and again.
    /// - Parameter usesAreTold: Whether the store knows when the documents were last used that this process has looked
    ///   up. Otherwise none of those goes that were looked up.
    func sweep(_ bounds: Bounds, usesAreTold: Bool) async throws -> Sweep {
        try await write { connection in
            let expired = try Self.candidates(
                connection, "is_reused IN (0, 1) AND used_at <= :expiry", ["expiry": .integer(bounds.expiry)])
            var sweep = Sweep(expired: try Self.remove(expired, connection))
            // As long as there is more of that kind, nothing else has to go.
            sweep.isPartial = expired.count == Self.batch
            if sweep.isPartial { return sweep }

            let new = try Self.size(connection, isReused: false)
            let reused = try Self.size(connection, isReused: true)
            let room = Size(rows: bounds.rows - bounds.rows / 5, bytes: bounds.bytes - bounds.bytes / 5)
            // Others may have made room a moment ago.
            sweep.isInNeed =
                reused.rows > room.rows - bounds.rows / 50 || reused.bytes > room.bytes - bounds.bytes / 50
            sweep.needsUses = !usesAreTold && (reused.rows > room.rows || reused.bytes > room.bytes)
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

    /// The first rows of the order in which they go, as many as are beyond what may stay.
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
        // On MariaDB another process may have told of a use since this transaction has read the row: then it stays.
        return try connection.execute(
            "\(statement) WHERE hash IN (:hashes) AND used_at <= :latest",
            ["hashes": .list(candidates.map(\.hash)), "latest": .integer(latest)])
    }
}
