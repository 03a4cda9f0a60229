/// The cost of a task as counted values. They depend on the data, but neither on the machine nor on the run.
package struct TaskCost: Sendable, Hashable {
    /// The number of requests.
    package var requests = 0
    /// The number of round trips of a client that sends requests concurrently if they do not depend on each other.
    package var rounds = 0
    /// The number of bytes that the client sends.
    package var up = WireBytes()
    /// The number of bytes that the client receives if it does not accept gzip. The header field `Server-Timing` is
    /// excluded, because its length varies.
    package var down = WireBytes()
    /// The number of bytes that the client receives if it accepts gzip. The server does not compress every response.
    package var gzippedDown = WireBytes()
    /// The number of values in the responses that are neither arrays nor objects.
    package var fieldsReturned = 0
    /// The number of these values that the task needs.
    package var fieldsUsed = 0
    /// The number of responses that an intermediate cache served; nil if there is no cache.
    package var cacheHits: Int?
    /// The number of SQL statements; nil if the server does not report the number.
    package var statements: Int?
    /// The number of rows that the statements have read; nil if the server does not report the number.
    package var rows: Int?
}

extension TaskCost {
    /// - Parameters:
    ///   - plain: The recording of the task without content coding.
    ///   - gzipped: The recording of the task with gzip.
    ///   - work: The work of the database during the recording `plain`.
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
