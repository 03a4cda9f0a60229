/// What asking for a task takes, whatever the machine: the same each time on the same data.
package struct Cost: Sendable, Hashable {
    /// Requests sent.
    package var requests = 0
    /// Round trips, if what does not depend on each other is asked for at once.
    package var rounds = 0
    /// Bytes sent.
    package var up = WireBytes()
    /// Bytes that have come, without a coding. `Server-Timing` is left out: its length depends on what was measured.
    package var down = WireBytes()
    /// The same in gzip, where the server thinks it worth it.
    package var gzippedDown = WireBytes()
    /// Values in the answers that are neither lists nor objects.
    package var fieldsReturned = 0
    /// Those of them that the task needs.
    package var fieldsUsed = 0
    /// Answers that a cache in between had; `nil` where there is none.
    package var cacheHits: Int?
    /// SQL statements run; `nil` if the server does not tell.
    package var statements: Int?
    /// Rows that these have read; `nil` if the server does not tell.
    package var rows: Int?
}

extension Cost {
    /// - Parameters:
    ///   - plain: without a coding.
    ///   - gzipped: the same in gzip.
    ///   - work: what the database has done for the first of the two.
    init(_ plain: Recording, gzipped: Recording, isCached: Bool, work: ServerWork?) {
        requests = plain.exchanges.count
        rounds = plain.rounds.count
        up = plain.exchanges.reduce(WireBytes()) { $0 + $1.up }
        down = plain.exchanges.reduce(WireBytes()) { $0 + $1.stableDown }
        gzippedDown = gzipped.exchanges.reduce(WireBytes()) { $0 + $1.stableDown }
        fieldsReturned = plain.exchanges.reduce(0) { $0 + $1.answer.body.leaves }
        fieldsUsed = plain.result.leaves
        cacheHits = isCached ? plain.exchanges.count(where: \.isCacheHit) : nil
        statements = work?.statements
        rows = work?.rows
    }
}
