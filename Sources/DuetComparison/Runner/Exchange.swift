import DuetJSON

/// A request, its response, and the cost of the request.
struct Exchange: Sendable {
    let request: Request
    let answer: ServerResponse
    let up: WireBytes
    let down: WireBytes
    /// The number of bytes of the `Server-Timing` field. They are excluded from the cost, because the length of the
    /// field varies.
    let variableBytes: Int
    /// The number of SQL statements that the server executed for the request; nil if the server does not report the
    /// number. A cached response reports the statements of the original request.
    let statements: Int?
    /// True if an intermediate cache returned the response.
    let isCacheHit: Bool

    /// The received bytes without ``variableBytes``.
    var stableDown: WireBytes {
        var down = down
        down.head -= variableBytes
        return down
    }
}

/// The recorded requests and responses of a task. Each round contains requests that do not depend on each other.
struct Recording: Sendable {
    let rounds: [[Exchange]]
    /// The result of the task. It should be equal in all styles.
    let result: JSONValue
    /// The parts of the requests that are different in each execution of the task.
    let change: RequestChange

    var exchanges: [Exchange] { rounds.flatMap(\.self) }
}
