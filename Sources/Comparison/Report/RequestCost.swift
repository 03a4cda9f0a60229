/// The cost of one request of a task, which does not vary on the same data.
package struct RequestCost: Sendable, Hashable {
    /// The number of the round trip, starting from 1.
    package let round: Int
    package let method: String
    /// Path and query, encoded.
    package let target: String
    /// The number of bytes sent.
    package let up: WireBytes
    /// The number of bytes received without content coding, excluding `Server-Timing`.
    package let down: WireBytes
    /// The number of bytes received if the client accepts gzip. The server does not compress every response.
    package let gzippedDown: WireBytes
    /// The number of values in the response that are neither arrays nor objects.
    package let fieldsReturned: Int
    /// The number of SQL statements; nil if the server does not report it, as with a streamed response.
    package let statements: Int?
    /// True if an intermediate cache returned the response.
    package let isCacheHit: Bool

    /// - Parameters:
    ///   - plain: The task recorded without content coding.
    ///   - gzipped: The task recorded with gzip.
    /// - Returns: The costs, in the order of the requests.
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
