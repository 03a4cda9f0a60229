/// What one request of a task takes; the same each time on the same data.
package struct RequestCost: Sendable, Hashable {
    /// With which round trip it goes, from 1.
    package let round: Int
    package let method: String
    /// Path and query, encoded.
    package let target: String
    /// Bytes sent.
    package let up: WireBytes
    /// Bytes that have come, without a coding and without `Server-Timing`.
    package let down: WireBytes
    /// The same in gzip, where the server thinks it worth it.
    package let gzippedDown: WireBytes
    /// Values in the answer that are neither lists nor objects.
    package let fieldsReturned: Int
    /// SQL statements run; `nil` if the server does not tell, as with an answer that is sent while it is made.
    package let statements: Int?
    /// Whether a cache in between had the answer.
    package let isCacheHit: Bool

    /// - Parameters:
    ///   - plain: a task as it was asked for without a coding.
    ///   - gzipped: the same in gzip.
    /// - Returns: in the order in which they were sent.
    static func all(_ plain: Recording, gzipped: Recording) -> [RequestCost] {
        zip(plain.rounds, gzipped.rounds).enumerated().flatMap { index, rounds in
            zip(rounds.0, rounds.1).map { plain, gzipped in
                RequestCost(
                    round: index + 1, method: plain.request.method.rawValue, target: plain.request.target, up: plain.up,
                    down: plain.stableDown, gzippedDown: gzipped.stableDown,
                    fieldsReturned: plain.answer.body.leaves, statements: plain.isCacheHit ? 0 : plain.statements,
                    isCacheHit: plain.isCacheHit)
            }
        }
    }
}
