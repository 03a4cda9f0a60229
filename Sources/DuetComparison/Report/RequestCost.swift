/// The cost of one request of a task as counted values. They depend on the data, but neither on the machine nor on the
/// run.
package struct RequestCost: Sendable, Hashable {
    /// The number of the round trip in which the request was sent, starting from 1.
    package let round: Int
    package let method: String
    /// The path and the query, percent-encoded.
    package let target: String
    /// The number of bytes that the client sends.
    package let up: WireBytes
    /// The number of bytes that the client receives if it does not accept gzip, excluding `Server-Timing`.
    package let down: WireBytes
    /// The number of bytes that the client receives if it accepts gzip. The server does not compress every response.
    package let gzippedDown: WireBytes
    /// The number of values in the response that are neither arrays nor objects.
    package let fieldsReturned: Int
    /// The number of SQL statements; nil if the server does not report the number, for example for a streamed response.
    package let statements: Int?
    /// True if an intermediate cache returned the response.
    package let isCacheHit: Bool

    /// - Parameters:
    ///   - plain: The recording of the task without content coding.
    ///   - gzipped: The recording of the task with gzip.
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
