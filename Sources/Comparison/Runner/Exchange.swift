import DuetJSON

/// A request, its response, and its cost.
struct Exchange: Sendable {
    let request: Request
    let answer: ServerResponse
    let up: WireBytes
    let down: WireBytes
    /// The bytes of the response head that vary from request to request, because `Server-Timing` contains measured
    /// times.
    let variableBytes: Int
    /// The number of SQL statements that the server ran for the request; nil if the server does not report it. A cached
    /// response reports the statements of the original request.
    let statements: Int?
    /// True if an intermediate cache returned the response.
    let isCacheHit: Bool

    /// The bytes of the response without the variable bytes.
    var stableDown: WireBytes {
        var down = down
        down.head -= variableBytes
        return down
    }
}

/// The recorded requests and responses of a task, in rounds.
struct Recording: Sendable {
    let rounds: [[Exchange]]
    /// The result of the task, which is equal in all styles.
    let result: JSONValue
    /// The parts of the requests that were changed this time.
    let change: RequestChange

    var exchanges: [Exchange] { rounds.flatMap(\.self) }
}
