/// The cost of a task that does not depend on the machine. It does not vary on the same data.
package struct Cost: Sendable, Hashable {
    /// The number of requests sent.
    package var requests = 0
    /// The number of round trips if requests that do not depend on each other are sent concurrently.
    package var rounds = 0
    /// The number of bytes sent.
    package var up = WireBytes()
    /// The number of bytes received without content coding. `Server-Timing` is excluded, because its length depends on
    /// the measured times.
    package var down = WireBytes()
    /// The number of bytes received if the client accepts gzip. The server does not compress every response.
    package var gzippedDown = WireBytes()
    /// The number of values in the responses that are neither arrays nor objects.
    package var fieldsReturned = 0
    /// The number of those values that the task needs.
    package var fieldsUsed = 0
    /// The number of responses from an intermediate cache; nil if there is no cache.
    package var cacheHits: Int?
    /// The number of SQL statements; nil if the server does not report it.
    package var statements: Int?
    /// The number of rows that the statements have read; nil if the server does not report it.
    package var rows: Int?
}

extension Cost {
    /// - Parameters:
    ///   - plain: The task recorded without content coding.
    ///   - gzipped: The task recorded with gzip.
    ///   - work: The work of the database for `plain`.
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
